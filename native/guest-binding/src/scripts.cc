// ContextifyScript: what vm.Script extends. Its internal field is V8's unbound script.
#include <cstring>

#include "code.h"

namespace guest {
namespace {

using v8::ScriptCompiler;
using v8::UnboundScript;

/** The script behind `this`; empty, with an exception, when there is none. */
Local<UnboundScript> ScriptOf(const Arguments& args) {
  Local<Object> object = args.This();
  if (object->InternalFieldCount() > 0) {
    Local<Data> data = object->GetInternalField(0);
    // A value means that compiling failed.
    if (!data.IsEmpty() && !data->IsValue()) return data.As<UnboundScript>();
  }
  ThrowType(args.GetIsolate(), "Illegal invocation");
  return {};
}

/** Sets what Node's JavaScript reads of a script. */
bool Describe(Isolate* isolate, Local<Object> self, Local<UnboundScript> script, Local<Value> id) {
  Local<Context> context = isolate->GetCurrentContext();
  if (id->IsSymbol() && SetHidden(isolate, self, kHostDefinedOption, id).IsNothing()) return false;
  return self->Set(context, Text(isolate, "sourceURL"), script->GetSourceURL()).IsJust() &&
         self->Set(context, Text(isolate, "sourceMapURL"), script->GetSourceMappingURL()).IsJust();
}

/**
 * new ContextifyScript(code, filename, lineOffset, columnOffset, cachedData, produceCachedData, parsingContext,
 * hostDefinedOptionId)
 */
void New(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  if (!args.IsConstructCall()) return ThrowType(isolate, "Class constructor ContextifyScript needs 'new'");
  args.This()->SetInternalField(0, Undefined(isolate));
  if (!args[0]->IsString() || !args[1]->IsString()) return ThrowType(isolate, "code and filename must be strings");
  Local<Context> parsing = isolate->GetCurrentContext();
  if (!args[6]->IsUndefined()) parsing = ContextOfSandbox(isolate, args[6]);
  if (parsing.IsEmpty()) return ThrowType(isolate, "parsingContext must be a context");
  Local<v8::PrimitiveArray> hdo;
  if (args[7]->IsSymbol()) hdo = HostDefinedOptions(isolate, args[7].As<Symbol>());
  v8::ScriptOrigin origin(args[1], ReadInt(args[2]), ReadInt(args[3]), true, -1, Local<Value>(), false, false, false,
                          hdo);
  ScriptCompiler::Source source(args[0].As<String>(), origin, RefusedCachedData(args[4]));
  auto options = source.GetCachedData() ? ScriptCompiler::kConsumeCodeCache : ScriptCompiler::kNoCompileOptions;
  Local<UnboundScript> script;
  {
    TryCatch caught(isolate);
    Context::Scope entered(parsing);
    if (!ScriptCompiler::CompileUnboundScript(isolate, &source, options).ToLocal(&script)) {
      if (caught.HasTerminated()) return;
      DecorateStack(isolate, caught.Exception(), caught.Message());
      caught.ReThrow();
      return;
    }
  }
  args.This()->SetInternalField(0, script);
  std::unique_ptr<ScriptCompiler::CachedData> made;
  if (args[5]->IsTrue()) made.reset(ScriptCompiler::CreateCodeCache(script));
  if (!Describe(isolate, args.This(), script, args[7])) return;
  USE(StoreCacheResult(isolate, args.This(), source, args[5]->IsTrue(), std::move(made)));
}

void CreateCachedData(const Arguments& args) {
  Local<UnboundScript> script = ScriptOf(args);
  if (script.IsEmpty()) return;
  std::unique_ptr<ScriptCompiler::CachedData> data(ScriptCompiler::CreateCodeCache(script));
  Local<Uint8Array> buffer;
  if (CacheBuffer(args.GetIsolate(), data.get()).ToLocal(&buffer)) args.GetReturnValue().Set(buffer);
}

/** What ends a script before its own end. */
struct Bounds {
  int64_t timeout_ms;
  /** Null where nothing interrupts. */
  const int32_t* interrupt;
};

/** Runs the script in the entered context; an end by its bounds becomes an error, and any error is decorated if asked. */
MaybeLocal<Value> Run(Isolate* isolate, Local<UnboundScript> unbound, const Bounds& bounds, bool is_decorated) {
  Local<Context> context = isolate->GetCurrentContext();
  TryCatch caught(isolate);
  Watchdog watchdog(isolate, bounds.timeout_ms, bounds.interrupt);
  if (!watchdog.is_running()) {
    ThrowCode(isolate, ErrorKind::kError, "ERR_OPERATION_FAILED", "The timeout's thread could not be started");
    caught.ReThrow();
    return {};
  }
  MaybeLocal<Value> result = unbound->BindToCurrentContext()->Run(context);
  v8::MicrotaskQueue* queue = OwnMicrotasks(isolate, context);
  if (!result.IsEmpty() && queue) queue->PerformCheckpoint(isolate);
  Watchdog::Fired fired = watchdog.Stop();
  bool has_fired = fired != Watchdog::Fired::kNothing;
  if (has_fired) ThrowFired(isolate, fired, bounds.timeout_ms);
  if (!caught.HasCaught()) return result;
  if (!has_fired && is_decorated && !caught.HasTerminated()) {
    DecorateStack(isolate, caught.Exception(), caught.Message());
  }
  if (has_fired || !caught.HasTerminated()) caught.ReThrow();
  return {};
}

/**
 * runInContext(contextifiedObject or null, timeout, displayErrors, breakOnSigint, breakOnFirstLine, interrupt): the last
 * is an Int32Array whose first number the kernel sets to end the script, where breakOnSigint is true.
 */
void RunInContext(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  Local<UnboundScript> script = ScriptOf(args);
  if (script.IsEmpty()) return;
  Local<Context> context = isolate->GetCurrentContext();
  if (args[0]->IsObject()) context = ContextOfSandbox(isolate, args[0]);
  if (context.IsEmpty()) return ThrowType(isolate, "contextifiedObject must be a context");
  if (!args[1]->IsNumber()) return ThrowType(isolate, "timeout must be a number");
  int64_t timeout_ms;
  if (!args[1]->IntegerValue(context).To(&timeout_ms)) return;
  // Held until the script has ended, whatever becomes of the array.
  std::shared_ptr<v8::BackingStore> words;
  Bounds bounds{timeout_ms, nullptr};
  if (args[5]->IsInt32Array() && args[5].As<v8::Int32Array>()->Length() > 0) {
    Local<v8::Int32Array> interrupt = args[5].As<v8::Int32Array>();
    words = interrupt->Buffer()->GetBackingStore();
    const char* data = static_cast<const char*>(words->Data()) + interrupt->ByteOffset();
    bounds.interrupt = reinterpret_cast<const int32_t*>(data);
  }
  Context::Scope entered(context);
  Local<Value> result;
  if (Run(isolate, script, bounds, args[2]->IsTrue()).ToLocal(&result)) args.GetReturnValue().Set(result);
}

}  // namespace

Local<v8::PrimitiveArray> HostDefinedOptions(Isolate* isolate, Local<Symbol> id) {
  Local<v8::PrimitiveArray> options = v8::PrimitiveArray::New(isolate, kOptionsLength);
  options->Set(isolate, kOptionId, id);
  return options;
}

ScriptCompiler::CachedData* RefusedCachedData(Local<Value> view) {
  if (!view->IsArrayBufferView()) return nullptr;
  return new ScriptCompiler::CachedData(new uint8_t[1]{}, 0, ScriptCompiler::CachedData::BufferOwned);
}

MaybeLocal<Uint8Array> CacheBuffer(Isolate* isolate, const ScriptCompiler::CachedData* data) {
  size_t length = data ? static_cast<size_t>(data->length) : 0;
  Local<Uint8Array> buffer;
  if (!NewBytes(isolate, length).ToLocal(&buffer)) return {};
  if (length > 0) memcpy(Bytes(buffer).data(), data->data, length);
  Local<Value> prototype = StateValue(isolate, kBufferPrototype);
  if (prototype->IsObject()) USE(buffer->SetPrototypeV2(isolate->GetCurrentContext(), prototype));
  return buffer;
}

bool StoreCacheResult(Isolate* isolate, Local<Object> target, const ScriptCompiler::Source& source, bool is_produced,
                      std::unique_ptr<ScriptCompiler::CachedData> made) {
  Local<Context> context = isolate->GetCurrentContext();
  if (source.GetCachedData() &&
      target
          ->Set(context, Text(isolate, "cachedDataRejected"), Boolean::New(isolate, source.GetCachedData()->rejected))
          .IsNothing()) {
    return false;
  }
  if (!is_produced || !made) return true;
  Local<Uint8Array> buffer;
  return CacheBuffer(isolate, made.get()).ToLocal(&buffer) &&
         target->Set(context, Text(isolate, "cachedData"), buffer).IsJust() &&
         target->Set(context, Text(isolate, "cachedDataProduced"), v8::True(isolate)).IsJust();
}

void InstallScripts(Local<Context> context, Local<Object> target) {
  Isolate* isolate = Isolate::GetCurrent();
  Local<FunctionTemplate> definition = FunctionTemplate::New(isolate, New);
  definition->InstanceTemplate()->SetInternalFieldCount(1);
  SetPrototypeMethod(isolate, definition, "createCachedData", CreateCachedData);
  SetPrototypeMethod(isolate, definition, "runInContext", RunInContext);
  SetClass(context, target, "ContextifyScript", definition);
}

}  // namespace guest
