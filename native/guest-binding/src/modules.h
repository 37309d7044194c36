// ModuleWrap: the object that stands for one of V8's modules.
#ifndef GUEST_MODULES_H
#define GUEST_MODULES_H

#include "code.h"

namespace guest {

/** The internal fields of a ModuleWrap. */
enum ModuleField : int {
  kModule,
  kModuleSource,
  kModuleSteps,
  /** An object made in the module's context: a context itself cannot be kept in a field. */
  kModuleContext,
  /** An array, one ModuleWrap for each request; undefined before link(). */
  kModuleLinked,
  kModuleFields,
};

/** The module of a ModuleWrap; empty for anything else. */
Local<v8::Module> ModuleOf(Isolate* isolate, Local<Value> wrap);
/** The ModuleWrap of a module; empty when it is collected or was never made. */
Local<Object> WrapOf(Isolate* isolate, Local<v8::Module> module);
/** Makes WrapOf find a new ModuleWrap, weakly. False when it threw. */
bool RememberWrap(Isolate* isolate, Local<v8::Module> module, Local<Object> wrap);

/** The attributes of an import as a frozen object; V8 gives `step` entries for each. */
MaybeLocal<Object> ImportAttributes(Isolate* isolate, Local<v8::FixedArray> raw, int step);
/** Node's number for V8's phase of an import. */
int PhaseNumber(v8::ModuleImportPhase phase);
constexpr int kSourcePhase = 1;
constexpr int kDeferPhase = 2;
constexpr int kEvaluationPhase = 3;

MaybeLocal<v8::Module> ResolveImport(Local<Context> context, size_t index, Local<v8::Module> referrer);
MaybeLocal<Object> ResolveSourceImport(Local<Context> context, size_t index, Local<v8::Module> referrer);
MaybeLocal<Value> RunSyntheticSteps(Local<Context> context, Local<v8::Module> module);

void ThrowNoSource(Isolate* isolate, Local<Object> wrap);
/** Throws a rejected promise's reason, which counts as handled then; true when it did. */
bool ThrowRejection(Isolate* isolate, Local<Promise> promise);

void InstallModuleMethods(Isolate* isolate, Local<FunctionTemplate> definition);

}  // namespace guest

#endif
