// internalBinding('serdes').Deserializer. It reads a copy of its buffer: the guest may detach or change its own.
#include "memory.h"
#include "wrapped.h"

namespace guest {
namespace {

class Deserializer final : public Wrapped, public v8::ValueDeserializer::Delegate {
 public:
  /** Takes `data`, a block of `memory`. */
  Deserializer(Isolate* isolate, Local<Object> object, std::shared_ptr<IsolateMemory> memory, uint8_t* data,
               size_t length)
      : Wrapped(isolate, object),
        memory_(std::move(memory)),
        data_(data),
        deserializer_(isolate, data, length, this) {}
  ~Deserializer() override { memory_->Free(data_); }

  v8::ValueDeserializer& deserializer() { return deserializer_; }
  const uint8_t* data() const { return data_; }

  MaybeLocal<Object> ReadHostObject(Isolate* isolate) override {
    Local<Context> context = isolate->GetCurrentContext();
    Local<Value> method;
    if (!object()->Get(context, Text(isolate, "_readHostObject")).ToLocal(&method)) return {};
    if (!method->IsFunction()) return Delegate::ReadHostObject(isolate);
    Isolate::AllowJavascriptExecutionScope allow(isolate);
    Local<Value> result;
    if (!method.As<Function>()->Call(context, object(), 0, nullptr).ToLocal(&result)) return {};
    if (result->IsObject()) return result.As<Object>();
    isolate->ThrowException(Exception::TypeError(Text(isolate, "readHostObject must return an object")));
    return {};
  }

 private:
  std::shared_ptr<IsolateMemory> memory_;
  uint8_t* data_;
  v8::ValueDeserializer deserializer_;
};

void ThrowFailed(const Arguments& args, const char* message) {
  args.GetIsolate()->ThrowException(Exception::Error(Text(args.GetIsolate(), message)));
}

void New(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  if (!args.IsConstructCall()) {
    return ThrowCode(isolate, ErrorKind::kTypeError, "ERR_CONSTRUCT_CALL_REQUIRED",
                     "Class constructor Deserializer cannot be invoked without 'new'");
  }
  Wrapped::Prepare(args.This());
  if (!args[0]->IsArrayBufferView()) return ThrowType(isolate, "buffer must be a TypedArray or a DataView");
  std::shared_ptr<IsolateMemory> memory = IsolateMemory::Current(isolate);
  Bytes bytes(args[0]);
  void* copy = memory ? memory->Reallocate(nullptr, bytes.length() + 1) : nullptr;
  if (copy == nullptr) return ThrowNoMemory(isolate);
  if (bytes.length() > 0) memcpy(copy, bytes.data(), bytes.length());
  new Deserializer(isolate, args.This(), std::move(memory), static_cast<uint8_t*>(copy), bytes.length());
  SetProperty(isolate->GetCurrentContext(), args.This(), "buffer", args[0]);
}

void ReadHeader(const Arguments& args) {
  auto* self = Wrapped::Of<Deserializer>(args);
  bool read;
  if (self && self->deserializer().ReadHeader(args.GetIsolate()->GetCurrentContext()).To(&read)) {
    args.GetReturnValue().Set(read);
  }
}

void ReadValue(const Arguments& args) {
  auto* self = Wrapped::Of<Deserializer>(args);
  Local<Value> value;
  if (self && self->deserializer().ReadValue(args.GetIsolate()->GetCurrentContext()).ToLocal(&value)) {
    args.GetReturnValue().Set(value);
  }
}

void TransferArrayBuffer(const Arguments& args) {
  auto* self = Wrapped::Of<Deserializer>(args);
  uint32_t id;
  if (!self || !args[0]->Uint32Value(args.GetIsolate()->GetCurrentContext()).To(&id)) return;
  if (args[1]->IsArrayBuffer()) return self->deserializer().TransferArrayBuffer(id, args[1].As<ArrayBuffer>());
  if (args[1]->IsSharedArrayBuffer()) {
    return self->deserializer().TransferSharedArrayBuffer(id, args[1].As<SharedArrayBuffer>());
  }
  ThrowType(args.GetIsolate(), "arrayBuffer must be an ArrayBuffer or SharedArrayBuffer");
}

void GetWireFormatVersion(const Arguments& args) {
  if (auto* self = Wrapped::Of<Deserializer>(args)) {
    args.GetReturnValue().Set(self->deserializer().GetWireFormatVersion());
  }
}

void ReadUint32(const Arguments& args) {
  auto* self = Wrapped::Of<Deserializer>(args);
  uint32_t value;
  if (!self) return;
  if (!self->deserializer().ReadUint32(&value)) return ThrowFailed(args, "ReadUint32() failed");
  args.GetReturnValue().Set(value);
}

void ReadUint64(const Arguments& args) {
  auto* self = Wrapped::Of<Deserializer>(args);
  uint64_t value;
  if (!self) return;
  if (!self->deserializer().ReadUint64(&value)) return ThrowFailed(args, "ReadUint64() failed");
  Isolate* isolate = args.GetIsolate();
  Local<Value> halves[] = {Integer::NewFromUnsigned(isolate, static_cast<uint32_t>(value >> 32)),
                           Integer::NewFromUnsigned(isolate, static_cast<uint32_t>(value))};
  args.GetReturnValue().Set(Array::New(isolate, halves, 2));
}

void ReadDouble(const Arguments& args) {
  auto* self = Wrapped::Of<Deserializer>(args);
  double value;
  if (!self) return;
  if (!self->deserializer().ReadDouble(&value)) return ThrowFailed(args, "ReadDouble() failed");
  args.GetReturnValue().Set(value);
}

/** _readRawBytes(length): where in the buffer they are */
void ReadRawBytes(const Arguments& args) {
  auto* self = Wrapped::Of<Deserializer>(args);
  int64_t length;
  if (!self || !args[0]->IntegerValue(args.GetIsolate()->GetCurrentContext()).To(&length)) return;
  const void* found;
  if (length < 0 || !self->deserializer().ReadRawBytes(static_cast<size_t>(length), &found)) {
    return ThrowFailed(args, "ReadRawBytes() failed");
  }
  args.GetReturnValue().Set(static_cast<uint32_t>(static_cast<const uint8_t*>(found) - self->data()));
}

}  // namespace

void InstallDeserializer(Local<Context> context, Local<Object> target) {
  Isolate* isolate = Isolate::GetCurrent();
  Local<FunctionTemplate> definition = FunctionTemplate::New(isolate, New);
  definition->InstanceTemplate()->SetInternalFieldCount(1);
  SetPrototypeMethod(isolate, definition, "readHeader", ReadHeader);
  SetPrototypeMethod(isolate, definition, "readValue", ReadValue);
  SetPrototypeMethod(isolate, definition, "getWireFormatVersion", GetWireFormatVersion);
  SetPrototypeMethod(isolate, definition, "transferArrayBuffer", TransferArrayBuffer);
  SetPrototypeMethod(isolate, definition, "readUint32", ReadUint32);
  SetPrototypeMethod(isolate, definition, "readUint64", ReadUint64);
  SetPrototypeMethod(isolate, definition, "readDouble", ReadDouble);
  SetPrototypeMethod(isolate, definition, "_readRawBytes", ReadRawBytes);
  definition->SetLength(1);
  definition->ReadOnlyPrototype();
  SetClass(context, target, "Deserializer", definition);
}

}  // namespace guest
