// Shared memory between the threads of one process: a SharedArrayBuffer under a name that another isolate opens.
#include <mutex>
#include <random>
#include <string>
#include <unordered_map>

#include "memory.h"

namespace guest {
namespace {

std::mutex mutex;

/** Buffers that some isolate holds, by their names. */
std::unordered_map<std::string, std::weak_ptr<BackingStore>>& Names() {
  static auto* names = new std::unordered_map<std::string, std::weak_ptr<BackingStore>>();
  return *names;
}

std::string NewName() {
  static std::random_device random;
  char name[40];
  std::snprintf(name, sizeof name, "%08x%08x%08x%08x", random(), random(), random(), random());
  return name;
}

std::string NameOf(const std::shared_ptr<BackingStore>& store) {
  std::lock_guard<std::mutex> lock(mutex);
  auto& names = Names();
  for (auto entry = names.begin(); entry != names.end();) {
    std::shared_ptr<BackingStore> known = entry->second.lock();
    if (known == store) return entry->first;
    entry = known ? std::next(entry) : names.erase(entry);
  }
  std::string name = NewName();
  names.emplace(name, store);
  return name;
}

/** shareBuffer(sharedArrayBuffer): its name; the isolate holds its memory from now on */
void ShareBuffer(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  if (!args[0]->IsSharedArrayBuffer()) return ThrowType(isolate, "takes a SharedArrayBuffer");
  std::shared_ptr<IsolateMemory> memory = IsolateMemory::Current(isolate);
  if (!memory) return ThrowNoMemory(isolate);
  std::shared_ptr<BackingStore> store = args[0].As<SharedArrayBuffer>()->GetBackingStore();
  memory->Hold(store);
  Local<String> name;
  if (String::NewFromUtf8(isolate, NameOf(store).c_str()).ToLocal(&name)) args.GetReturnValue().Set(name);
}

/** openSharedBuffer(name): a SharedArrayBuffer of that memory; undefined where nobody holds it any more */
void OpenSharedBuffer(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  if (!args[0]->IsString()) return ThrowType(isolate, "takes a name");
  std::shared_ptr<BackingStore> store;
  {
    Utf8 name(isolate, args[0]);
    std::lock_guard<std::mutex> lock(mutex);
    auto found = Names().find(std::string(name.data(), name.length()));
    if (found != Names().end()) store = found->second.lock();
  }
  if (store) args.GetReturnValue().Set(SharedArrayBuffer::New(isolate, std::move(store)));
}

}  // namespace

void InstallSharedBuffers(Local<Context> context, Local<Object> target) {
  SetMethod(context, target, "shareBuffer", ShareBuffer);
  SetMethod(context, target, "openSharedBuffer", OpenSharedBuffer);
}

}  // namespace guest
