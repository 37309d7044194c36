// What the parts that compile and run guest code share: contexts, host-defined options, errors' arrows, timeouts.
#ifndef GUEST_CODE_H
#define GUEST_CODE_H

#include <string>

#include "binding.h"

namespace guest {

/** "file:line", the source line and carets below its culprit; empty where there is none. */
std::string ErrorSource(Isolate* isolate, Local<v8::Message> message);
/** Puts "file:line", the source line and carets into the error's arrow message. Runs no guest code it cannot stop. */
void AppendArrow(Isolate* isolate, Local<Value> error, Local<v8::Message> message);
/** The same, and in front of the error's stack. */
void DecorateStack(Isolate* isolate, Local<Value> error, Local<v8::Message> message);

/** The context that makeContext made of an object; empty for any other. */
Local<Context> ContextOfSandbox(Isolate* isolate, Local<Value> sandbox);
/** The queue of its own that a context was made with, or null. */
v8::MicrotaskQueue* OwnMicrotasks(Isolate* isolate, Local<Context> context);

/** Where host-defined options keep the symbol that names who compiled the code, as in Node. */
constexpr int kOptionId = 8;
constexpr int kOptionsLength = 9;
Local<v8::PrimitiveArray> HostDefinedOptions(Isolate* isolate, Local<Symbol> id);

/**
 * What V8 sees of cached data that a guest gives: data it rejects; null where the guest gives none. V8 runs the
 * bytecode in such data as it is, so bytes that a guest can write must never be used.
 */
v8::ScriptCompiler::CachedData* RefusedCachedData(Local<Value> view);
/** Sets `cachedDataRejected`, `cachedDataProduced` and `cachedData` on a result. */
bool StoreCacheResult(Isolate* isolate, Local<Object> target, const v8::ScriptCompiler::Source& source,
                      bool is_produced, std::unique_ptr<v8::ScriptCompiler::CachedData> made);
/** Code cache as a Buffer. */
MaybeLocal<Uint8Array> CacheBuffer(Isolate* isolate, const v8::ScriptCompiler::CachedData* data);

MaybeLocal<v8::Module> CompileModule(Isolate* isolate, Local<String> code, const v8::ScriptOrigin& origin,
                                     v8::ScriptCompiler::CachedData* cached, bool* is_rejected);

/** A number argument as an int, 0 where it is none. */
inline int ReadInt(Local<Value> value) { return value->IsInt32() ? value.As<Int32>()->Value() : 0; }

/**
 * Ends JavaScript of an isolate after a time, or when the kernel has set a word, from a thread of its own, which is
 * joined before the call that started it returns: so the isolate cannot be gone when it fires.
 */
class Watchdog {
 public:
  /** Why it has ended the execution, if it has. */
  enum class Fired { kNothing, kTimeout, kInterrupt };

  /** -1 is no limit; a negative or absurd one counts as no limit, too. `interrupt` is null where nothing interrupts. */
  Watchdog(Isolate* isolate, int64_t timeout_ms, const int32_t* interrupt = nullptr);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  void operator=(const Watchdog&) = delete;

  /** False when the thread could not be started. */
  bool is_running() const { return is_running_; }
  /** Stops waiting. */
  Fired Stop();

 private:
  struct Thread;
  bool is_running_ = true;
  Thread* thread_ = nullptr;
};

/** Lets JavaScript run again after a watchdog has fired, and throws what that means. */
void ThrowFired(Isolate* isolate, Watchdog::Fired fired, int64_t timeout_ms);

}  // namespace guest

#endif
