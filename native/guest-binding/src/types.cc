// internalBinding('types').
#include "binding.h"

namespace guest {
namespace {

#define EACH_TYPE(V)                                                                                       \
  V(ArgumentsObject) V(ArrayBuffer) V(ArrayBufferView) V(AsyncFunction) V(BigIntObject) V(BooleanObject)   \
  V(DataView) V(Date) V(External) V(GeneratorFunction) V(GeneratorObject) V(Map) V(MapIterator)            \
  V(ModuleNamespaceObject) V(NativeError) V(NumberObject) V(Promise) V(Proxy) V(RegExp) V(Set)             \
  V(SetIterator) V(SharedArrayBuffer) V(StringObject) V(SymbolObject) V(TypedArray) V(Uint8Array)          \
  V(WeakMap) V(WeakSet)

#define V(type)                                    \
  void Is##type(const Arguments& args) {           \
    args.GetReturnValue().Set(args[0]->Is##type()); \
  }
EACH_TYPE(V)
#undef V

void IsAnyArrayBuffer(const Arguments& args) {
  args.GetReturnValue().Set(args[0]->IsArrayBuffer() || args[0]->IsSharedArrayBuffer());
}

void IsBoxedPrimitive(const Arguments& args) {
  Local<Value> value = args[0];
  args.GetReturnValue().Set(value->IsNumberObject() || value->IsStringObject() || value->IsBooleanObject() ||
                            value->IsBigIntObject() || value->IsSymbolObject());
}

}  // namespace

void InstallTypes(Local<Context> context, Local<Object> target) {
#define V(type) SetPure(context, target, "is" #type, Is##type);
  EACH_TYPE(V)
#undef V
  SetPure(context, target, "isAnyArrayBuffer", IsAnyArrayBuffer);
  SetPure(context, target, "isBoxedPrimitive", IsBoxedPrimitive);
}

}  // namespace guest
