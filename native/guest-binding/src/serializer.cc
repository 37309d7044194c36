// internalBinding('serdes').Serializer: what v8.serialize() and 'advanced' IPC are made of.
#include "memory.h"
#include "wrapped.h"

namespace guest {
namespace {

class Serializer final : public Wrapped, public v8::ValueSerializer::Delegate {
 public:
  Serializer(Isolate* isolate, Local<Object> object, std::shared_ptr<IsolateMemory> memory)
      : Wrapped(isolate, object), memory_(std::move(memory)), serializer_(isolate, this) {}

  v8::ValueSerializer& serializer() { return serializer_; }
  IsolateMemory& memory() { return *memory_; }

  void* ReallocateBufferMemory(void* block, size_t size, size_t* actual) override {
    void* moved = memory_->Reallocate(block, size);
    *actual = moved ? size : 0;
    return moved;
  }

  void FreeBufferMemory(void* block) override { memory_->Free(block); }

  void ThrowDataCloneError(Local<String> message) override {
    Local<Value> error;
    Local<Value> arguments[] = {message};
    if (!Method("_getDataCloneError").ToLocal(&error)) return;
    if (!error->IsFunction()) {
      isolate()->ThrowException(Exception::Error(message));
      return;
    }
    if (error.As<Function>()->Call(Here(), object(), 1, arguments).ToLocal(&error)) isolate()->ThrowException(error);
  }

  Maybe<uint32_t> GetSharedArrayBufferId(Isolate* isolate, Local<SharedArrayBuffer> buffer) override {
    Local<Value> method;
    if (!Method("_getSharedArrayBufferId").ToLocal(&method)) return Nothing<uint32_t>();
    if (!method->IsFunction()) return Delegate::GetSharedArrayBufferId(isolate, buffer);
    Local<Value> id;
    Local<Value> arguments[] = {buffer};
    if (!method.As<Function>()->Call(Here(), object(), 1, arguments).ToLocal(&id)) return Nothing<uint32_t>();
    return id->Uint32Value(Here());
  }

  Maybe<bool> WriteHostObject(Isolate* isolate, Local<Object> input) override {
    Local<Value> method;
    if (!Method("_writeHostObject").ToLocal(&method)) return Nothing<bool>();
    if (!method->IsFunction()) return Delegate::WriteHostObject(isolate, input);
    Local<Value> arguments[] = {input};
    if (method.As<Function>()->Call(Here(), object(), 1, arguments).IsEmpty()) return Nothing<bool>();
    return Just(true);
  }

 private:
  Local<Context> Here() { return isolate()->GetCurrentContext(); }
  MaybeLocal<Value> Method(const char* name) { return object()->Get(Here(), Text(isolate(), name)); }

