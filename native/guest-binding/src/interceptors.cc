// The global object of a context made by vm.createContext(object): what it has is what the object has, then what
// the language has. The rules are Node's, src/node_contextify.cc, down to what it leaves to V8.
#include "interceptors.h"

#include "code.h"

namespace guest {
namespace {

using v8::Intercepted;
using v8::PropertyCallbackInfo;

/** The context an accessed global belongs to, and the object behind it; none while it is being made. */
struct Place {
  Local<Context> context;
  Local<Object> sandbox;
  bool is_ready = false;

  explicit Place(Local<Object> holder) {
    if (!holder->GetCreationContext(Isolate::GetCurrent()).ToLocal(&context)) return;
    if (context->GetNumberOfEmbedderDataFields() <= kSandboxIndex) return;
    Local<Data> data = context->GetEmbedderDataV2(kSandboxIndex);
    if (data.IsEmpty() || !data->IsValue() || !data.As<Value>()->IsObject()) return;
    sandbox = data.As<Value>().As<Object>();
    is_ready = true;
  }
  Local<Object> global() const { return context->Global(); }
};

Local<Name> NameOf(Isolate* isolate, uint32_t index) {
  Local<String> name;
  if (Integer::NewFromUnsigned(isolate, index)->ToString(isolate->GetCurrentContext()).ToLocal(&name)) return name;
  return String::Empty(isolate);
}

Intercepted Query(Local<Name> name, const PropertyCallbackInfo<Integer>& info) {
  Place place(info.HolderV2());
  if (!place.is_ready) return Intercepted::kNo;
  v8::PropertyAttribute attributes;
  bool has;
  if (!place.sandbox->HasOwnProperty(place.context, name).To(&has)) return Intercepted::kNo;
  if (has) {
    if (!place.sandbox->GetPropertyAttributes(place.context, name).To(&attributes)) return Intercepted::kNo;
  } else {
    if (!place.global()->HasRealNamedProperty(place.context, name).FromMaybe(false)) return Intercepted::kNo;
    if (!place.global()->GetRealNamedPropertyAttributes(place.context, name).To(&attributes)) return Intercepted::kNo;
  }
  info.GetReturnValue().Set(attributes);
  return Intercepted::kYes;
}

Intercepted Get(Local<Name> name, const PropertyCallbackInfo<Value>& info) {
  Place place(info.HolderV2());
  if (!place.is_ready) return Intercepted::kNo;
  TryCatch caught(info.GetIsolate());
  MaybeLocal<Value> found = place.sandbox->GetRealNamedProperty(place.context, name);
  if (found.IsEmpty()) found = place.global()->GetRealNamedProperty(place.context, name);
  Local<Value> value;
  if (found.ToLocal(&value)) {
    if (caught.HasCaught() && !caught.HasTerminated()) caught.ReThrow();
    info.GetReturnValue().Set(value == place.sandbox ? place.global().As<Value>() : value);
    return Intercepted::kYes;
  }
  // An accessor of the object threw: Node, too, goes on as if the property were not there.
  return Intercepted::kNo;
}

bool HasAccessor(Local<Context> context, Local<Object> object, Local<Name> name) {
  Isolate* isolate = Isolate::GetCurrent();
  Local<Value> found;
  if (!object->GetOwnPropertyDescriptor(context, name).ToLocal(&found) || !found->IsObject()) return false;
  Local<Object> descriptor = found.As<Object>();
  return descriptor->HasOwnProperty(context, Text(isolate, "get")).FromMaybe(false) ||
         descriptor->HasOwnProperty(context, Text(isolate, "set")).FromMaybe(false);
}

Intercepted Set(Local<Name> name, Local<Value> value, const PropertyCallbackInfo<void>& info) {
  Place place(info.HolderV2());
  if (!place.is_ready) return Intercepted::kNo;
  v8::PropertyAttribute attributes = v8::None;
  bool is_on_global = place.global()->GetRealNamedPropertyAttributes(place.context, name).To(&attributes);
  bool is_read_only = (attributes & v8::ReadOnly) != 0;
  bool is_on_sandbox = place.sandbox->GetRealNamedPropertyAttributes(place.context, name).To(&attributes);
  if (is_read_only || (attributes & v8::ReadOnly) != 0) return Intercepted::kNo;
  if (!is_on_global && !is_on_sandbox && name->IsSymbol()) return Intercepted::kNo;
  if (place.sandbox->Set(place.context, name, value).IsNothing()) return Intercepted::kNo;
  bool is_done = is_on_sandbox && HasAccessor(place.context, place.sandbox, name);
  return is_done ? Intercepted::kYes : Intercepted::kNo;
}

Intercepted Describe(Local<Name> name, const PropertyCallbackInfo<Value>& info) {
  Place place(info.HolderV2());
  if (!place.is_ready || !place.sandbox->HasOwnProperty(place.context, name).FromMaybe(false)) return Intercepted::kNo;
  Local<Value> descriptor;
  if (!place.sandbox->GetOwnPropertyDescriptor(place.context, name).ToLocal(&descriptor)) return Intercepted::kNo;
  info.GetReturnValue().Set(descriptor);
  return Intercepted::kYes;
}

bool DefineCopy(const Place& place, Local<Name> name, const v8::PropertyDescriptor& from, v8::PropertyDescriptor& copy) {
  if (from.has_enumerable()) copy.set_enumerable(from.enumerable());
  if (from.has_configurable()) copy.set_configurable(from.configurable());
  return place.sandbox->DefineProperty(place.context, name, copy).FromMaybe(false);
}

bool DefineOn(const Place& place, Local<Name> name, const v8::PropertyDescriptor& from) {
  Local<Value> undefined = Undefined(Isolate::GetCurrent());
  if (from.has_get() || from.has_set()) {
    v8::PropertyDescriptor copy(from.has_get() ? from.get() : undefined, from.has_set() ? from.set() : undefined);
    return DefineCopy(place, name, from, copy);
  }
  if (from.has_value() && from.has_writable()) {
    v8::PropertyDescriptor copy(from.value(), from.writable());
    return DefineCopy(place, name, from, copy);
  }
  if (from.has_value()) {
    v8::PropertyDescriptor copy(from.value());
    return DefineCopy(place, name, from, copy);
  }
  v8::PropertyDescriptor copy;
  return DefineCopy(place, name, from, copy);
}

Intercepted DefineProperty(Local<Name> name, const v8::PropertyDescriptor& descriptor,
                           const PropertyCallbackInfo<void>& info) {
  Place place(info.HolderV2());
  if (!place.is_ready) return Intercepted::kNo;
  v8::PropertyAttribute attributes = v8::None;
  bool is_declared = place.global()->GetRealNamedPropertyAttributes(place.context, name).To(&attributes);
  bool is_fixed = (attributes & v8::ReadOnly) != 0 && (attributes & v8::DontDelete) != 0;
  if (is_declared && is_fixed) return Intercepted::kNo;
  return DefineOn(place, name, descriptor) ? Intercepted::kYes : Intercepted::kNo;
}

Intercepted Delete(Local<Name> name, const PropertyCallbackInfo<Boolean>& info) {
  Place place(info.HolderV2());
  if (!place.is_ready || place.sandbox->Delete(place.context, name).FromMaybe(false)) return Intercepted::kNo;
  info.GetReturnValue().Set(false);
  return Intercepted::kYes;
}

void Enumerate(const PropertyCallbackInfo<Array>& info) {
  Place place(info.HolderV2());
  Local<Array> names;
  if (place.is_ready && place.sandbox
                            ->GetPropertyNames(place.context, v8::KeyCollectionMode::kOwnOnly, v8::ALL_PROPERTIES,
                                               v8::IndexFilter::kSkipIndices)
                            .ToLocal(&names)) {
    info.GetReturnValue().Set(names);
  }
}

Intercepted QueryIndex(uint32_t index, const PropertyCallbackInfo<Integer>& info) {
  return Query(NameOf(info.GetIsolate(), index), info);
}

Intercepted GetIndex(uint32_t index, const PropertyCallbackInfo<Value>& info) {
  return Get(NameOf(info.GetIsolate(), index), info);
}

Intercepted SetIndex(uint32_t index, Local<Value> value, const PropertyCallbackInfo<void>& info) {
  return Set(NameOf(info.GetIsolate(), index), value, info);
}

Intercepted DescribeIndex(uint32_t index, const PropertyCallbackInfo<Value>& info) {
  return Describe(NameOf(info.GetIsolate(), index), info);
}

Intercepted DefineIndex(uint32_t index, const v8::PropertyDescriptor& descriptor,
                        const PropertyCallbackInfo<void>& info) {
  return DefineProperty(NameOf(info.GetIsolate(), index), descriptor, info);
}

Intercepted DeleteIndex(uint32_t index, const PropertyCallbackInfo<Boolean>& info) {
  return Delete(NameOf(info.GetIsolate(), index), info);
}

void EnumerateIndices(const PropertyCallbackInfo<Array>& info) {
  Isolate* isolate = info.GetIsolate();
  Place place(info.HolderV2());
  Local<Array> names;
  if (!place.is_ready || !place.sandbox
                              ->GetPropertyNames(place.context, v8::KeyCollectionMode::kOwnOnly, v8::SKIP_SYMBOLS,
                                                 v8::IndexFilter::kIncludeIndices)
                              .ToLocal(&names)) {
    return;
  }
  LocalVector<Value> indices(isolate);
  for (uint32_t at = 0; at < names->Length(); at++) {
    Local<Value> name;
    if (!names->Get(place.context, at).ToLocal(&name)) return;
    if (name->IsNumber()) indices.push_back(name);
  }
  info.GetReturnValue().Set(Array::New(isolate, indices.data(), indices.size()));
}

}  // namespace

void SetInterceptors(Local<ObjectTemplate> global) {
  auto flags = static_cast<v8::PropertyHandlerFlags>(
      static_cast<int>(v8::PropertyHandlerFlags::kHasNoSideEffect) |
      static_cast<int>(v8::PropertyHandlerFlags::kHasDontDeleteProperty));
  global->SetHandler(v8::NamedPropertyHandlerConfiguration(Get, Set, Query, Delete, Enumerate, DefineProperty, Describe,
                                                           {}, flags));
  global->SetHandler(v8::IndexedPropertyHandlerConfiguration(GetIndex, SetIndex, QueryIndex, DeleteIndex,
                                                             EnumerateIndices, DefineIndex, DescribeIndex, {}, flags));
}

}  // namespace guest
