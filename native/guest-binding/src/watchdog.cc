#include <pthread.h>

#include <cerrno>
#include <ctime>
#include <string>

#include "code.h"

namespace guest {

struct Watchdog::Thread {
  Isolate* isolate;
  int64_t timeout_ms;
  pthread_t id;
  pthread_mutex_t mutex;
  pthread_cond_t condition;
  bool is_stopped;
  bool has_fired;

  static void* Run(void* data) {
    Thread* self = static_cast<Thread*>(data);
    timespec end{};
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += self->timeout_ms / 1000;
    end.tv_nsec += (self->timeout_ms % 1000) * 1000000;
    if (end.tv_nsec >= 1000000000) {
      end.tv_sec += 1;
      end.tv_nsec -= 1000000000;
    }
    pthread_mutex_lock(&self->mutex);
    int state = 0;
    while (!self->is_stopped && state != ETIMEDOUT) {
      state = pthread_cond_timedwait(&self->condition, &self->mutex, &end);
    }
    if (!self->is_stopped) {
      self->has_fired = true;
      self->isolate->TerminateExecution();
    }
    pthread_mutex_unlock(&self->mutex);
    return nullptr;
  }
};

Watchdog::Watchdog(Isolate* isolate, int64_t timeout_ms) {
  // Longer than any guest lives.
  constexpr int64_t kForeverMs = int64_t{1} << 40;
  if (timeout_ms < 0 || timeout_ms > kForeverMs) return;
  thread_ = new Thread{isolate, timeout_ms, {}, PTHREAD_MUTEX_INITIALIZER, {}, false, false};
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

bool Watchdog::Stop() {
  if (thread_ == nullptr) return false;
  pthread_mutex_lock(&thread_->mutex);
  thread_->is_stopped = true;
  pthread_cond_signal(&thread_->condition);
  pthread_mutex_unlock(&thread_->mutex);
  pthread_join(thread_->id, nullptr);
  bool has_fired = thread_->has_fired;
  pthread_cond_destroy(&thread_->condition);
  pthread_mutex_destroy(&thread_->mutex);
  delete thread_;
  thread_ = nullptr;
  return has_fired;
}

Watchdog::~Watchdog() {
  Stop();
}

void ThrowTimeout(Isolate* isolate, int64_t timeout_ms) {
  std::string message = "Script execution timed out after " + std::to_string(timeout_ms) + "ms";
  ThrowCode(isolate, ErrorKind::kError, "ERR_SCRIPT_EXECUTION_TIMEOUT", message.c_str());
}

}  // namespace guest
