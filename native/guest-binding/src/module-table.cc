// From a module of V8's to its ModuleWrap: a Map by V8's hash of the module, to arrays of WeakRefs. All of it is on
// the isolate's heap, made of the language's own parts as they were before any guest code ran.
#include "modules.h"

namespace guest {
namespace {

Local<Object> Deref(Isolate* isolate, Local<Value> reference) {
  Local<Value> deref = StateValue(isolate, kWeakRefDeref);
  Local<Value> object;
  if (!deref->IsFunction() || !reference->IsObject()) return {};
  if (!deref.As<Function>()->Call(isolate->GetCurrentContext(), reference, 0, nullptr).ToLocal(&object)) return {};
  return object->IsObject() ? object.As<Object>() : Local<Object>();
}

}  // namespace

Local<v8::Module> ModuleOf(Isolate* isolate, Local<Value> wrap) {
  Local<Object> state = CurrentState(isolate);
  if (state.IsEmpty() || !wrap->IsObject()) return {};
  Local<Data> definition = state->GetInternalField(kModuleWrapTemplate);
  if (definition->IsValue() || !definition.As<FunctionTemplate>()->HasInstance(wrap)) return {};
  Local<Data> module = wrap.As<Object>()->GetInternalField(kModule);
  return module->IsModule() ? module.As<v8::Module>() : Local<v8::Module>();
}

Local<Object> WrapOf(Isolate* isolate, Local<v8::Module> module) {
  Local<Context> context = isolate->GetCurrentContext();
  Local<Value> table = StateValue(isolate, kModuleTable);
  Local<Value> bucket;
  if (!table->IsMap()) return {};
  Local<Value> key = Integer::New(isolate, module->GetIdentityHash());
  if (!table.As<v8::Map>()->Get(context, key).ToLocal(&bucket) || !bucket->IsArray()) return {};
  for (uint32_t at = 0; at < bucket.As<Array>()->Length(); at++) {
    Local<Value> reference;
    if (!bucket.As<Array>()->Get(context, at).ToLocal(&reference)) return {};
    Local<Object> wrap = Deref(isolate, reference);
    if (!wrap.IsEmpty() && ModuleOf(isolate, wrap) == module) return wrap;
  }
  return {};
}

bool RememberWrap(Isolate* isolate, Local<v8::Module> module, Local<Object> wrap) {
  Local<Context> context = isolate->GetCurrentContext();
  Local<Value> make = StateValue(isolate, kWeakRef);
  Local<Value> table = StateValue(isolate, kModuleTable);
  if (!make->IsFunction() || !table->IsMap()) return false;
  Local<Value> arguments[] = {wrap};
  Local<Object> reference;
  if (!make.As<Function>()->NewInstance(context, 1, arguments).ToLocal(&reference)) return false;
  Local<Value> key = Integer::New(isolate, module->GetIdentityHash());
  Local<Value> bucket;
  if (!table.As<v8::Map>()->Get(context, key).ToLocal(&bucket)) return false;
  LocalVector<Value> kept(isolate);
  for (uint32_t at = 0; bucket->IsArray() && at < bucket.As<Array>()->Length(); at++) {
    Local<Value> other;
    if (!bucket.As<Array>()->Get(context, at).ToLocal(&other)) return false;
    if (!Deref(isolate, other).IsEmpty()) kept.push_back(other);
  }
  kept.push_back(reference);
  return !table.As<v8::Map>()->Set(context, key, Array::New(isolate, kept.data(), kept.size())).IsEmpty();
}

}  // namespace guest
