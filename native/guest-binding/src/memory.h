// Memory of the C library that belongs to one isolate: what is left of it is freed when the isolate is gone.
//
// V8 tells nobody that an isolate is disposed of, and runs no weak callbacks then; but it frees every backing
// store. So an ArrayBuffer in the state object, whose deleter ends the isolate's share, is the end we can see.
#ifndef GUEST_MEMORY_H
#define GUEST_MEMORY_H

#include <deque>
#include <memory>
#include <mutex>
#include <unordered_set>

#include "binding.h"

namespace guest {

class IsolateMemory {
 public:
  /** One serialised value is never larger than this. */
  static constexpr size_t kLargestBlock = size_t{1} << 30;

  explicit IsolateMemory(Isolate* isolate) : isolate_(isolate) {}

  /** The memory of the current context's isolate; null where the module is not set up. */
  static std::shared_ptr<IsolateMemory> Current(Isolate* isolate);

  /** Like realloc(); null when there is no memory, when it is too much, or when the isolate is gone. */
  void* Reallocate(void* block, size_t size);
  /** Frees a block unless the isolate's end did. */
  void Free(void* block);
  /** Keeps shared memory while the isolate lives; of many, the latest. */
  void Hold(std::shared_ptr<BackingStore> store);
  void End();

 private:
  Isolate* isolate_;
  std::mutex mutex_;
  bool is_over_ = false;
  std::unordered_set<void*> blocks_;
  std::deque<std::shared_ptr<BackingStore>> held_;
};

void InstallMemory(Isolate* isolate);
void InstallSharedBuffers(Local<Context> context, Local<Object> target);

}  // namespace guest

#endif
