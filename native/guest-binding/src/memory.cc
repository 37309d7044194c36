#include "memory.h"

#include "ledger.h"

namespace guest {
namespace {

using Share = std::shared_ptr<IsolateMemory>;

}  // namespace

Share IsolateMemory::Current(Isolate* isolate) {
  Local<Value> value = StateValue(isolate, kIsolateMemory);
  if (!value->IsExternal()) return nullptr;
  return *static_cast<Share*>(value.As<v8::External>()->Value(v8::kExternalPointerTypeTagDefault));
}

void* IsolateMemory::Reallocate(void* block, size_t size) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (is_over_ || size > kLargestBlock) return nullptr;
  void* moved = std::realloc(block, size);
  if (moved == nullptr) return nullptr;
  if (block != nullptr) blocks_.erase(block);
  blocks_.insert(moved);
  return moved;
}

void IsolateMemory::Free(void* block) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (blocks_.erase(block) > 0) std::free(block);
}

void IsolateMemory::Hold(std::shared_ptr<BackingStore> store) {
  constexpr size_t kMost = 1024;
  std::lock_guard<std::mutex> lock(mutex_);
  if (is_over_) return;
  for (const auto& held : held_) {
    if (held == store) return;
  }
  held_.push_back(std::move(store));
  if (held_.size() > kMost) held_.pop_front();
}

void IsolateMemory::End() {
  Ledger::Get().Close(isolate_);
  std::deque<std::shared_ptr<BackingStore>> held;
  std::lock_guard<std::mutex> lock(mutex_);
  held.swap(held_);
  is_over_ = true;
  for (void* block : blocks_) std::free(block);
  blocks_.clear();
}

void InstallMemory(Isolate* isolate) {
  Share* share = new Share(std::make_shared<IsolateMemory>(isolate));
  auto end = [](void*, size_t, void* data) {
    Share* held = static_cast<Share*>(data);
    (*held)->End();
    delete held;
  };
  std::unique_ptr<BackingStore> store = ArrayBuffer::NewBackingStore(share, 1, end, share);
  SetStateValue(isolate, kIsolateMemoryAnchor, ArrayBuffer::New(isolate, std::move(store)));
  SetStateValue(isolate, kIsolateMemory, v8::External::New(isolate, share, v8::kExternalPointerTypeTagDefault));
}

}  // namespace guest
