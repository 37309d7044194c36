// Messages between ports, and structuredClone: a value as bytes and what travels beside them, and back.
//
// Node's own cloneable objects (Blob, KeyObject, DOMException, MessagePort …) carry a private transfer mode;
// how they travel is JavaScript's business, by numbers that it chooses.
#include <cstring>
#include <vector>

#include "memory.h"

namespace guest {
namespace {

constexpr char kCannotTransfer[] = "Cannot transfer object of unsupported type.";
constexpr char kCannotClone[] = "Cannot clone object of unsupported type.";
/** A list longer than this is a mistake or an attack. */
constexpr uint32_t kLongestList = 65536;

void ThrowDataClone(Isolate* isolate, Local<String> message) {
  Local<Value> make = StateValue(isolate, kDataCloneError);
  Local<Value> error;
  if (!make->IsFunction()) {
    error = Exception::Error(message);
  } else {
    Local<Value> arguments[] = {message};
    if (!make.As<Function>()->Call(isolate->GetCurrentContext(), Undefined(isolate), 1, arguments).ToLocal(&error)) {
      return;
    }
  }
  isolate->ThrowException(error);
}

/** Adds to an array, which outlives the handle scopes of V8's serialiser; the entry's index. */
Maybe<uint32_t> Append(Local<Context> context, Local<Array> list, Local<Value> entry) {
  uint32_t index = list->Length();
  if (list->CreateDataProperty(context, index, entry).IsNothing()) return Nothing<uint32_t>();
  return Just(index);
}

/** What travels beside a value's bytes. */
struct Baggage {
  explicit Baggage(Isolate* isolate) : buffers(isolate), shared(isolate), modules(isolate) {}
  LocalVector<ArrayBuffer> buffers;
  LocalVector<SharedArrayBuffer> shared;
  LocalVector<v8::WasmModuleObject> modules;
};

class Writer final : public v8::ValueSerializer::Delegate {
 public:
  Writer(Isolate* isolate, std::shared_ptr<IsolateMemory> memory, Local<Function> write)
      : shared(Array::New(isolate)),
        modules(Array::New(isolate)),
        isolate_(isolate),
        memory_(std::move(memory)),
        write_(write) {}

  v8::ValueSerializer* serializer = nullptr;
  Local<Array> shared;
  Local<Array> modules;

  void ThrowDataCloneError(Local<String> message) override { ThrowDataClone(isolate_, message); }
  bool HasCustomHostObject(Isolate*) override { return true; }
  Maybe<bool> IsHostObject(Isolate* isolate, Local<Object> object) override {
    return HasHidden(isolate, object, kTransferMode);
  }

  /** Asks write(object) for the number that read() is given. */
  Maybe<bool> WriteHostObject(Isolate* isolate, Local<Object> object) override {
    Local<Context> context = isolate->GetCurrentContext();
    if (!HasHidden(isolate, object, kTransferMode).FromMaybe(false)) {
      ThrowDataClone(isolate, Text(isolate, kCannotClone));
      return Nothing<bool>();
    }
    Local<Value> arguments[] = {object};
    Local<Value> id;
    if (!write_->Call(context, Undefined(isolate), 1, arguments).ToLocal(&id)) return Nothing<bool>();
    if (!id->IsUint32()) {
      ThrowDataClone(isolate, Text(isolate, kCannotClone));
      return Nothing<bool>();
    }
    serializer->WriteUint32(id.As<Uint32>()->Value());
    return Just(true);
  }

  Maybe<uint32_t> GetSharedArrayBufferId(Isolate* isolate, Local<SharedArrayBuffer> buffer) override {
    Local<Context> context = isolate->GetCurrentContext();
    for (uint32_t index = 0; index < shared->Length(); index++) {
      Local<Value> known;
      if (!shared->Get(context, index).ToLocal(&known)) return Nothing<uint32_t>();
      if (known == buffer) return Just(index);
    }
    return Append(context, shared, buffer);
  }

  Maybe<uint32_t> GetWasmModuleTransferId(Isolate* isolate, Local<v8::WasmModuleObject> module) override {
    return Append(isolate->GetCurrentContext(), modules, module);
  }

