// What the guest's event loop needs of V8: microtasks, promise events, continuation data, the stack's limit.
#include <pthread.h>

#include "binding.h"

namespace guest {
namespace {

/** Runs all microtasks; nothing when called from one, as in Node. */
void RunMicrotasks(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  isolate->GetCurrentContext()->GetMicrotaskQueue()->PerformCheckpoint(isolate);
}

void EnqueueMicrotask(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  if (!args[0]->IsFunction()) return ThrowType(isolate, "callback must be a function");
  isolate->GetCurrentContext()->GetMicrotaskQueue()->EnqueueMicrotask(isolate, args[0].As<Function>());
}

void OnPromiseReject(v8::PromiseRejectMessage message) {
  Local<Promise> promise = message.GetPromise();
  Isolate* isolate = Isolate::GetCurrent();
  HandleScope scope(isolate);
  Local<Context> context;
  if (!promise->GetCreationContext(isolate).ToLocal(&context)) return;
  Local<Object> state = StateOf(context);
  if (state.IsEmpty()) return;
  Local<Data> callback = state->GetInternalField(kPromiseRejectCallback);
  if (!callback->IsValue() || !callback.As<Value>()->IsFunction()) return;
  Local<Value> value = message.GetValue();
  if (value.IsEmpty()) value = Undefined(isolate);
  Local<Value> arguments[] = {Integer::New(isolate, message.GetEvent()), promise, value};
  TryCatch ignored(isolate);
  Context::Scope entered(context);
  USE(callback.As<Value>().As<Function>()->Call(context, Undefined(isolate), 3, arguments));
}

void SetPromiseRejectCallback(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  if (!args[0]->IsFunction()) return ThrowType(isolate, "callback must be a function");
  SetStateValue(isolate, kPromiseRejectCallback, args[0]);
  isolate->SetPromiseRejectCallback(OnPromiseReject);
}

void SetPromiseHooks(const Arguments& args) {
  Local<Function> hooks[4];
  for (int index = 0; index < 4; index++) {
    if (args[index]->IsFunction()) {
      hooks[index] = args[index].As<Function>();
    } else if (!args[index]->IsNullOrUndefined()) {
      return ThrowType(args.GetIsolate(), "a promise hook must be a function or undefined");
    }
  }
  args.GetIsolate()->GetCurrentContext()->SetPromiseHooks(hooks[0], hooks[1], hooks[2], hooks[3]);
}

void GetContinuationData(const Arguments& args) {
  Local<Data> data = args.GetIsolate()->GetContinuationPreservedEmbedderDataV2();
  if (!data.IsEmpty() && data->IsValue()) args.GetReturnValue().Set(data.As<Value>());
}

void SetContinuationData(const Arguments& args) {
  args.GetIsolate()->SetContinuationPreservedEmbedderDataV2(args[0]);
}

/** Lowest address of the calling thread's stack, or null. */
char* StackBase() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return nullptr;
  void* base = nullptr;
  size_t size = 0;
  int failed = pthread_attr_getstack(&attributes, &base, &size);
  pthread_attr_destroy(&attributes);
  return failed == 0 ? static_cast<char*>(base) : nullptr;
}

/**
 * setStackLimit(slackBytes, sizeBytes?): JavaScript overflows `slackBytes` above the end of the thread's stack,
 * or, if that is less, after `sizeBytes` from here. isolated-vm sets its own limit, with 24 KiB of slack, at each
 * entry from its thread pool, so this is called at the start of a guest's one long call.
 */
void SetStackLimit(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  if (!args[0]->IsUint32() || !(args[1]->IsUndefined() || args[1]->IsUint32())) {
    return ThrowType(isolate, "setStackLimit takes numbers of bytes");
  }
  char* base = StackBase();
  if (base == nullptr) return;
  char here;
  uintptr_t now = reinterpret_cast<uintptr_t>(&here);
  uintptr_t limit = reinterpret_cast<uintptr_t>(base) + args[0].As<Uint32>()->Value();
  if (args[1]->IsUint32()) {
    uintptr_t size = args[1].As<Uint32>()->Value();
    if (size < now && now - size > limit) limit = now - size;
  }
  if (limit >= now) return ThrowCode(isolate, ErrorKind::kRangeError, "ERR_OUT_OF_RANGE", "The stack has no such room");
  isolate->SetStackLimit(limit);
  args.GetReturnValue().Set(static_cast<double>(now - limit));
}

}  // namespace

void InstallLoop(Local<Context> context, Local<Object> target) {
  SetMethod(context, target, "runMicrotasks", RunMicrotasks);
  SetMethod(context, target, "enqueueMicrotask", EnqueueMicrotask);
  SetMethod(context, target, "setPromiseRejectCallback", SetPromiseRejectCallback);
  SetMethod(context, target, "setPromiseHooks", SetPromiseHooks);
  SetPure(context, target, "getContinuationPreservedEmbedderData", GetContinuationData);
  SetMethod(context, target, "setContinuationPreservedEmbedderData", SetContinuationData);
  SetMethod(context, target, "setStackLimit", SetStackLimit);
}

}  // namespace guest
