// The module's state, and the small things all its parts use.
#include "binding.h"

namespace guest {

const HiddenKey kContextifyContext = {"contextify_context_private_symbol", "node:contextify:context",
                                      kKeyContextifyContext};
const HiddenKey kHostDefinedOption = {"host_defined_option_symbol", "node:host_defined_option_symbol",
                                      kKeyHostDefinedOption};
const HiddenKey kTransferMode = {"transfer_mode_private_symbol", "node:transfer_mode", kKeyTransferMode};
const HiddenKey kUntransferable = {"untransferable_object_private_symbol", "node:untransferableObject",
                                   kKeyUntransferable};
const HiddenKey kArrowMessage = {"arrow_message_private_symbol", "node:arrowMessage", kKeyArrowMessage};
const HiddenKey kDecorated = {"decorated_private_symbol", "node:decorated", kKeyDecorated};
const HiddenKey kSourceMapData = {"source_map_data_private_symbol", "node:source_map_data_private_symbol",
                                  kKeySourceMapData};
const HiddenKey kImportedCjs = {"imported_cjs_symbol", "node:imported_cjs", kKeyImportedCjs};

Local<Object> StateOf(Local<Context> context) {
  if (context.IsEmpty() || context->GetNumberOfEmbedderDataFields() <= kStateIndex) return {};
  Local<Data> data = context->GetEmbedderDataV2(kStateIndex);
  if (data.IsEmpty() || !data->IsValue()) return {};
  Local<Value> value = data.As<Value>();
  if (!value->IsObject() || value.As<Object>()->InternalFieldCount() != kStateSlots) return {};
  return value.As<Object>();
}

Local<Object> CurrentState(Isolate* isolate) {
  return StateOf(isolate->GetCurrentContext());
}

Local<Value> StateValue(Isolate* isolate, StateSlot slot) {
  Local<Object> state = CurrentState(isolate);
  if (state.IsEmpty()) return Undefined(isolate);
  Local<Data> data = state->GetInternalField(slot);
  return data->IsValue() ? data.As<Value>() : Undefined(isolate).As<Value>();
}

void SetStateValue(Isolate* isolate, StateSlot slot, Local<Data> value) {
  Local<Object> state = CurrentState(isolate);
  if (!state.IsEmpty()) state->SetInternalField(slot, value);
}

Local<Private> PrivateSymbol(Isolate* isolate, const char* description) {
  return Private::ForApi(isolate, Text(isolate, description));
}

/** The private symbol a key stands for: that of setSymbols, else one of V8's registry. Empty where it is a plain one. */
static Local<Private> HiddenSymbol(Isolate* isolate, const HiddenKey& key, Local<Value>* plain) {
  Local<Object> state = CurrentState(isolate);
  if (!state.IsEmpty()) {
    Local<Data> data = state->GetInternalField(key.slot);
    if (data->IsPrivate()) return data.As<Private>();
    if (data->IsValue() && data.As<Value>()->IsSymbol()) {
      *plain = data.As<Value>();
      return {};
    }
  }
  return PrivateSymbol(isolate, key.description);
}

Maybe<bool> HasHidden(Isolate* isolate, Local<Object> object, const HiddenKey& key) {
  Local<Context> context = isolate->GetCurrentContext();
  Local<Value> plain;
  Local<Private> hidden = HiddenSymbol(isolate, key, &plain);
  if (hidden.IsEmpty()) return object->HasOwnProperty(context, plain.As<Name>());
  return object->HasPrivate(context, hidden);
}

MaybeLocal<Value> GetHidden(Isolate* isolate, Local<Object> object, const HiddenKey& key) {
  Local<Context> context = isolate->GetCurrentContext();
  Local<Value> plain;
  Local<Private> hidden = HiddenSymbol(isolate, key, &plain);
  if (hidden.IsEmpty()) return object->Get(context, plain);
  return object->GetPrivate(context, hidden);
}

Maybe<bool> SetHidden(Isolate* isolate, Local<Object> object, const HiddenKey& key, Local<Value> value) {
  Local<Context> context = isolate->GetCurrentContext();
  Local<Value> plain;
  Local<Private> hidden = HiddenSymbol(isolate, key, &plain);
  if (hidden.IsEmpty()) {
    return object->DefineOwnProperty(context, plain.As<Name>(), value, v8::PropertyAttribute::DontEnum);
  }
  return object->SetPrivate(context, hidden, value);
}

static void Define(Local<Context> context, Local<Object> target, const char* name, FunctionCallback callback,
                   v8::SideEffectType effect) {
  Local<Function> function;
  if (!Function::New(context, callback, {}, 0, v8::ConstructorBehavior::kThrow, effect).ToLocal(&function)) return;
  function->SetName(Text(Isolate::GetCurrent(), name));
  SetProperty(context, target, name, function);
}

void SetMethod(Local<Context> context, Local<Object> target, const char* name, FunctionCallback callback) {
  Define(context, target, name, callback, v8::SideEffectType::kHasSideEffect);
}

void SetPure(Local<Context> context, Local<Object> target, const char* name, FunctionCallback callback) {
  Define(context, target, name, callback, v8::SideEffectType::kHasNoSideEffect);
}

void SetProperty(Local<Context> context, Local<Object> target, const char* name, Local<Value> value) {
  target->Set(context, Text(Isolate::GetCurrent(), name), value).FromMaybe(false);
}

void SetPrototypeMethod(Isolate* isolate, Local<FunctionTemplate> target, const char* name,
                        FunctionCallback callback) {
  Local<v8::Signature> signature = v8::Signature::New(isolate, target);
  Local<FunctionTemplate> method =
      FunctionTemplate::New(isolate, callback, {}, signature, 0, v8::ConstructorBehavior::kThrow);
  Local<String> text = Text(isolate, name);
  method->SetClassName(text);
  target->PrototypeTemplate()->Set(text, method);
}

void SetClass(Local<Context> context, Local<Object> target, const char* name, Local<FunctionTemplate> definition) {
  definition->SetClassName(Text(Isolate::GetCurrent(), name));
  Local<Function> function;
  if (definition->GetFunction(context).ToLocal(&function)) SetProperty(context, target, name, function);
}

void ThrowCode(Isolate* isolate, ErrorKind kind, const char* code, const char* message) {
  Local<String> text = Text(isolate, message);
  Local<Value> error = kind == ErrorKind::kTypeError    ? Exception::TypeError(text)
                       : kind == ErrorKind::kRangeError ? Exception::RangeError(text)
                                                        : Exception::Error(text);
  SetProperty(isolate->GetCurrentContext(), error.As<Object>(), "code", Text(isolate, code));
  isolate->ThrowException(error);
}

void ThrowType(Isolate* isolate, const char* message) {
  ThrowCode(isolate, ErrorKind::kTypeError, "ERR_INVALID_ARG_TYPE", message);
}

void ThrowStringTooLong(Isolate* isolate) {
  ThrowCode(isolate, ErrorKind::kError, "ERR_STRING_TOO_LONG",
            "Cannot create a string longer than 0x1fffffe8 characters");
}

void ThrowNoMemory(Isolate* isolate) {
  ThrowCode(isolate, ErrorKind::kError, "ERR_MEMORY_ALLOCATION_FAILED", "Failed to allocate memory");
}

Bytes::Bytes(Local<Value> value) {
  is_valid_ = true;
  if (value->IsArrayBufferView()) {
    Local<ArrayBufferView> view = value.As<ArrayBufferView>();
    Local<ArrayBuffer> buffer = view->Buffer();
    is_shared_ = buffer->IsSharedArrayBuffer();
    length_ = view->ByteLength();
    char* start = static_cast<char*>(buffer->Data());
    data_ = start == nullptr ? nullptr : start + view->ByteOffset();
  } else if (value->IsArrayBuffer()) {
    data_ = static_cast<char*>(value.As<ArrayBuffer>()->Data());
    length_ = value.As<ArrayBuffer>()->ByteLength();
  } else if (value->IsSharedArrayBuffer()) {
    is_shared_ = true;
    data_ = static_cast<char*>(value.As<SharedArrayBuffer>()->Data());
    length_ = value.As<SharedArrayBuffer>()->ByteLength();
  } else {
    is_valid_ = false;
  }
  if (data_ == nullptr) length_ = 0;
}

bool ReadIndex(Isolate* isolate, Local<Value> value, size_t fallback, size_t* into) {
  if (value->IsUndefined()) {
    *into = fallback;
    return true;
  }
  int64_t index;
  if (!value->IntegerValue(isolate->GetCurrentContext()).To(&index)) return false;
  if (index < 0) {
    ThrowCode(isolate, ErrorKind::kRangeError, "ERR_OUT_OF_RANGE", "Index out of range");
    return false;
  }
  *into = static_cast<size_t>(index);
  return true;
}

bool Continue(Isolate* isolate, size_t bytes) {
  constexpr size_t kBytesBetweenChecks = 256 * 1024;
  thread_local size_t done = 0;
  done += bytes;
  if (done < kBytesBetweenChecks) return true;
  done = 0;
  Local<Value> check = StateValue(isolate, kInterruptCheck);
  if (!check->IsFunction()) return true;
  return !check.As<Function>()->Call(isolate->GetCurrentContext(), Undefined(isolate), 0, nullptr).IsEmpty();
}

MaybeLocal<Uint8Array> NewBytes(Isolate* isolate, size_t length) {
  std::unique_ptr<BackingStore> store =
      ArrayBuffer::NewBackingStore(isolate, length, v8::BackingStoreInitializationMode::kUninitialized,
                                   v8::BackingStoreOnFailureMode::kReturnNull);
  if (!store) {
    ThrowNoMemory(isolate);
    return {};
  }
  return Uint8Array::New(ArrayBuffer::New(isolate, std::move(store)), 0, length);
}

}  // namespace guest