  void* ReallocateBufferMemory(void* block, size_t size, size_t* actual) override {
    void* moved = memory_->Reallocate(block, size);
    *actual = moved ? size : 0;
    return moved;
  }
  void FreeBufferMemory(void* block) override { memory_->Free(block); }

 private:
  Isolate* isolate_;
  std::shared_ptr<IsolateMemory> memory_;
  Local<Function> write_;
};

class Reader final : public v8::ValueDeserializer::Delegate {
 public:
  Reader(Baggage* baggage, Local<Function> read) : baggage_(baggage), read_(read) {}

  v8::ValueDeserializer* deserializer = nullptr;

  MaybeLocal<Object> ReadHostObject(Isolate* isolate) override {
    uint32_t id;
    if (!deserializer->ReadUint32(&id)) return {};
    Isolate::AllowJavascriptExecutionScope allow(isolate);
    Local<Value> arguments[] = {Integer::NewFromUnsigned(isolate, id)};
    Local<Value> object;
    if (!read_->Call(isolate->GetCurrentContext(), Undefined(isolate), 1, arguments).ToLocal(&object)) return {};
    if (object->IsObject()) return object.As<Object>();
    ThrowDataClone(isolate, Text(isolate, kCannotClone));
    return {};
  }

  MaybeLocal<SharedArrayBuffer> GetSharedArrayBufferFromId(Isolate* isolate, uint32_t id) override {
    if (id >= baggage_->shared.size()) return {};
    return SharedArrayBuffer::New(isolate, baggage_->shared[id]->GetBackingStore());
  }

  MaybeLocal<v8::WasmModuleObject> GetWasmModuleFromId(Isolate* isolate, uint32_t id) override {
    if (id >= baggage_->modules.size()) return {};
    return v8::WasmModuleObject::FromCompiledModule(isolate, baggage_->modules[id]->GetCompiledModule());
  }

