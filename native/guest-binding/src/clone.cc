// structuredClone(value, transferList?): a value through V8's serialiser and back, within one isolate.
//
// Node's own cloneable objects (Blob, KeyObject, DOMException, MessagePort …) carry a private transfer mode;
// how they travel is JavaScript's business: see setCloneHooks.
#include <vector>

#include "memory.h"

namespace guest {
namespace {

constexpr char kInvalidTransfer[] = "Found invalid object in transferList";
constexpr char kCannotTransfer[] = "Cannot transfer object of unsupported type.";
constexpr char kCannotClone[] = "Cannot clone object of unsupported type.";
/** A transfer list longer than this is a mistake or an attack. */
constexpr uint32_t kLongestTransferList = 65536;

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

/** What one clone carries from its writing to its reading. */
struct Baggage {
  explicit Baggage(Isolate* isolate) : buffers(isolate), objects(isolate), shared(isolate) {}
  LocalVector<ArrayBuffer> buffers;
  LocalVector<Object> objects;
  LocalVector<SharedArrayBuffer> shared;
  std::vector<v8::CompiledWasmModule> modules;
};

class Writer final : public v8::ValueSerializer::Delegate {
 public:
  Writer(Isolate* isolate, Baggage* baggage, std::shared_ptr<IsolateMemory> memory)
      : isolate_(isolate), baggage_(baggage), memory_(std::move(memory)) {}

  v8::ValueSerializer* serializer = nullptr;

  void ThrowDataCloneError(Local<String> message) override { ThrowDataClone(isolate_, message); }
  bool HasCustomHostObject(Isolate*) override { return true; }
  Maybe<bool> IsHostObject(Isolate* isolate, Local<Object> object) override {
    return HasHidden(isolate, object, kTransferMode);
  }

  /** Asks the hook write(object, place in the transfer list or -1) for the number read() is given. */
  Maybe<bool> WriteHostObject(Isolate* isolate, Local<Object> object) override {
    Local<Context> context = isolate->GetCurrentContext();
    Local<Value> hook = StateValue(isolate, kCloneWrite);
    if (!hook->IsFunction() || !HasHidden(isolate, object, kTransferMode).FromMaybe(false)) {
      ThrowDataClone(isolate, Text(isolate, kCannotClone));
      return Nothing<bool>();
    }
    int place = -1;
    for (size_t index = 0; index < baggage_->objects.size(); index++) {
      if (baggage_->objects[index] == object) place = static_cast<int>(index);
    }
    Local<Value> arguments[] = {object, Integer::New(isolate, place)};
    Local<Value> id;
    if (!hook.As<Function>()->Call(context, Undefined(isolate), 2, arguments).ToLocal(&id)) return Nothing<bool>();
    if (!id->IsUint32()) {
      ThrowDataClone(isolate, Text(isolate, kCannotClone));
      return Nothing<bool>();
    }
    serializer->WriteUint32(id.As<Uint32>()->Value());
    return Just(true);
  }

  Maybe<uint32_t> GetSharedArrayBufferId(Isolate*, Local<SharedArrayBuffer> buffer) override {
    auto& shared = baggage_->shared;
    for (size_t index = 0; index < shared.size(); index++) {
      if (shared[index] == buffer) return Just(static_cast<uint32_t>(index));
    }
    shared.push_back(buffer);
    return Just(static_cast<uint32_t>(shared.size() - 1));
  }

  Maybe<uint32_t> GetWasmModuleTransferId(Isolate*, Local<v8::WasmModuleObject> module) override {
    baggage_->modules.push_back(module->GetCompiledModule());
    return Just(static_cast<uint32_t>(baggage_->modules.size() - 1));
  }

  void* ReallocateBufferMemory(void* block, size_t size, size_t* actual) override {
    void* moved = memory_->Reallocate(block, size);
    *actual = moved ? size : 0;
    return moved;
  }
  void FreeBufferMemory(void* block) override { memory_->Free(block); }

 private:
  Isolate* isolate_;
  Baggage* baggage_;
  std::shared_ptr<IsolateMemory> memory_;
};

class Reader final : public v8::ValueDeserializer::Delegate {
 public:
  explicit Reader(Baggage* baggage) : baggage_(baggage) {}

  v8::ValueDeserializer* deserializer = nullptr;

  MaybeLocal<Object> ReadHostObject(Isolate* isolate) override {
    uint32_t id;
    Local<Value> hook = StateValue(isolate, kCloneRead);
    if (!deserializer->ReadUint32(&id) || !hook->IsFunction()) return {};
    Isolate::AllowJavascriptExecutionScope allow(isolate);
    Local<Value> arguments[] = {Integer::NewFromUnsigned(isolate, id)};
    Local<Value> object;
    if (!hook.As<Function>()
             ->Call(isolate->GetCurrentContext(), Undefined(isolate), 1, arguments)
             .ToLocal(&object)) {
      return {};
    }
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
    return v8::WasmModuleObject::FromCompiledModule(isolate, baggage_->modules[id]);
  }

