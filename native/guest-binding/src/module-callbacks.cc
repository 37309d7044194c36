// What V8 asks while modules are linked and run: which module a request means, import(), import.meta.
#include <string>

#include "modules.h"

namespace guest {
namespace {

using v8::FixedArray;
using v8::Module;
using v8::ModuleImportPhase;

/** The ModuleWrap that request `index` of a module is linked to; empty, with an exception, when there is none. */
Local<Object> LinkedWrap(Isolate* isolate, size_t index, Local<Module> referrer) {
  Local<Object> wrap = WrapOf(isolate, referrer);
  if (!wrap.IsEmpty()) {
    Local<Value> linked = wrap->GetInternalField(kModuleLinked).As<Value>();
    Local<Value> one;
    if (linked->IsArray() && index < linked.As<Array>()->Length() &&
        linked.As<Array>()->Get(isolate->GetCurrentContext(), static_cast<uint32_t>(index)).ToLocal(&one) &&
        one->IsObject()) {
      return one.As<Object>();
    }
  }
  std::string specifier = "?";
  if (index < static_cast<size_t>(referrer->GetModuleRequests()->Length())) {
    auto request = referrer->GetModuleRequests()->Get(static_cast<int>(index)).As<v8::ModuleRequest>();
    specifier = Utf8(isolate, request->GetSpecifier()).data();
  }
  std::string message = "request for '" + specifier + "' can not be resolved on a module that is not linked";
  ThrowCode(isolate, ErrorKind::kError, "ERR_VM_MODULE_LINK_FAILURE", message.c_str());
  return {};
}

/** Who compiled the code that imports: the symbol of its options, or of the context it runs in. */
MaybeLocal<Value> ImporterId(Isolate* isolate, Local<Context> context, Local<Data> options) {
  if (!options.IsEmpty() && options->IsFixedArray() && options.As<FixedArray>()->Length() == kOptionsLength) {
    return options.As<FixedArray>()->Get(kOptionId).As<Value>();
  }
  return GetHidden(isolate, context->Global(), kHostDefinedOption);
}

MaybeLocal<Promise> ImportWithPhase(Local<Context> context, Local<Data> options, Local<Value> referrer,
                                    Local<String> specifier, ModuleImportPhase phase, Local<FixedArray> raw) {
  Isolate* isolate = Isolate::GetCurrent();
  v8::EscapableHandleScope scope(isolate);
  Context::Scope entered(context);
  Local<Value> callback = StateValue(isolate, kImportModuleDynamically);
  if (!callback->IsFunction()) {
    ThrowCode(isolate, ErrorKind::kError, "ERR_EXECUTION_ENVIRONMENT_NOT_AVAILABLE",
              "Context not associated with Node.js environment");
    return {};
  }
  Local<Value> id;
  Local<Object> attributes;
  if (!ImporterId(isolate, context, options).ToLocal(&id)) return {};
  if (!ImportAttributes(isolate, raw, 2).ToLocal(&attributes)) return {};
  Local<Value> arguments[] = {id, specifier, Integer::New(isolate, PhaseNumber(phase)), attributes, referrer};
  Local<Value> result;
  if (!callback.As<Function>()->Call(context, Undefined(isolate), 5, arguments).ToLocal(&result)) return {};
  // A promise of the importing context, whoever made the one that was given.
  Local<Promise::Resolver> resolver;
  if (!Promise::Resolver::New(context).ToLocal(&resolver)) return {};
  if (resolver->Resolve(context, result).IsNothing()) return {};
  return scope.Escape(resolver->GetPromise());
}

MaybeLocal<Promise> Import(Local<Context> context, Local<Data> options, Local<Value> referrer, Local<String> specifier,
                           Local<FixedArray> raw) {
  return ImportWithPhase(context, options, referrer, specifier, ModuleImportPhase::kEvaluation, raw);
}

int HexValue(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  char lower = static_cast<char>(digit | 32);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/** The path of a file: URL that a URL parser wrote; empty when it has none. */
std::string PathOfUrl(const std::string& url) {
  size_t start = url.compare(0, 8, "file:///") == 0 ? 7 : std::string::npos;
  if (start == std::string::npos) return "";
  std::string path;
  for (size_t at = start; at < url.size() && url[at] != '?' && url[at] != '#'; at++) {
    int high = url[at] == '%' && at + 2 < url.size() ? HexValue(url[at + 1]) : -1;
    int low = high >= 0 ? HexValue(url[at + 2]) : -1;
    if (low < 0) {
      path += url[at];
      continue;
    }
    path += static_cast<char>(high << 4 | low);
    at += 2;
  }
  return path;
}

void ResolveGetter(Local<Name>, const v8::PropertyCallbackInfo<Value>& info) {
  Isolate* isolate = info.GetIsolate();
  Local<Value> make = StateValue(isolate, kImportMetaResolve);
  Local<Value> arguments[] = {info.Data()};
  Local<Value> resolve;
  if (make->IsFunction() && make.As<Function>()
                                ->Call(isolate->GetCurrentContext(), Undefined(isolate), 1, arguments)
                                .ToLocal(&resolve)) {
    info.GetReturnValue().Set(resolve);
  }
}

/** What import.meta has in a module that Node's own loader loaded; the names in alphabetical order. */
void InitializeDefaultMeta(Isolate* isolate, Local<Context> context, Local<Object> wrap, Local<Object> meta) {
  Local<Value> url;
  Local<Value> is_main;
  if (!wrap->Get(context, Text(isolate, "url")).ToLocal(&url)) return;
  std::string path = PathOfUrl(Utf8(isolate, url).data());
  Local<String> text;
  if (!path.empty() && String::NewFromUtf8(isolate, path.substr(0, path.rfind('/')).c_str()).ToLocal(&text)) {
    SetProperty(context, meta, "dirname", text);
  }
  if (!path.empty() && String::NewFromUtf8(isolate, path.c_str()).ToLocal(&text)) {
    SetProperty(context, meta, "filename", text);
  }
  if (!wrap->Get(context, Text(isolate, "isMain")).ToLocal(&is_main)) return;
  SetProperty(context, meta, "main", Boolean::New(isolate, is_main->IsTrue()));
  if (StateValue(isolate, kImportMetaResolve)->IsFunction()) {
    USE(meta->SetLazyDataProperty(context, Text(isolate, "resolve"), ResolveGetter, url));
  }
  SetProperty(context, meta, "url", url);
}

void InitializeMeta(Local<Context> context, Local<Module> module, Local<Object> meta) {
  Isolate* isolate = Isolate::GetCurrent();
  HandleScope scope(isolate);
  Context::Scope entered(context);
  Local<Object> wrap = WrapOf(isolate, module);
  Local<Value> id;
  if (wrap.IsEmpty() || !GetHidden(isolate, wrap, kHostDefinedOption).ToLocal(&id)) return;
  if (id->StrictEquals(StateValue(isolate, kSymbolSourceTextModule))) {
    return InitializeDefaultMeta(isolate, context, wrap, meta);
  }
  Local<Value> callback = StateValue(isolate, kInitializeImportMeta);
  Local<Value> arguments[] = {id, meta, wrap};
  if (callback->IsFunction()) USE(callback.As<Function>()->Call(context, Undefined(isolate), 3, arguments));
}

void SetImportModuleDynamicallyCallback(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  if (!args[0]->IsFunction()) return ThrowType(isolate, "callback must be a function");
  SetStateValue(isolate, kImportModuleDynamically, args[0]);
  isolate->SetHostImportModuleDynamicallyCallback(Import);
  isolate->SetHostImportModuleWithPhaseDynamicallyCallback(ImportWithPhase);
}

void SetInitializeImportMetaObjectCallback(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  if (!args[0]->IsFunction()) return ThrowType(isolate, "callback must be a function");
  SetStateValue(isolate, kInitializeImportMeta, args[0]);
  isolate->SetHostInitializeImportMetaObjectCallback(InitializeMeta);
}

void SetImportMetaResolveInitializer(const Arguments& args) {
  if (!args[0]->IsFunction()) return ThrowType(args.GetIsolate(), "callback must be a function");
  SetStateValue(args.GetIsolate(), kImportMetaResolve, args[0]);
}

void ThrowIfPromiseRejected(const Arguments& args) {
  if (args[0]->IsPromise()) ThrowRejection(args.GetIsolate(), args[0].As<Promise>());
}

MaybeLocal<Module> ResolveFacade(Local<Context> context, Local<String>, Local<FixedArray>, Local<Module>) {
  Local<Data> original = StateOf(context)->GetInternalField(kFacadeOriginal);
  return original->IsModule() ? MaybeLocal<Module>(original.As<Module>()) : MaybeLocal<Module>();
}

/** createRequiredModuleFacade(wrap): its namespace, with __esModule */
void CreateRequiredModuleFacade(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  Local<Context> context = isolate->GetCurrentContext();
  Local<Module> original = ModuleOf(isolate, args[0]);
  if (original.IsEmpty()) return ThrowType(isolate, "takes a ModuleWrap");
  v8::ScriptOrigin origin(Text(isolate, "node:internal/require_module_default_facade"), 0, 0, true, -1,
                          Local<Value>(), false, false, true);
  Local<Module> facade;
  bool is_rejected;
  Local<String> code = Text(
      isolate, "export * from 'original'; export { default } from 'original'; export const __esModule = true;");
  if (!CompileModule(isolate, code, origin, nullptr, &is_rejected).ToLocal(&facade)) return;
  SetStateValue(isolate, kFacadeOriginal, original);
  bool is_linked = facade->InstantiateModule(context, ResolveFacade).FromMaybe(false);
  SetStateValue(isolate, kFacadeOriginal, Undefined(isolate));
  if (!is_linked || facade->Evaluate(context).IsEmpty()) return;
  args.GetReturnValue().Set(facade->GetModuleNamespace());
}

}  // namespace

MaybeLocal<Module> ResolveImport(Local<Context> context, size_t index, Local<Module> referrer) {
  Isolate* isolate = Isolate::GetCurrent();
  Context::Scope entered(context);
  Local<Object> wrap = LinkedWrap(isolate, index, referrer);
  if (wrap.IsEmpty()) return {};
  Local<Module> module = ModuleOf(isolate, wrap);
  return module.IsEmpty() ? MaybeLocal<Module>() : MaybeLocal<Module>(module);
}

MaybeLocal<Object> ResolveSourceImport(Local<Context> context, size_t index, Local<Module> referrer) {
  Isolate* isolate = Isolate::GetCurrent();
  Context::Scope entered(context);
  Local<Object> wrap = LinkedWrap(isolate, index, referrer);
  if (wrap.IsEmpty()) return {};
  Local<Value> source = wrap->GetInternalField(kModuleSource).As<Value>();
  if (source->IsObject()) return source.As<Object>();
  ThrowNoSource(isolate, wrap);
  return {};
}

MaybeLocal<Value> RunSyntheticSteps(Local<Context> context, Local<Module> module) {
  Isolate* isolate = Isolate::GetCurrent();
  Context::Scope entered(context);
  Local<Object> wrap = WrapOf(isolate, module);
  if (!wrap.IsEmpty()) {
    Local<Value> steps = wrap->GetInternalField(kModuleSteps).As<Value>();
    wrap->SetInternalField(kModuleSteps, Undefined(isolate));
    if (steps->IsFunction() && steps.As<Function>()->Call(context, wrap, 0, nullptr).IsEmpty()) return {};
  }
  Local<Promise::Resolver> resolver;
  if (!Promise::Resolver::New(context).ToLocal(&resolver)) return {};
  if (resolver->Resolve(context, Undefined(isolate)).IsNothing()) return {};
  return resolver->GetPromise();
}

void ThrowNoSource(Isolate* isolate, Local<Object> wrap) {
  Local<Value> url = String::Empty(isolate);
  USE(wrap->Get(isolate->GetCurrentContext(), Text(isolate, "url")).ToLocal(&url));
  std::string message =
      "Source phase import object is not defined for module '" + std::string(Utf8(isolate, url).data()) + "'";
  Local<Value> error = Exception::SyntaxError(Text(isolate, message.c_str()));
  SetProperty(isolate->GetCurrentContext(), error.As<Object>(), "code", Text(isolate, "ERR_SOURCE_PHASE_NOT_DEFINED"));
  isolate->ThrowException(error);
}

bool ThrowRejection(Isolate* isolate, Local<Promise> promise) {
  if (promise->State() != Promise::kRejected) return false;
  Local<Value> callback = StateValue(isolate, kPromiseRejectCallback);
  Local<Value> type = Integer::New(isolate, v8::kPromiseHandlerAddedAfterReject);
  Local<Value> arguments[] = {type, promise, Undefined(isolate)};
  if (callback->IsFunction() && callback.As<Function>()
                                    ->Call(isolate->GetCurrentContext(), Undefined(isolate), 3, arguments)
                                    .IsEmpty()) {
    return true;
  }
  Local<Value> reason = promise->Result();
  AppendArrow(isolate, reason, Exception::CreateMessage(isolate, reason));
  isolate->ThrowException(reason);
  return true;
}

void InstallModuleCallbacks(Local<Context> context, Local<Object> target) {
  SetMethod(context, target, "setImportModuleDynamicallyCallback", SetImportModuleDynamicallyCallback);
  SetMethod(context, target, "setInitializeImportMetaObjectCallback", SetInitializeImportMetaObjectCallback);
  SetMethod(context, target, "setImportMetaResolveInitializer", SetImportMetaResolveInitializer);
  SetMethod(context, target, "createRequiredModuleFacade", CreateRequiredModuleFacade);
  SetMethod(context, target, "throwIfPromiseRejected", ThrowIfPromiseRejected);
}

}  // namespace guest
