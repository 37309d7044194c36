// Making a ModuleWrap, and internalBinding('module_wrap')'s constants.
#include "modules.h"

namespace guest {
namespace {

using v8::Module;
using v8::ScriptCompiler;

/** More exports than this no module has. */
constexpr uint32_t kMostExports = 1 << 20;

/** A module of exports that JavaScript sets: new ModuleWrap(url, context, exportNames, evaluationSteps, cjsModule) */
MaybeLocal<Module> MakeSynthetic(Isolate* isolate, const Arguments& args) {
  Local<Array> names = args[2].As<Array>();
  if (!args[3]->IsFunction() || names->Length() > kMostExports) {
    ThrowType(isolate, "a synthetic module takes export names and a function");
    return {};
  }
  LocalVector<String> exports(isolate);
  for (uint32_t at = 0; at < names->Length(); at++) {
    Local<Value> name;
    if (!names->Get(isolate->GetCurrentContext(), at).ToLocal(&name)) return {};
    if (!name->IsString()) {
      ThrowType(isolate, "an export's name must be a string");
      return {};
    }
    exports.push_back(name.As<String>());
  }
  return Module::CreateSyntheticModule(isolate, args[0].As<String>(), {exports.data(), exports.size()},
                                       RunSyntheticSteps);
}

/** new ModuleWrap(url, context, source, lineOffset, columnOffset, idSymbol or cachedData) */
MaybeLocal<Module> MakeSourceText(Isolate* isolate, const Arguments& args) {
  if (!args[2]->IsString() || !args[3]->IsNumber() || !args[4]->IsNumber()) {
    ThrowType(isolate, "a module takes its source and two offsets");
    return {};
  }
  Local<Symbol> id = args[5]->IsSymbol() ? args[5].As<Symbol>() : Symbol::New(isolate, args[0].As<String>());
  if (SetHidden(isolate, args.This(), kHostDefinedOption, id).IsNothing()) return {};
  v8::ScriptOrigin origin(args[0], ReadInt(args[3]), ReadInt(args[4]), true, -1, Local<Value>(), false, false, true,
                          HostDefinedOptions(isolate, id));
  TryCatch caught(isolate);
  Local<Module> module;
  // Cached data of a guest is never used (see RefusedCachedData); to refuse it here would be to refuse the module.
  bool is_rejected = false;
  if (!CompileModule(isolate, args[2].As<String>(), origin, nullptr, &is_rejected).ToLocal(&module)) {
    if (caught.HasTerminated()) return {};
    AppendArrow(isolate, caught.Exception(), caught.Message());
    caught.ReThrow();
    return {};
  }
  return module;
}

/** Sets what Node's JavaScript reads of a ModuleWrap. */
bool Describe(Isolate* isolate, Local<Object> self, Local<Module> module, const Arguments& args) {
  Local<Context> context = isolate->GetCurrentContext();
  bool is_synthetic = !module->IsSourceTextModule();
  auto set = [&](const char* name, Local<Value> value) {
    return self->Set(context, Text(isolate, name), value).IsJust();
  };
  if (!is_synthetic) {
    Local<v8::UnboundModuleScript> script = module->GetUnboundModuleScript();
    if (!set("hasTopLevelAwait", Boolean::New(isolate, module->HasTopLevelAwait()))) return false;
    if (!set("sourceURL", script->GetSourceURL()) || !set("sourceMapURL", script->GetSourceMappingURL())) return false;
  }
  if (!set("synthetic", Boolean::New(isolate, is_synthetic)) || !set("url", args[0])) return false;
  Local<Value> cjs = StateValue(isolate, kImportedCjs.slot);
  if (is_synthetic && args[4]->IsObject() && cjs->IsSymbol() && self->Set(context, cjs, args[4]).IsNothing()) {
    return false;
  }
  // Room for a source map: Node freezes the object afterwards.
  return SetHidden(isolate, self, kSourceMapData, Undefined(isolate)).IsJust();
}

void New(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  if (!args.IsConstructCall()) return ThrowType(isolate, "Class constructor ModuleWrap needs 'new'");
  Local<Object> self = args.This();
  for (int field = 0; field < kModuleFields; field++) self->SetInternalField(field, Undefined(isolate));
  if (!args[0]->IsString()) return ThrowType(isolate, "url must be a string");
  Local<Context> context = isolate->GetCurrentContext();
  if (!args[1]->IsUndefined()) context = ContextOfSandbox(isolate, args[1]);
  if (context.IsEmpty()) return ThrowType(isolate, "context must be a context");
  Local<Module> module;
  bool is_synthetic = args[2]->IsArray();
  {
    Context::Scope entered(context);
    if (!(is_synthetic ? MakeSynthetic(isolate, args) : MakeSourceText(isolate, args)).ToLocal(&module)) return;
  }
  self->SetInternalField(kModule, module);
  self->SetInternalField(kModuleContext, context->GetExtrasBindingObject());
  if (is_synthetic) {
    self->SetInternalField(kModuleSteps, args[3]);
    self->SetInternalField(kModuleLinked, Array::New(isolate));
  }
  if (Describe(isolate, self, module, args)) USE(RememberWrap(isolate, module, self));
}

/** Takes WeakRef and its deref() from the language before guest code can change them. */
void KeepWeakRef(Isolate* isolate, Local<Context> context) {
  Local<Value> make;
  Local<Value> prototype;
  Local<Value> deref;
  if (!context->Global()->Get(context, Text(isolate, "WeakRef")).ToLocal(&make) || !make->IsFunction()) return;
  if (!make.As<Object>()->Get(context, Text(isolate, "prototype")).ToLocal(&prototype) || !prototype->IsObject()) return;
  if (!prototype.As<Object>()->Get(context, Text(isolate, "deref")).ToLocal(&deref) || !deref->IsFunction()) return;
  SetStateValue(isolate, kWeakRef, make);
  SetStateValue(isolate, kWeakRefDeref, deref);
  SetStateValue(isolate, kModuleTable, v8::Map::New(isolate));
}

}  // namespace

MaybeLocal<Module> CompileModule(Isolate* isolate, Local<String> code, const v8::ScriptOrigin& origin,
                                 ScriptCompiler::CachedData* cached, bool* is_rejected) {
  ScriptCompiler::Source source(code, origin, cached);
  auto options = cached ? ScriptCompiler::kConsumeCodeCache : ScriptCompiler::kNoCompileOptions;
  MaybeLocal<Module> module = ScriptCompiler::CompileModule(isolate, &source, options);
  *is_rejected = cached != nullptr && source.GetCachedData()->rejected;
  return module;
}

int PhaseNumber(v8::ModuleImportPhase phase) {
  if (phase == v8::ModuleImportPhase::kSource) return kSourcePhase;
  return phase == v8::ModuleImportPhase::kDefer ? kDeferPhase : kEvaluationPhase;
}

MaybeLocal<Object> ImportAttributes(Isolate* isolate, Local<v8::FixedArray> raw, int step) {
  LocalVector<Name> names(isolate);
  LocalVector<Value> values(isolate);
  for (int at = 0; at + 1 < raw->Length(); at += step) {
    names.push_back(raw->Get(at).As<String>());
    values.push_back(raw->Get(at + 1).As<String>());
  }
  Local<Object> attributes = Object::New(isolate, v8::Null(isolate), names.data(), values.data(), names.size());
  Local<Context> context = isolate->GetCurrentContext();
  if (!attributes->SetIntegrityLevel(context, v8::IntegrityLevel::kFrozen).FromMaybe(false)) return {};
  return attributes;
}

void InstallModules(Local<Context> context, Local<Object> target) {
  Isolate* isolate = Isolate::GetCurrent();
  KeepWeakRef(isolate, context);
  Local<FunctionTemplate> definition = FunctionTemplate::New(isolate, New);
  definition->InstanceTemplate()->SetInternalFieldCount(kModuleFields);
  InstallModuleMethods(isolate, definition);
  SetStateValue(isolate, kModuleWrapTemplate, definition);
  SetClass(context, target, "ModuleWrap", definition);
  auto constant = [&](const char* name, int value) {
    SetProperty(context, target, name, Integer::New(isolate, value));
  };
  constant("kUninstantiated", Module::kUninstantiated);
  constant("kInstantiating", Module::kInstantiating);
  constant("kInstantiated", Module::kInstantiated);
  constant("kEvaluating", Module::kEvaluating);
  constant("kEvaluated", Module::kEvaluated);
  constant("kErrored", Module::kErrored);
  constant("kEvaluationPhase", kEvaluationPhase);
  constant("kDeferPhase", kDeferPhase);
  constant("kSourcePhase", kSourcePhase);
}

}  // namespace guest
