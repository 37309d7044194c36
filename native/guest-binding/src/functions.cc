// compileFunction(), and the same for the CommonJS loader, which asks whether the code is a module instead.
#include <string_view>

#include "code.h"

namespace guest {
namespace {

using v8::ScriptCompiler;
using v8::ScriptOrigin;

/** A wrapper with more parameters or extensions than this is no wrapper. */
constexpr uint32_t kMostParameters = 65535;

/** Reads an array of strings or objects; false when it threw. */
template <typename T>
bool ReadList(Isolate* isolate, Local<Value> value, LocalVector<T>* into, bool (*is_right)(Local<Value>)) {
  if (value->IsUndefined()) return true;
  Local<Context> context = isolate->GetCurrentContext();
  bool is_list = value->IsArray() && value.As<Array>()->Length() <= kMostParameters;
  for (uint32_t at = 0; is_list && at < value.As<Array>()->Length(); at++) {
    Local<Value> element;
    if (!value.As<Array>()->Get(context, at).ToLocal(&element)) return false;
    is_list = is_right(element);
    if (is_list) into->push_back(element.As<T>());
  }
  if (!is_list) ThrowType(isolate, "params must be strings, and contextExtensions objects");
  return is_list;
}

bool IsText(Local<Value> value) { return value->IsString(); }
bool IsObject(Local<Value> value) { return value->IsObject(); }

/** The result of compileFunction: the function and what it says of itself. */
MaybeLocal<Object> DescribeFunction(Isolate* isolate, Local<Function> function) {
  Local<Context> context = isolate->GetCurrentContext();
  ScriptOrigin origin = function->GetScriptOrigin();
  Local<Object> result = Object::New(isolate);
  Local<Value> undefined = Undefined(isolate);
  SetProperty(context, result, "function", function);
  SetProperty(context, result, "sourceURL", origin.ResourceName());
  SetProperty(context, result, "sourceMapURL", origin.SourceMapUrl());
  for (const char* name : {"cachedDataRejected", "cachedDataProduced", "cachedData"}) {
    SetProperty(context, result, name, undefined);
  }
  return result;
}

/**
 * compileFunction(code, filename, lineOffset, columnOffset, cachedData, produceCachedData, parsingContext,
 * contextExtensions, params, hostDefinedOptionId)
 */
void CompileFunction(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  if (!args[0]->IsString() || !args[1]->IsString()) return ThrowType(isolate, "code and filename must be strings");
  if (!args[9]->IsSymbol()) return ThrowType(isolate, "hostDefinedOptionId must be a symbol");
  Local<Context> parsing = isolate->GetCurrentContext();
  if (!args[6]->IsUndefined()) parsing = ContextOfSandbox(isolate, args[6]);
  if (parsing.IsEmpty()) return ThrowType(isolate, "parsingContext must be a context");
  LocalVector<Object> extensions(isolate);
  LocalVector<String> parameters(isolate);
  if (!ReadList(isolate, args[7], &extensions, IsObject) || !ReadList(isolate, args[8], &parameters, IsText)) return;
  ScriptOrigin origin(args[1], ReadInt(args[2]), ReadInt(args[3]), true, -1, Local<Value>(), false, false, false,
                      HostDefinedOptions(isolate, args[9].As<Symbol>()));
  ScriptCompiler::Source source(args[0].As<String>(), origin, RefusedCachedData(args[4]));
  auto options = source.GetCachedData() ? ScriptCompiler::kConsumeCodeCache : ScriptCompiler::kNoCompileOptions;
  Local<Function> function;
  {
    TryCatch caught(isolate);
    Context::Scope entered(parsing);
    if (!ScriptCompiler::CompileFunction(parsing, &source, parameters.size(), parameters.data(), extensions.size(),
                                         extensions.data(), options)
             .ToLocal(&function)) {
      if (caught.HasTerminated()) return;
      DecorateStack(isolate, caught.Exception(), caught.Message());
      caught.ReThrow();
      return;
    }
  }
  if (SetHidden(isolate, function, kHostDefinedOption, args[9]).IsNothing()) return;
  std::unique_ptr<ScriptCompiler::CachedData> made;
  if (args[5]->IsTrue()) made.reset(ScriptCompiler::CreateCodeCacheForFunction(function));
  Local<Object> result;
  if (!DescribeFunction(isolate, function).ToLocal(&result)) return;
  if (StoreCacheResult(isolate, result, source, args[5]->IsTrue(), std::move(made))) args.GetReturnValue().Set(result);
}

MaybeLocal<Function> CompileCommonJs(Isolate* isolate, Local<String> code, Local<Value> filename, bool has_variables) {
  Local<Value> id = StateValue(isolate, kSymbolDefaultImport);
  Local<v8::PrimitiveArray> hdo;
  if (id->IsSymbol()) hdo = HostDefinedOptions(isolate, id.As<Symbol>());
  ScriptOrigin origin(filename, 0, 0, true, -1, Local<Value>(), false, false, false, hdo);
  ScriptCompiler::Source source(code, origin);
  Local<String> parameters[] = {Text(isolate, "exports"), Text(isolate, "require"), Text(isolate, "module"),
                                Text(isolate, "__filename"), Text(isolate, "__dirname")};
  return ScriptCompiler::CompileFunction(isolate->GetCurrentContext(), &source, has_variables ? 5 : 0, parameters);
}

/** What V8 says of CommonJS that is certainly a module. */
constexpr std::string_view kModuleErrors[] = {
    "Cannot use import statement outside a module",
    "Unexpected token 'export'",
    "Cannot use 'import.meta' outside a module",
};
/** What it says of CommonJS that may be one; whether it is shows when it is compiled as one. */
constexpr std::string_view kPerhapsModuleErrors[] = {
    "Identifier 'module' has already been declared",
    "Identifier 'exports' has already been declared",
    "Identifier 'require' has already been declared",
    "Identifier '__filename' has already been declared",
    "Identifier '__dirname' has already been declared",
    "await is only valid in async functions and the top level bodies of modules",
    "missing ) after argument list",
    "SyntaxError: Unexpected",
};

bool IsModule(Isolate* isolate, Local<String> message, Local<String> code, Local<Value> name) {
  Utf8 said(isolate, message);
  std::string_view text(said.data(), said.length());
  for (std::string_view error : kModuleErrors) {
    if (text.find(error) != std::string_view::npos) return true;
  }
  bool is_perhaps = false;
  for (std::string_view error : kPerhapsModuleErrors) is_perhaps |= text.find(error) != std::string_view::npos;
  if (!is_perhaps) return false;
  TryCatch ignored(isolate);
  ScriptOrigin origin(name, 0, 0, true, -1, Local<Value>(), false, false, true);
  bool is_rejected;
  return !CompileModule(isolate, code, origin, nullptr, &is_rejected).IsEmpty();
}

/** Tells JavaScript, once a process, that a module was required as CommonJS; false when that threw. */
bool WarnOfModule(Isolate* isolate, Local<Value> filename) {
  Local<Value> emit = StateValue(isolate, kEmitWarning);
  if (!emit->IsFunction()) return true;
  SetStateValue(isolate, kEmitWarning, Undefined(isolate));
  Local<Value> arguments[] = {filename};
  return !emit.As<Function>()->Call(isolate->GetCurrentContext(), Undefined(isolate), 1, arguments).IsEmpty();
}

/** compileFunctionForCJSLoader(content, filename, isSeaMain, shouldDetectModule) */
void CompileFunctionForCjsLoader(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  Local<Context> context = isolate->GetCurrentContext();
  if (!args[0]->IsString() || !args[1]->IsString()) return ThrowType(isolate, "content and filename must be strings");
  Local<Function> function;
  Local<Value> exception;
  Local<String> message;
  {
    TryCatch caught(isolate);
    if (!CompileCommonJs(isolate, args[0].As<String>(), args[1], true).ToLocal(&function)) {
      if (caught.HasTerminated() || !caught.HasCaught()) return;
      exception = caught.Exception();
      message = caught.Message()->Get();
      DecorateStack(isolate, exception, caught.Message());
    }
  }
  bool is_module = false;
  if (!exception.IsEmpty()) {
    is_module = IsModule(isolate, message, args[0].As<String>(), args[1]);
    if (!is_module || !args[3]->IsTrue()) {
      if (!is_module || WarnOfModule(isolate, args[1])) isolate->ThrowException(exception);
      return;
    }
  }
  Local<Value> undefined = Undefined(isolate);
  Local<Object> result = Object::New(isolate);
  bool is_made = !function.IsEmpty();
  SetProperty(context, result, "cachedDataRejected", v8::False(isolate));
  SetProperty(context, result, "sourceMapURL", is_made ? function->GetScriptOrigin().SourceMapUrl() : undefined);
  SetProperty(context, result, "sourceURL", is_made ? function->GetScriptOrigin().ResourceName() : undefined);
  SetProperty(context, result, "function", is_made ? function.As<Value>() : undefined);
  SetProperty(context, result, "canParseAsESM", Boolean::New(isolate, is_module));
  args.GetReturnValue().Set(result);
}

/** containsModuleSyntax(code, filename, resourceName, cjsVar) */
void ContainsModuleSyntax(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  if (!args[0]->IsString() || !args[1]->IsString()) return ThrowType(isolate, "code and filename must be strings");
  Local<String> message;
  {
    TryCatch caught(isolate);
    if (!CompileCommonJs(isolate, args[0].As<String>(), args[1], !args[3]->IsString()).IsEmpty()) {
      return args.GetReturnValue().Set(false);
    }
    if (caught.HasTerminated() || !caught.HasCaught()) return;
    message = caught.Message()->Get();
  }
  Local<Value> name = args[2]->IsString() ? args[2] : args[1];
  args.GetReturnValue().Set(IsModule(isolate, message, args[0].As<String>(), name));
}

/** shouldRetryAsESM(code, filename): whether code that is not CommonJS is a module */
void ShouldRetryAsEsm(const Arguments& args) {
  ContainsModuleSyntax(args);
}

/** setEmitWarning(fn): fn(filename) warns, once, of a module that was required as CommonJS */
void SetEmitWarning(const Arguments& args) {
  if (!args[0]->IsFunction()) return ThrowType(args.GetIsolate(), "callback must be a function");
  SetStateValue(args.GetIsolate(), kEmitWarning, args[0]);
}

}  // namespace

void InstallFunctions(Local<Context> context, Local<Object> target) {
  SetMethod(context, target, "compileFunction", CompileFunction);
  SetMethod(context, target, "compileFunctionForCJSLoader", CompileFunctionForCjsLoader);
  SetMethod(context, target, "containsModuleSyntax", ContainsModuleSyntax);
  SetMethod(context, target, "shouldRetryAsESM", ShouldRetryAsEsm);
  SetMethod(context, target, "setEmitWarning", SetEmitWarning);
}

}  // namespace guest
