// Clocks, the heap's numbers, and the compilation of Node's own builtins.
#include "binding.h"

#include <sched.h>

#include <ctime>
#include <vector>

namespace guest {
namespace {

void ReturnClock(const Arguments& args, clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  const uint64_t nanoseconds = static_cast<uint64_t>(now.tv_sec) * 1000000000u + static_cast<uint64_t>(now.tv_nsec);
  args.GetReturnValue().Set(v8::BigInt::NewFromUnsigned(args.GetIsolate(), nanoseconds));
}

/** hrtime(): nanoseconds of a clock that never goes back, as a BigInt */
void Hrtime(const Arguments& args) { ReturnClock(args, CLOCK_MONOTONIC); }

/** now(): the same clock in milliseconds, as a number */
void Now(const Arguments& args) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  args.GetReturnValue().Set(static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6);
}

/** cpuTime(): nanoseconds this thread has computed, as a BigInt */
void CpuTime(const Arguments& args) { ReturnClock(args, CLOCK_THREAD_CPUTIME_ID); }

/** currentCore(): the core this thread runs on, now */
void CurrentCore(const Arguments& args) { args.GetReturnValue().Set(sched_getcpu()); }

/** yieldCore(): lets another thread that wants this core have it */
void YieldCore(const Arguments&) { sched_yield(); }

/** heapStatistics(): the numbers of v8.getHeapStatistics() in the order of Node's heapStatisticsBuffer */
void HeapStatistics(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  v8::HeapStatistics heap;
  isolate->GetHeapStatistics(&heap);
  const double values[] = {
      static_cast<double>(heap.total_heap_size()),
      static_cast<double>(heap.total_heap_size_executable()),
      static_cast<double>(heap.total_physical_size()),
      static_cast<double>(heap.total_available_size()),
      static_cast<double>(heap.used_heap_size()),
      static_cast<double>(heap.heap_size_limit()),
      static_cast<double>(heap.malloced_memory()),
      static_cast<double>(heap.peak_malloced_memory()),
      static_cast<double>(heap.does_zap_garbage()),
      static_cast<double>(heap.number_of_native_contexts()),
      static_cast<double>(heap.number_of_detached_contexts()),
      static_cast<double>(heap.total_global_handles_size()),
      static_cast<double>(heap.used_global_handles_size()),
      static_cast<double>(heap.external_memory()),
  };
  LocalVector<Value> numbers(isolate);
  for (const double value : values) numbers.push_back(Number::New(isolate, value));
  args.GetReturnValue().Set(Array::New(isolate, numbers.data(), numbers.size()));
}

/** What an isolate at its limit gets to unwind in. */
constexpr size_t kUnwindBytes = size_t{32} << 20;
/** What it gets when that was not enough: one large value, whose failure V8 would not survive. */
constexpr size_t kLargeBytes = size_t{256} << 20;

/** How often the isolate that runs on this thread has met its limit. */
thread_local int times_at_limit = 0;

size_t NearHeapLimit(void* data, size_t current, size_t) {
  static_cast<Isolate*>(data)->TerminateExecution();
  times_at_limit++;
  return current + (times_at_limit == 1 ? kUnwindBytes : kLargeBytes);
}

/**
 * limitHeap(): from now on the isolate's own code is ended where its heap is full. isolated-vm itself lends it a
 * gigabyte first, more than the whole VM may have.
 */
void LimitHeap(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  // V8 ends the process when a callback is added twice.
  if (StateValue(isolate, kHeapIsLimited)->IsTrue()) return;
  SetStateValue(isolate, kHeapIsLimited, v8::True(isolate));
  times_at_limit = 0;
  isolate->AddNearHeapLimitCallback(NearHeapLimit, isolate);
}

/** lowerHeapLimit(bytes): the heap's limit is this from now on, where it is not lower already; never below what is used */
void LowerHeapLimit(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  if (!args[0]->IsNumber() || !StateValue(isolate, kHeapIsLimited)->IsTrue()) return;
  const double bytes = args[0].As<Number>()->Value();
  if (!(bytes >= 1)) return;
  // V8 sets a limit only where a callback is taken away.
  isolate->RemoveNearHeapLimitCallback(NearHeapLimit, static_cast<size_t>(bytes));
  isolate->AddNearHeapLimitCallback(NearHeapLimit, isolate);
}

/** collectGarbage(): frees what of the heap nobody holds, at once */
void CollectGarbage(const Arguments& args) { args.GetIsolate()->LowMemoryNotification(); }

/** compileBuiltin(source, filename, parameters): the source as the body of a function */
void CompileBuiltin(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  Local<Context> context = isolate->GetCurrentContext();
  if (!args[0]->IsString() || !args[1]->IsString() || !args[2]->IsArray()) {
    return ThrowType(isolate, "source, filename and parameters are needed");
  }
  LocalVector<String> parameters(isolate);
  Local<Array> names = args[2].As<Array>();
  for (uint32_t index = 0; index < names->Length(); index++) {
    Local<Value> name;
    if (!names->Get(context, index).ToLocal(&name)) return;
    if (!name->IsString()) return ThrowType(isolate, "a parameter must be a string");
    parameters.push_back(name.As<String>());
  }
  v8::ScriptOrigin origin(args[1]);
  v8::ScriptCompiler::Source source(args[0].As<String>(), origin);
  Local<Function> function;
  if (v8::ScriptCompiler::CompileFunction(context, &source, parameters.size(), parameters.data()).ToLocal(&function)) {
    args.GetReturnValue().Set(function);
  }
}

}  // namespace

void InstallMachine(Local<Context> context, Local<Object> target) {
  SetMethod(context, target, "hrtime", Hrtime);
  SetMethod(context, target, "now", Now);
  SetMethod(context, target, "cpuTime", CpuTime);
  SetMethod(context, target, "currentCore", CurrentCore);
  SetMethod(context, target, "yieldCore", YieldCore);
  SetMethod(context, target, "heapStatistics", HeapStatistics);
  SetMethod(context, target, "compileBuiltin", CompileBuiltin);
  SetMethod(context, target, "limitHeap", LimitHeap);
  SetMethod(context, target, "lowerHeapLimit", LowerHeapLimit);
  SetMethod(context, target, "collectGarbage", CollectGarbage);
}

}  // namespace guest
