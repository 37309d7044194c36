#include <pthread.h>

#include <ctime>
#include <string>

#include "code.h"

namespace guest {

namespace {

/** How often the kernel's word is looked at. */
constexpr int64_t kLookMs = 20;
/** Longer than any guest lives. */
constexpr int64_t kForeverMs = int64_t{1} << 40;

int64_t NowMs() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1000000;
}

}  // namespace

struct Watchdog::Thread {
  Isolate* isolate;
  int64_t end_ms;
  const int32_t* interrupt;
  pthread_t id;
  pthread_mutex_t mutex;
  pthread_cond_t condition;
  bool is_stopped;
  Fired fired;

  Fired Look(int64_t now_ms) const {
    if (interrupt != nullptr && __atomic_load_n(interrupt, __ATOMIC_ACQUIRE) != 0) return Fired::kInterrupt;
    return now_ms >= end_ms ? Fired::kTimeout : Fired::kNothing;
  }

  static void* Run(void* data) {
    Thread* self = static_cast<Thread*>(data);
    pthread_mutex_lock(&self->mutex);
    while (!self->is_stopped) {
      int64_t now_ms = NowMs();
      self->fired = self->Look(now_ms);
      if (self->fired != Fired::kNothing) {
        self->isolate->TerminateExecution();
        break;
      }
      int64_t next_ms = self->end_ms;
      if (self->interrupt != nullptr && next_ms > now_ms + kLookMs) next_ms = now_ms + kLookMs;
      // A millisecond later: the clock's own fraction is cut off above.
      timespec next{static_cast<time_t>((next_ms + 1) / 1000), static_cast<long>((next_ms + 1) % 1000) * 1000000};
      pthread_cond_timedwait(&self->condition, &self->mutex, &next);
    }
    pthread_mutex_unlock(&self->mutex);
    return nullptr;
  }
};

Watchdog::Watchdog(Isolate* isolate, int64_t timeout_ms, const int32_t* interrupt) {
  bool is_limited = timeout_ms >= 0 && timeout_ms <= kForeverMs;
  if (!is_limited && interrupt == nullptr) return;
  int64_t end_ms = NowMs() + (is_limited ? timeout_ms : kForeverMs);
  thread_ = new Thread{isolate, end_ms, interrupt, {}, PTHREAD_MUTEX_INITIALIZER, {}, false, Fired::kNothing};
  pthread_condattr_t clock;
  pthread_condattr_init(&clock);
  pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
  pthread_cond_init(&thread_->condition, &clock);
  pthread_condattr_destroy(&clock);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 128 * 1024);
  is_running_ = pthread_create(&thread_->id, &attributes, Thread::Run, thread_) == 0;
  pthread_attr_destroy(&attributes);
  if (is_running_) return;
  pthread_cond_destroy(&thread_->condition);
  delete thread_;
  thread_ = nullptr;
}

Watchdog::Fired Watchdog::Stop() {
  if (thread_ == nullptr) return Fired::kNothing;
  pthread_mutex_lock(&thread_->mutex);
  thread_->is_stopped = true;
  pthread_cond_signal(&thread_->condition);
  pthread_mutex_unlock(&thread_->mutex);
  pthread_join(thread_->id, nullptr);
  Fired fired = thread_->fired;
  pthread_cond_destroy(&thread_->condition);
  pthread_mutex_destroy(&thread_->mutex);
  delete thread_;
  thread_ = nullptr;
  return fired;
}

Watchdog::~Watchdog() {
  Stop();
}

void ThrowFired(Isolate* isolate, Watchdog::Fired fired, int64_t timeout_ms) {
  isolate->CancelTerminateExecution();
  if (fired == Watchdog::Fired::kInterrupt) {
    ThrowCode(isolate, ErrorKind::kError, "ERR_SCRIPT_EXECUTION_INTERRUPTED",
              "Script execution was interrupted by `SIGINT`");
    return;
  }
  std::string message = "Script execution timed out after " + std::to_string(timeout_ms) + "ms";
  ThrowCode(isolate, ErrorKind::kError, "ERR_SCRIPT_EXECUTION_TIMEOUT", message.c_str());
}

}  // namespace guest