 private:
  Baggage* baggage_;
  Local<Function> read_;
};

/** Takes the transferred buffers from their owners; false when one refuses. */
bool Detach(Isolate* isolate, Baggage* baggage) {
  for (Local<ArrayBuffer>& buffer : baggage->buffers) {
    if (!buffer->IsDetachable() || buffer->WasDetached()) {
      ThrowDataClone(isolate, Text(isolate, kCannotTransfer));
      return false;
    }
    std::shared_ptr<BackingStore> store = buffer->GetBackingStore();
    if (buffer->Detach(Local<Value>()).IsNothing()) return false;
    buffer = ArrayBuffer::New(isolate, std::move(store));
  }
  return true;
}

/** The entries of a list, each of which must pass `is`; false when it threw. */
template <typename T>
bool ReadList(Isolate* isolate, Local<Value> list, bool (Value::*is)() const, LocalVector<T>* into) {
  if (list->IsUndefined()) return true;
  if (!list->IsArray() || list.As<Array>()->Length() > kLongestList) {
    ThrowType(isolate, "must be an array of at most 65536 entries");
    return false;
  }
  for (uint32_t index = 0; index < list.As<Array>()->Length(); index++) {
    Local<Value> entry;
    if (!list.As<Array>()->Get(isolate->GetCurrentContext(), index).ToLocal(&entry)) return false;
    if (!((*entry)->*is)()) {
      ThrowType(isolate, "an entry of the list is of the wrong kind");
      return false;
    }
    into->push_back(entry.As<T>());
  }
  return true;
}

template <typename T>
Local<Array> MakeList(Isolate* isolate, LocalVector<T>& entries) {
  LocalVector<Value> values(isolate);
  for (Local<T> entry : entries) values.push_back(entry);
  return Array::New(isolate, values.data(), values.size());
}

/** Writes the value, then each that next() gives as [value]; false when something threw. */
bool WriteAll(Isolate* isolate, v8::ValueSerializer* serializer, Local<Value> value, Local<Function> next) {
  Local<Context> context = isolate->GetCurrentContext();
  serializer->WriteHeader();
  if (serializer->WriteValue(context, value).IsNothing()) return false;
  for (;;) {
    Local<Value> more;
    if (!next->Call(context, Undefined(isolate), 0, nullptr).ToLocal(&more)) return false;
    if (!more->IsArray()) return true;
    Local<Value> data;
    if (!more.As<Array>()->Get(context, 0).ToLocal(&data)) return false;
    if (serializer->WriteValue(context, data).IsNothing()) return false;
  }
}

/**
 * serialize(value, buffers, write, next) → [bytes, buffers, shared, modules]: `buffers` are detached and their memory
 * is in new ones; write(object) gives a number for each object with a transfer mode; next() gives [value] for each
 * further value of the message, undefined after the last.
 */
void Serialize(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  if (!args[2]->IsFunction() || !args[3]->IsFunction()) return ThrowType(isolate, "write and next must be functions");
  std::shared_ptr<IsolateMemory> memory = IsolateMemory::Current(isolate);
  if (!memory) return ThrowNoMemory(isolate);
  Baggage baggage(isolate);
  if (!ReadList(isolate, args[1], &Value::IsArrayBuffer, &baggage.buffers)) return;
  Writer writer(isolate, memory, args[2].As<Function>());
  v8::ValueSerializer serializer(isolate, &writer);
  writer.serializer = &serializer;
  for (size_t id = 0; id < baggage.buffers.size(); id++) {
    serializer.TransferArrayBuffer(static_cast<uint32_t>(id), baggage.buffers[id]);
  }
  if (!WriteAll(isolate, &serializer, args[0], args[3].As<Function>())) return;
  if (!Detach(isolate, &baggage)) return;
  std::pair<uint8_t*, size_t> written = serializer.Release();
  Local<Uint8Array> bytes;
  if (NewBytes(isolate, written.second).ToLocal(&bytes)) {
    if (written.second > 0) std::memcpy(bytes->Buffer()->Data(), written.first, written.second);
    Local<Value> parts[] = {bytes, MakeList(isolate, baggage.buffers), writer.shared, writer.modules};
    args.GetReturnValue().Set(Array::New(isolate, parts, 4));
  }
  memory->Free(written.first);
}

/** deserialize(bytes, buffers, shared, modules, read, count) → the value and `count` further values, as an array */
void Deserialize(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  Local<Context> context = isolate->GetCurrentContext();
  if (!args[4]->IsFunction() || !args[5]->IsUint32()) return ThrowType(isolate, "read must be a function");
  Baggage baggage(isolate);
  if (!ReadList(isolate, args[1], &Value::IsArrayBuffer, &baggage.buffers)) return;
  if (!ReadList(isolate, args[2], &Value::IsSharedArrayBuffer, &baggage.shared)) return;
  if (!ReadList(isolate, args[3], &Value::IsWasmModuleObject, &baggage.modules)) return;
  Bytes given(args[0]);
  if (!given.is_valid()) return ThrowType(isolate, "bytes must be bytes");
  // A copy: read() runs JavaScript, which may detach what it was given.
  std::vector<uint8_t> bytes(given.data(), given.data() + given.length());
  Reader reader(&baggage, args[4].As<Function>());
  v8::ValueDeserializer deserializer(isolate, bytes.data(), bytes.size(), &reader);
  reader.deserializer = &deserializer;
  for (size_t id = 0; id < baggage.buffers.size(); id++) {
    deserializer.TransferArrayBuffer(static_cast<uint32_t>(id), baggage.buffers[id]);
  }
  if (!deserializer.ReadHeader(context).FromMaybe(false)) return;
  LocalVector<Value> values(isolate);
  for (uint32_t left = args[5].As<Uint32>()->Value() + 1; left > 0; left--) {
    Local<Value> value;
    if (!deserializer.ReadValue(context).ToLocal(&value)) return;
    values.push_back(value);
  }
  args.GetReturnValue().Set(Array::New(isolate, values.data(), values.size()));
}

void SetDataCloneError(const Arguments& args) {
  if (!args[0]->IsFunction()) return ThrowType(args.GetIsolate(), "callback must be a function");
  SetStateValue(args.GetIsolate(), kDataCloneError, args[0]);
}

}  // namespace

void InstallClone(Local<Context> context, Local<Object> target) {
  SetMethod(context, target, "serialize", Serialize);
  SetMethod(context, target, "deserialize", Deserialize);
  SetMethod(context, target, "setDataCloneError", SetDataCloneError);
}

}  // namespace guest