 private:
  Baggage* baggage_;
};

/** Sorts one entry of a transfer list; throws and gives false when it cannot be transferred. */
bool AddTransfer(Isolate* isolate, Local<Value> entry, Baggage* baggage) {
  const char* problem = nullptr;
  if (!entry->IsObject()) {
    problem = kInvalidTransfer;
  } else if (HasHidden(isolate, entry.As<Object>(), kUntransferable).FromMaybe(false)) {
    problem = kCannotTransfer;
  } else if (entry->IsArrayBuffer()) {
    Local<ArrayBuffer> buffer = entry.As<ArrayBuffer>();
    if (!buffer->IsDetachable() || buffer->WasDetached()) problem = kCannotTransfer;
    for (Local<ArrayBuffer> other : baggage->buffers) {
      if (other == buffer) problem = "Transfer list contains duplicate ArrayBuffer";
    }
    if (!problem) baggage->buffers.push_back(buffer);
  } else if (!HasHidden(isolate, entry.As<Object>(), kTransferMode).FromMaybe(false)) {
    problem = kInvalidTransfer;
  } else {
    baggage->objects.push_back(entry.As<Object>());
  }
  if (problem) ThrowDataClone(isolate, Text(isolate, problem));
  return problem == nullptr;
}

bool ReadTransferList(Isolate* isolate, Local<Value> list, Baggage* baggage) {
  Local<Context> context = isolate->GetCurrentContext();
  if (list->IsObject() && !list->IsArray()) {
    if (!list.As<Object>()->Get(context, Text(isolate, "transfer")).ToLocal(&list)) return false;
  }
  if (list->IsNullOrUndefined()) return true;
  if (!list->IsArray() || list.As<Array>()->Length() > kLongestTransferList) {
    ThrowType(isolate, "transferList must be an array of at most 65536 entries");
    return false;
  }
  for (uint32_t index = 0; index < list.As<Array>()->Length(); index++) {
    Local<Value> entry;
    if (!list.As<Array>()->Get(context, index).ToLocal(&entry)) return false;
    if (!AddTransfer(isolate, entry, baggage)) return false;
  }
  return true;
}

/** Takes the transferred buffers from their owners; false when one refuses. */
bool Detach(Isolate* isolate, Baggage* baggage, std::vector<std::shared_ptr<BackingStore>>* stores) {
  for (Local<ArrayBuffer> buffer : baggage->buffers) {
    if (!buffer->IsDetachable() || buffer->WasDetached()) {
      ThrowDataClone(isolate, Text(isolate, kCannotTransfer));
      return false;
    }
    stores->push_back(buffer->GetBackingStore());
    if (buffer->Detach(Local<Value>()).IsNothing()) return false;
  }
  return true;
}

void StructuredClone(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  Local<Context> context = isolate->GetCurrentContext();
  std::shared_ptr<IsolateMemory> memory = IsolateMemory::Current(isolate);
  if (!memory) return ThrowNoMemory(isolate);
  Baggage baggage(isolate);
  if (!ReadTransferList(isolate, args[1], &baggage)) return;
  Writer writer(isolate, &baggage, memory);
  v8::ValueSerializer serializer(isolate, &writer);
  writer.serializer = &serializer;
  for (size_t id = 0; id < baggage.buffers.size(); id++) {
    serializer.TransferArrayBuffer(static_cast<uint32_t>(id), baggage.buffers[id]);
  }
  serializer.WriteHeader();
  if (serializer.WriteValue(context, args[0]).IsNothing()) return;
  std::vector<std::shared_ptr<BackingStore>> stores;
  if (!Detach(isolate, &baggage, &stores)) return;
  std::pair<uint8_t*, size_t> written = serializer.Release();
  {
    Reader reader(&baggage);
    v8::ValueDeserializer deserializer(isolate, written.first, written.second, &reader);
    reader.deserializer = &deserializer;
    for (size_t id = 0; id < stores.size(); id++) {
      deserializer.TransferArrayBuffer(static_cast<uint32_t>(id), ArrayBuffer::New(isolate, std::move(stores[id])));
    }
    Local<Value> value;
    if (deserializer.ReadHeader(context).FromMaybe(false) && deserializer.ReadValue(context).ToLocal(&value)) {
      args.GetReturnValue().Set(value);
    }
  }
  memory->Free(written.first);
}

void SetDataCloneError(const Arguments& args) {
  if (!args[0]->IsFunction()) return ThrowType(args.GetIsolate(), "callback must be a function");
  SetStateValue(args.GetIsolate(), kDataCloneError, args[0]);
}

/** setCloneHooks(write, read): write(object, transferIndex) gives a number, read(number) the clone */
void SetCloneHooks(const Arguments& args) {
  if (!args[0]->IsFunction() || !args[1]->IsFunction()) return ThrowType(args.GetIsolate(), "takes two functions");
  SetStateValue(args.GetIsolate(), kCloneWrite, args[0]);
  SetStateValue(args.GetIsolate(), kCloneRead, args[1]);
}

}  // namespace

void InstallClone(Local<Context> context, Local<Object> target) {
  SetMethod(context, target, "structuredClone", StructuredClone);
  SetMethod(context, target, "setDataCloneError", SetDataCloneError);
  SetMethod(context, target, "setCloneHooks", SetCloneHooks);
}

}  // namespace guest