  std::shared_ptr<IsolateMemory> memory_;
  v8::ValueSerializer serializer_;
};

void New(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  if (!args.IsConstructCall()) {
    return ThrowCode(isolate, ErrorKind::kTypeError, "ERR_CONSTRUCT_CALL_REQUIRED",
                     "Class constructor Serializer cannot be invoked without 'new'");
  }
  Wrapped::Prepare(args.This());
  std::shared_ptr<IsolateMemory> memory = IsolateMemory::Current(isolate);
  if (!memory) return ThrowNoMemory(isolate);
  new Serializer(isolate, args.This(), std::move(memory));
}

void WriteHeader(const Arguments& args) {
  if (auto* self = Wrapped::Of<Serializer>(args)) self->serializer().WriteHeader();
}

void WriteValue(const Arguments& args) {
  auto* self = Wrapped::Of<Serializer>(args);
  bool written;
  if (self && self->serializer().WriteValue(args.GetIsolate()->GetCurrentContext(), args[0]).To(&written)) {
    args.GetReturnValue().Set(written);
  }
}

void ReleaseBuffer(const Arguments& args) {
  auto* self = Wrapped::Of<Serializer>(args);
  if (!self) return;
  Isolate* isolate = args.GetIsolate();
  std::pair<uint8_t*, size_t> released = self->serializer().Release();
  Local<Uint8Array> bytes;
  bool is_made = NewBytes(isolate, released.second).ToLocal(&bytes);
  if (is_made && released.second > 0) memcpy(Bytes(bytes).data(), released.first, released.second);
  if (released.first) self->memory().Free(released.first);
  if (!is_made) return;
  Local<Value> prototype = StateValue(isolate, kBufferPrototype);
  if (prototype->IsObject()) USE(bytes->SetPrototypeV2(isolate->GetCurrentContext(), prototype));
  args.GetReturnValue().Set(bytes);
}

void TransferArrayBuffer(const Arguments& args) {
  auto* self = Wrapped::Of<Serializer>(args);
  uint32_t id;
  if (!self || !args[0]->Uint32Value(args.GetIsolate()->GetCurrentContext()).To(&id)) return;
  if (!args[1]->IsArrayBuffer()) return ThrowType(args.GetIsolate(), "arrayBuffer must be an ArrayBuffer");
  self->serializer().TransferArrayBuffer(id, args[1].As<ArrayBuffer>());
}

void WriteUint32(const Arguments& args) {
  auto* self = Wrapped::Of<Serializer>(args);
  uint32_t value;
  if (self && args[0]->Uint32Value(args.GetIsolate()->GetCurrentContext()).To(&value)) {
    self->serializer().WriteUint32(value);
  }
}

void WriteUint64(const Arguments& args) {
  auto* self = Wrapped::Of<Serializer>(args);
  Local<Context> context = args.GetIsolate()->GetCurrentContext();
  uint32_t high;
  uint32_t low;
  if (!self || !args[0]->Uint32Value(context).To(&high) || !args[1]->Uint32Value(context).To(&low)) return;
  self->serializer().WriteUint64(static_cast<uint64_t>(high) << 32 | low);
}

void WriteDouble(const Arguments& args) {
  auto* self = Wrapped::Of<Serializer>(args);
  double value;
  if (self && args[0]->NumberValue(args.GetIsolate()->GetCurrentContext()).To(&value)) {
    self->serializer().WriteDouble(value);
  }
}

void WriteRawBytes(const Arguments& args) {
  auto* self = Wrapped::Of<Serializer>(args);
  if (!self) return;
  if (!args[0]->IsArrayBufferView()) return ThrowType(args.GetIsolate(), "source must be a TypedArray or a DataView");
  Bytes bytes(args[0]);
  if (bytes.length() > 0) self->serializer().WriteRawBytes(bytes.data(), bytes.length());
}

void TreatViewsAsHostObjects(const Arguments& args) {
  auto* self = Wrapped::Of<Serializer>(args);
  if (self) self->serializer().SetTreatArrayBufferViewsAsHostObjects(args[0]->BooleanValue(args.GetIsolate()));
}

}  // namespace

void InstallSerializer(Local<Context> context, Local<Object> target) {
  Isolate* isolate = Isolate::GetCurrent();
  Local<FunctionTemplate> definition = FunctionTemplate::New(isolate, New);
  definition->InstanceTemplate()->SetInternalFieldCount(1);
  SetPrototypeMethod(isolate, definition, "writeHeader", WriteHeader);
  SetPrototypeMethod(isolate, definition, "writeValue", WriteValue);
  SetPrototypeMethod(isolate, definition, "releaseBuffer", ReleaseBuffer);
  SetPrototypeMethod(isolate, definition, "transferArrayBuffer", TransferArrayBuffer);
  SetPrototypeMethod(isolate, definition, "writeUint32", WriteUint32);
  SetPrototypeMethod(isolate, definition, "writeUint64", WriteUint64);
  SetPrototypeMethod(isolate, definition, "writeDouble", WriteDouble);
  SetPrototypeMethod(isolate, definition, "writeRawBytes", WriteRawBytes);
  SetPrototypeMethod(isolate, definition, "_setTreatArrayBufferViewsAsHostObjects", TreatViewsAsHostObjects);
  definition->ReadOnlyPrototype();
  SetClass(context, target, "Serializer", definition);
}

}  // namespace guest
