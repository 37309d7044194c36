// ModuleWrap's methods: from requests to a namespace.
#include <string>
#include <unordered_map>

#include "modules.h"

namespace guest {
namespace {

using v8::Module;

/** The module behind `this`; empty, with an exception, where compiling failed. */
Local<Module> ThisModule(const Arguments& args) {
  Local<Module> module = ModuleOf(args.GetIsolate(), args.This());
  if (module.IsEmpty()) ThrowType(args.GetIsolate(), "Illegal invocation");
  return module;
}

Local<Context> ContextOf(Isolate* isolate, Local<Object> wrap) {
  Local<Data> inside = wrap->GetInternalField(kModuleContext);
  Local<Context> context;
  if (inside->IsValue() && inside.As<Value>()->IsObject() &&
      inside.As<Value>().As<Object>()->GetCreationContext(isolate).ToLocal(&context)) {
    return context;
  }
  return isolate->GetCurrentContext();
}

void ThrowNotInstantiated(Isolate* isolate) {
  ThrowCode(isolate, ErrorKind::kError, "ERR_MODULE_NOT_INSTANTIATED", "Module is not instantiated");
}

void GetModuleRequests(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  Local<Module> module = ThisModule(args);
  if (module.IsEmpty()) return;
  Local<v8::FixedArray> raw = module->GetModuleRequests();
  LocalVector<Value> requests(isolate);
  for (int at = 0; at < raw->Length(); at++) {
    Local<v8::ModuleRequest> one = raw->Get(at).As<v8::ModuleRequest>();
    Local<Object> attributes;
    if (!ImportAttributes(isolate, one->GetImportAttributes(), 3).ToLocal(&attributes)) return;
    Local<Name> names[] = {Text(isolate, "specifier"), Text(isolate, "attributes"), Text(isolate, "phase")};
    Local<Value> values[] = {one->GetSpecifier(), attributes, Integer::New(isolate, PhaseNumber(one->GetPhase()))};
    Local<Object> request = Object::New(isolate, v8::Null(isolate), names, values, 3);
    Local<Context> context = isolate->GetCurrentContext();
    if (!request->SetIntegrityLevel(context, v8::IntegrityLevel::kFrozen).FromMaybe(false)) return;
    requests.push_back(request);
  }
  args.GetReturnValue().Set(Array::New(isolate, requests.data(), requests.size()));
}

/** Names a request by its specifier and attributes: two of one name must be linked to one module. */
std::string RequestKey(Isolate* isolate, Local<v8::ModuleRequest> request) {
  Utf8 specifier(isolate, request->GetSpecifier());
  std::string key = "ModuleCacheKey(\"" + std::string(specifier.data(), specifier.length()) + "\"";
  Local<v8::FixedArray> raw = request->GetImportAttributes();
  for (int at = 0; at + 1 < raw->Length(); at += 3) {
    Utf8 name(isolate, raw->Get(at).As<String>());
    Utf8 value(isolate, raw->Get(at + 1).As<String>());
    key += (at == 0 ? ", {" : ", ") + std::string(name.data()) + ": " + value.data();
  }
  return key + (raw->Length() > 0 ? "})" : ")");
}

void ThrowMismatch(Isolate* isolate, const std::string& key, size_t at, size_t first) {
  std::string message = "Module request '" + key + "' at index " + std::to_string(at) +
                        " must be linked to the same module requested at index " + std::to_string(first);
  ThrowCode(isolate, ErrorKind::kTypeError, "ERR_MODULE_LINK_MISMATCH", message.c_str());
}

/** link(wraps): one for each request, in their order */
void Link(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  Local<Context> context = isolate->GetCurrentContext();
  Local<Module> module = ThisModule(args);
  if (module.IsEmpty()) return;
  Local<v8::FixedArray> requests = module->GetModuleRequests();
  uint32_t count = static_cast<uint32_t>(requests->Length());
  if (!args[0]->IsArray() || args[0].As<Array>()->Length() != count) {
    return ThrowType(isolate, "link takes one module for each request");
  }
  LocalVector<Value> linked(isolate);
  std::unordered_map<std::string, size_t> first;
  for (uint32_t at = 0; at < count; at++) {
    Local<Value> wrap;
    if (!args[0].As<Array>()->Get(context, at).ToLocal(&wrap)) return;
    if (ModuleOf(isolate, wrap).IsEmpty()) return ThrowType(isolate, "link takes modules");
    std::string key = RequestKey(isolate, requests->Get(static_cast<int>(at)).As<v8::ModuleRequest>());
    auto [found, is_new] = first.emplace(key, at);
    if (!is_new && !wrap->StrictEquals(linked[found->second])) return ThrowMismatch(isolate, key, at, found->second);
    linked.push_back(wrap);
  }
  // An array of our own: nobody can change it afterwards.
  args.This()->SetInternalField(kModuleLinked, Array::New(isolate, linked.data(), linked.size()));
}

void Instantiate(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  Local<Module> module = ThisModule(args);
  if (module.IsEmpty()) return;
  if (!args.This()->GetInternalField(kModuleLinked).As<Value>()->IsArray()) {
    return ThrowCode(isolate, ErrorKind::kError, "ERR_VM_MODULE_LINK_FAILURE", "module is not linked");
  }
  TryCatch caught(isolate);
  USE(module->InstantiateModule(ContextOf(isolate, args.This()), ResolveImport, ResolveSourceImport));
  if (!caught.HasCaught() || caught.HasTerminated()) return;
  AppendArrow(isolate, caught.Exception(), caught.Message());
  caught.ReThrow();
}

/** Evaluates; with a queue of microtasks of its own the promise is one of the outer context, which can be awaited. */
MaybeLocal<Value> EvaluateIn(Isolate* isolate, Local<Context> context, Local<Module> module) {
  Local<Value> result;
  if (!module->Evaluate(context).ToLocal(&result)) return {};
  v8::MicrotaskQueue* queue = OwnMicrotasks(isolate, context);
  if (queue == nullptr) return result;
  Local<Context> outer = isolate->GetCurrentContext();
  Local<Promise::Resolver> resolver;
  if (!Promise::Resolver::New(outer).ToLocal(&resolver) || resolver->Resolve(outer, result).IsNothing()) return {};
  queue->PerformCheckpoint(isolate);
  return resolver->GetPromise();
}

/** evaluate(timeout, breakOnSigint): a promise */
void Evaluate(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  Local<Module> module = ThisModule(args);
  if (module.IsEmpty()) return;
  if (module->GetStatus() < Module::kInstantiated) return ThrowNotInstantiated(isolate);
  int64_t timeout_ms = -1;
  if (args[0]->IsNumber() && !args[0]->IntegerValue(isolate->GetCurrentContext()).To(&timeout_ms)) return;
  TryCatch caught(isolate);
  Watchdog watchdog(isolate, timeout_ms);
  if (!watchdog.is_running()) {
    ThrowCode(isolate, ErrorKind::kError, "ERR_OPERATION_FAILED", "The timeout's thread could not be started");
    caught.ReThrow();
    return;
  }
  MaybeLocal<Value> result = EvaluateIn(isolate, ContextOf(isolate, args.This()), module);
  Watchdog::Fired fired = watchdog.Stop();
  bool has_fired = fired != Watchdog::Fired::kNothing;
  if (has_fired) ThrowFired(isolate, fired, timeout_ms);
  if (caught.HasCaught()) {
    if (has_fired || !caught.HasTerminated()) caught.ReThrow();
    return;
  }
  Local<Value> promise;
  if (result.ToLocal(&promise)) args.GetReturnValue().Set(promise);
}

/** evaluateSync(): the namespace; a module that waits throws */
void EvaluateSync(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  Local<Module> module = ThisModule(args);
  if (module.IsEmpty()) return;
  if (module->GetStatus() < Module::kInstantiated) return ThrowNotInstantiated(isolate);
  Local<Value> result;
  if (!module->Evaluate(ContextOf(isolate, args.This())).ToLocal(&result) || !result->IsPromise()) return;
  if (ThrowRejection(isolate, result.As<Promise>())) return;
  if (result.As<Promise>()->State() != Promise::kFulfilled) {
    return ThrowCode(isolate, ErrorKind::kError, "ERR_REQUIRE_ASYNC_MODULE",
                     "require() cannot be used on an ESM graph with top-level await. Use import() instead.");
  }
  args.GetReturnValue().Set(module->GetModuleNamespace());
}

void GetNamespace(const Arguments& args) {
  Local<Module> module = ThisModule(args);
  if (module.IsEmpty()) return;
  if (module->GetStatus() < Module::kInstantiated) return ThrowNotInstantiated(args.GetIsolate());
  args.GetReturnValue().Set(module->GetModuleNamespace());
}

void GetStatus(const Arguments& args) {
  Local<Module> module = ThisModule(args);
  if (!module.IsEmpty()) args.GetReturnValue().Set(static_cast<int>(module->GetStatus()));
}

void GetError(const Arguments& args) {
  Local<Module> module = ThisModule(args);
  if (!module.IsEmpty() && module->GetStatus() == Module::kErrored) {
    args.GetReturnValue().Set(module->GetException());
  }
}

void SetModuleSourceObject(const Arguments& args) {
  Local<Module> module = ThisModule(args);
  if (module.IsEmpty()) return;
  if (!args[0]->IsObject()) return ThrowType(args.GetIsolate(), "a module's source must be an object");
  args.This()->SetInternalField(kModuleSource, args[0]);
}

void GetModuleSourceObject(const Arguments& args) {
  if (ThisModule(args).IsEmpty()) return;
  Local<Value> source = args.This()->GetInternalField(kModuleSource).As<Value>();
  if (source->IsUndefined()) return ThrowNoSource(args.GetIsolate(), args.This());
  args.GetReturnValue().Set(source);
}

/** setExport(name, value), of a synthetic module */
void SetExport(const Arguments& args) {
  Local<Module> module = ThisModule(args);
  if (module.IsEmpty()) return;
  if (module->IsSourceTextModule() || !args[0]->IsString()) {
    return ThrowType(args.GetIsolate(), "setExport takes a name, on a synthetic module");
  }
  USE(module->SetSyntheticModuleExport(args.GetIsolate(), args[0].As<String>(), args[1]));
}

void CreateCachedData(const Arguments& args) {
  Local<Module> module = ThisModule(args);
  if (module.IsEmpty()) return;
  if (!module->IsSourceTextModule() || module->GetStatus() >= Module::kEvaluating) {
    return ThrowType(args.GetIsolate(), "createCachedData takes a source text module that has not run");
  }
  std::unique_ptr<v8::ScriptCompiler::CachedData> data(
      v8::ScriptCompiler::CreateCodeCache(module->GetUnboundModuleScript()));
  Local<Uint8Array> buffer;
  if (CacheBuffer(args.GetIsolate(), data.get()).ToLocal(&buffer)) args.GetReturnValue().Set(buffer);
}

/** getUnsettledAwaits(): the places of the top-level awaits that this module's graph still waits for */
void GetUnsettledAwaits(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  Local<Module> module = ThisModule(args);
  if (module.IsEmpty()) return;
  LocalVector<Value> places(isolate);
  if (module->IsSourceTextModule() && module->GetStatus() >= Module::kInstantiated && module->IsGraphAsync()) {
    auto stalled = module->GetStalledTopLevelAwaitMessages(isolate);
    for (Local<v8::Message> message : std::get<1>(stalled)) {
      Local<String> place;
      if (!String::NewFromUtf8(isolate, ErrorSource(isolate, message).c_str()).ToLocal(&place)) return;
      places.push_back(place);
    }
  }
  args.GetReturnValue().Set(Array::New(isolate, places.data(), places.size()));
}

/** The lazy property hasAsyncGraph. */
void HasAsyncGraph(Local<Name>, const v8::PropertyCallbackInfo<Value>& info) {
  Local<Module> module = ModuleOf(info.GetIsolate(), info.HolderV2());
  if (module.IsEmpty()) return;
  if (module->GetStatus() < Module::kInstantiated) return ThrowNotInstantiated(info.GetIsolate());
  info.GetReturnValue().Set(module->IsGraphAsync());
}

}  // namespace

void InstallModuleMethods(Isolate* isolate, Local<FunctionTemplate> definition) {
  SetPrototypeMethod(isolate, definition, "link", Link);
  SetPrototypeMethod(isolate, definition, "getModuleRequests", GetModuleRequests);
  SetPrototypeMethod(isolate, definition, "instantiate", Instantiate);
  SetPrototypeMethod(isolate, definition, "evaluateSync", EvaluateSync);
  SetPrototypeMethod(isolate, definition, "evaluate", Evaluate);
  SetPrototypeMethod(isolate, definition, "setExport", SetExport);
  SetPrototypeMethod(isolate, definition, "setModuleSourceObject", SetModuleSourceObject);
  SetPrototypeMethod(isolate, definition, "getModuleSourceObject", GetModuleSourceObject);
  SetPrototypeMethod(isolate, definition, "createCachedData", CreateCachedData);
  SetPrototypeMethod(isolate, definition, "getUnsettledAwaits", GetUnsettledAwaits);
  SetPrototypeMethod(isolate, definition, "getNamespace", GetNamespace);
  SetPrototypeMethod(isolate, definition, "getStatus", GetStatus);
  SetPrototypeMethod(isolate, definition, "getError", GetError);
  definition->InstanceTemplate()->SetLazyDataProperty(Text(isolate, "hasAsyncGraph"), HasAsyncGraph, {},
                                                      v8::DontEnum);
}

}  // namespace guest
