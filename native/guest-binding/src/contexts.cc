// makeContext(): vm.createContext(), and what belongs to the contexts it makes.
#include "code.h"
#include "interceptors.h"
#include "wrapped.h"

namespace guest {
namespace {

/** The most contexts one isolate may have: each costs about a megabyte. */
constexpr size_t kMostContexts = 1024;
/** Longer sources than this are not compiled from strings; isolated-vm has such a limit, too. */
constexpr int kLongestEval = 64 * 1024 * 1024;

/** What an object holds that is a context: its field 1 is an object made in that context. */
class ContextHolder final : public Wrapped {
 public:
  ContextHolder(Isolate* isolate, Local<Object> object, std::unique_ptr<v8::MicrotaskQueue> queue)
      : Wrapped(isolate, object), queue_(std::move(queue)) {}
  v8::MicrotaskQueue* queue() { return queue_.get(); }

 private:
  std::unique_ptr<v8::MicrotaskQueue> queue_;
};

Local<Data> EmbedderData(Isolate* isolate, Local<Context> context, int index) {
  if (context->GetNumberOfEmbedderDataFields() <= static_cast<uint32_t>(index)) return Undefined(isolate);
  return context->GetEmbedderDataV2(index);
}

bool IsForbidden(Local<Context> context, int index) {
  Local<Data> data = EmbedderData(Isolate::GetCurrent(), context, index);
  return !data.IsEmpty() && data->IsValue() && data.As<Value>()->IsFalse();
}

v8::ModifyCodeGenerationFromStringsResult MayCompileString(Local<Context> context, Local<Value> source, bool) {
  bool is_short = !source->IsString() || source.As<String>()->Length() <= kLongestEval;
  return {is_short && !IsForbidden(context, kStringsIndex), {}};
}

bool MayCompileWasm(Local<Context> context, Local<String>) {
  return !IsForbidden(context, kWasmIndex);
}

Local<FunctionTemplate> HolderTemplate(Isolate* isolate) {
  Local<Data> data = CurrentState(isolate)->GetInternalField(kContextHolderTemplate);
  return data.As<FunctionTemplate>();
}

struct ContextOptions {
  Local<Object> sandbox;
  Local<Boolean> strings;
  Local<Boolean> wasm;
  Local<Symbol> id;
  std::unique_ptr<v8::MicrotaskQueue> queue;
};

/** Gives a new context what all of ours have, and lets JavaScript take away what a snapshot left on its global. */
bool Prepare(Isolate* isolate, Local<Context> context, const ContextOptions& options) {
  Local<Context> outer = isolate->GetCurrentContext();
  context->SetSecurityToken(outer->GetSecurityToken());
  context->AllowCodeGenerationFromStrings(false);
  Local<Value> cleanup = StateValue(isolate, kContextCleanup);
  if (cleanup->IsFunction()) {
    Local<Value> arguments[] = {context->Global()};
    if (cleanup.As<Function>()->Call(outer, Undefined(isolate), 1, arguments).IsEmpty()) return false;
  }
  context->SetEmbedderDataV2(kStateIndex, CurrentState(isolate));
  context->SetEmbedderDataV2(kStringsIndex, options.strings);
  context->SetEmbedderDataV2(kWasmIndex, options.wasm);
  return true;
}

/** Names the global after its object's class, as Node does; the object is not behind it yet. */
bool TagGlobal(Isolate* isolate, Local<Context> context, Local<Object> sandbox) {
  Local<String> name = sandbox->GetConstructorName();
  if (name->StringEquals(Text(isolate, "Object"))) return true;
  return context->Global()->DefineOwnProperty(context, Symbol::GetToStringTag(isolate), name, v8::DontEnum).IsJust();
}

bool Connect(Isolate* isolate, Local<Context> context, ContextOptions* options) {
  Local<Object> global = context->Global();
  bool is_vanilla = options->sandbox.IsEmpty();
  Local<Object> wrapper;
  {
    Context::Scope entered(context);
    if (!is_vanilla && !TagGlobal(isolate, context, options->sandbox)) return false;
    if (SetHidden(isolate, global, kHostDefinedOption, options->id).IsNothing()) return false;
    if (!HolderTemplate(isolate)->InstanceTemplate()->NewInstance(context).ToLocal(&wrapper)) return false;
  }
  Wrapped::Prepare(wrapper);
  new ContextHolder(isolate, wrapper, std::move(options->queue));
  wrapper->SetInternalField(1, context->GetExtrasBindingObject());
  context->SetEmbedderDataV2(kHolderIndex, wrapper);
  Local<Object> owner = is_vanilla ? global : options->sandbox;
  if (SetHidden(isolate, owner, kContextifyContext, wrapper).IsNothing()) return false;
  if (!is_vanilla && SetHidden(isolate, owner, kHostDefinedOption, options->id).IsNothing()) return false;
  context->SetEmbedderDataV2(kSandboxIndex, is_vanilla ? Undefined(isolate).As<Value>() : owner.As<Value>());
  return true;
}

MaybeLocal<Object> MakeOne(Isolate* isolate, ContextOptions* options) {
  Local<ObjectTemplate> global;
  if (!options->sandbox.IsEmpty()) {
    global = CurrentState(isolate)->GetInternalField(kContextGlobalTemplate).As<FunctionTemplate>()->InstanceTemplate();
  }
  v8::MicrotaskQueue* queue =
      options->queue ? options->queue.get() : isolate->GetCurrentContext()->GetMicrotaskQueue();
  auto ignore = [](Local<Object>, int, v8::StartupData, void*) {};
  Local<Context> context = Context::New(isolate, nullptr, global, {}, +ignore, queue);
  if (context.IsEmpty() || !Prepare(isolate, context, *options) || !Connect(isolate, context, options)) return {};
  return options->sandbox.IsEmpty() ? context->Global() : options->sandbox;
}

/** makeContext(object or symbol, name, origin, strings, wasm, ownMicrotaskQueue, hostDefinedOptionId) */
void MakeContext(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  ContextOptions options;
  bool is_known = args[0]->IsObject() || args[0]->IsSymbol();
  if (!is_known || !args[3]->IsBoolean() || !args[4]->IsBoolean() || !args[6]->IsSymbol()) {
    return ThrowType(isolate, "makeContext takes an object, a name, an origin, two booleans, a boolean and a symbol");
  }
  if (CurrentState(isolate).IsEmpty()) return;
  if (args[0]->IsObject()) {
    options.sandbox = args[0].As<Object>();
    if (!ContextOfSandbox(isolate, args[0]).IsEmpty()) return ThrowType(isolate, "the object is a context already");
  }
  v8::HeapStatistics heap;
  isolate->GetHeapStatistics(&heap);
  if (heap.number_of_native_contexts() >= kMostContexts) {
    return ThrowCode(isolate, ErrorKind::kError, "ERR_OUT_OF_RANGE", "A process has at most 1024 contexts at a time");
  }
  options.strings = args[3].As<Boolean>();
  options.wasm = args[4].As<Boolean>();
  options.id = args[6].As<Symbol>();
  if (options.strings->IsFalse()) isolate->SetModifyCodeGenerationFromStringsCallback(MayCompileString);
  if (options.wasm->IsFalse()) isolate->SetAllowWasmCodeGenerationCallback(MayCompileWasm);
  if (args[5]->IsTrue()) options.queue = v8::MicrotaskQueue::New(isolate, v8::MicrotasksPolicy::kExplicit);
  Local<Object> made;
  if (MakeOne(isolate, &options).ToLocal(&made)) args.GetReturnValue().Set(made);
}

/** setContextCleanup(fn): fn(global) takes from a new context's global what a snapshot put there */
void SetContextCleanup(const Arguments& args) {
  if (!args[0]->IsFunction()) return ThrowType(args.GetIsolate(), "callback must be a function");
  SetStateValue(args.GetIsolate(), kContextCleanup, args[0]);
}

/** measureMemory(mode, execution): a promise of the heap's size; V8's own answer would wait for an idle isolate */
void MeasureMemory(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  Local<Context> context = isolate->GetCurrentContext();
  v8::HeapStatistics heap;
  isolate->GetHeapStatistics(&heap);
  Local<Value> used = Number::New(isolate, static_cast<double>(heap.used_heap_size()));
  Local<Value> range[] = {used, Number::New(isolate, static_cast<double>(heap.total_heap_size()))};
  Local<Object> total = Object::New(isolate);
  SetProperty(context, total, "jsMemoryEstimate", used);
  SetProperty(context, total, "jsMemoryRange", Array::New(isolate, range, 2));
  Local<Object> result = Object::New(isolate);
  SetProperty(context, result, "total", total);
  Local<Promise::Resolver> resolver;
  if (!Promise::Resolver::New(context).ToLocal(&resolver) || resolver->Resolve(context, result).IsNothing()) return;
  args.GetReturnValue().Set(resolver->GetPromise());
}

}  // namespace

Local<Context> ContextOfSandbox(Isolate* isolate, Local<Value> sandbox) {
  Local<Value> wrapper;
  Local<Context> context;
  if (!sandbox->IsObject() || CurrentState(isolate).IsEmpty()) return {};
  if (!GetHidden(isolate, sandbox.As<Object>(), kContextifyContext).ToLocal(&wrapper)) return {};
  if (!wrapper->IsObject() || !HolderTemplate(isolate)->HasInstance(wrapper)) return {};
  Local<Data> inside = wrapper.As<Object>()->GetInternalField(1);
  if (!inside->IsValue() || !inside.As<Value>()->IsObject()) return {};
  if (!inside.As<Value>().As<Object>()->GetCreationContext(isolate).ToLocal(&context)) return {};
  return context;
}

v8::MicrotaskQueue* OwnMicrotasks(Isolate* isolate, Local<Context> context) {
  Local<Data> data = EmbedderData(isolate, context, kHolderIndex);
  if (data.IsEmpty() || !data->IsValue() || !HolderTemplate(isolate)->HasInstance(data.As<Value>())) return nullptr;
  void* holder =
      data.As<Value>().As<Object>()->GetAlignedPointerFromInternalField(0, v8::kEmbedderDataTypeTagDefault);
  return holder ? static_cast<ContextHolder*>(static_cast<Wrapped*>(holder))->queue() : nullptr;
}

void InstallContexts(Local<Context> context, Local<Object> target) {
  Isolate* isolate = Isolate::GetCurrent();
  Local<FunctionTemplate> holder = FunctionTemplate::New(isolate);
  holder->InstanceTemplate()->SetInternalFieldCount(2);
  holder->SetClassName(Text(isolate, "ContextifyContext"));
  SetStateValue(isolate, kContextHolderTemplate, holder);
  Local<FunctionTemplate> global = FunctionTemplate::New(isolate);
  SetInterceptors(global->InstanceTemplate());
  SetStateValue(isolate, kContextGlobalTemplate, global);
  SetMethod(context, target, "makeContext", MakeContext);
  SetMethod(context, target, "setContextCleanup", SetContextCleanup);
  SetMethod(context, target, "measureMemory", MeasureMemory);
}

}  // namespace guest
