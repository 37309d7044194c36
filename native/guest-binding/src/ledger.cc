#include "ledger.h"

#include <malloc.h>
#include <pthread.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "node_version.h"
#include "v8-statistics.h"

#define JOINED(base, version) base##version
#define KERNEL_ENTRY_OF(version) JOINED(node_register_module_v, version)
/** The name that Node looks for in an addon. */
#define KERNEL_ENTRY KERNEL_ENTRY_OF(NODE_MODULE_VERSION)

namespace guest {
namespace {

using std::chrono::milliseconds;

/** Between two looks, by how full the VM is. A guest fills about two gigabytes in a second. */
constexpr milliseconds kRareLook{50};
constexpr milliseconds kLook{20};
constexpr milliseconds kOftenLook{4};
/** Above this part of the limit isolates collect their garbage, and again when so much has come up. */
constexpr double kHigh = 0.8;
constexpr size_t kCollectStep = size_t{64} << 20;
/** An isolate with less has no garbage worth a collection. */
constexpr size_t kSmall = size_t{16} << 20;
/** One that has less, or a smaller part of the limit, is not why the cell has too much: then nobody is killed for that. */
constexpr size_t kPlausible = size_t{32} << 20;
constexpr size_t kPlausiblePart = 16;
/** An isolate that has computed for so long without publishing, though it was asked, is inside V8 and may have taken anything. */
constexpr int64_t kSilentNs = 50'000'000;
/** How long V8 keeps the pages of an isolate that has ended: --memory-pool-timeout, and a task to come. */
constexpr milliseconds kPoolTime{15'000};
/** How long it takes until all that an isolate had is free. */
constexpr milliseconds kSettleTime{300};
/** How long an isolate waits for a killed process to be gone; its disposal must not wait longer. */
constexpr int kLongestWaitMs = 250;

int64_t ReadClock(clockid_t clock) {
  timespec now{};
  if (clock_gettime(clock, &now) != 0) return 0;
  return static_cast<int64_t>(now.tv_sec) * 1000000000 + now.tv_nsec;
}

clockid_t OwnClock() {
  clockid_t clock = CLOCK_THREAD_CPUTIME_ID;
  pthread_getcpuclockid(pthread_self(), &clock);
  return clock;
}

/** The most memory that the cell has had; while it grows, that is what it has. */
size_t ReadPeak() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<size_t>(usage.ru_maxrss) * 1024;
}

struct Use {
  size_t heap;
  size_t all;
};

Use Measure(Isolate* isolate) {
  v8::HeapStatistics heap;
  isolate->GetHeapStatistics(&heap);
  const size_t physical = heap.total_physical_size();
  return {physical, physical + heap.malloced_memory() + heap.external_memory()};
}

/** Bytes of the pages that this thread was the first to touch. */
int64_t ReadTouched() {
  constexpr int64_t kPageBytes = 4096;
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_minflt * kPageBytes;
}

void PublishAfterCollection(Isolate* isolate, v8::GCType, v8::GCCallbackFlags) { Ledger::Get().Publish(isolate); }

void PublishWhenAsked(Isolate* isolate, void*) { Ledger::Get().Publish(isolate); }

}  // namespace

Ledger& Ledger::Get() {
  // Never destroyed: its thread may look while the cell exits.
  static Ledger* ledger = new Ledger();
  return *ledger;
}

void Ledger::Start(Isolate* kernel, size_t limit) {
  const Use own = Measure(kernel);
  std::lock_guard<std::mutex> lock(mutex_);
  const bool is_first = limit_ == 0;
  limit_ = limit;
  if (!is_first) return;
  peak_ = ReadPeak();
  base_ = peak_ > own.all ? peak_ - own.all : 0;
  accounts_.push_back({.isolate = kernel, .process = 0, .bytes = own.all, .heap = own.heap, .clock = OwnClock()});
  kernel->AddGCEpilogueCallback(PublishAfterCollection);
}

void Ledger::Open(Isolate* isolate, int process) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (Find(isolate) != nullptr) return;
    const clockid_t clock = OwnClock();
    const int64_t now = ReadClock(clock);
    accounts_.push_back({.isolate = isolate, .process = process, .clock = clock, .opened_ns = now, .published_ns = now,
                         .touched = ReadTouched()});
    if (limit_ > 0 && !is_running_) {
      is_running_ = true;
      std::thread([this] { Run(); }).detach();
    }
    wake_.notify_one();
  }
  isolate->AddGCEpilogueCallback(PublishAfterCollection);
  Publish(isolate);
}

void Ledger::Close(Isolate* isolate) {
  std::lock_guard<std::mutex> lock(mutex_);
  const Account* account = Find(isolate);
  if (account == nullptr) return;
  leavings_ += account->bytes;
  pooled_ += account->heap;
  closed_at_ = Clock::now();
  std::erase_if(accounts_, [isolate](const Account& one) { return one.isolate == isolate; });
}

void Ledger::Publish(Isolate* isolate) {
  const Use use = Measure(isolate);
  const int64_t touched = ReadTouched();
  bool is_guest = false;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    Account* account = Find(isolate);
    if (account == nullptr) return;
    // A heap grows into the pages that others have left.
    if (use.heap > account->heap) pooled_ -= std::min(pooled_, use.heap - account->heap);
    account->bytes = use.all;
    account->heap = use.heap;
    account->recent = account->recent - account->recent / 8 + std::max<int64_t>(0, touched - account->touched);
    account->touched = touched;
    account->published_ns = ReadClock(account->clock);
    account->is_asked = false;
    Check();
    is_guest = account->process != 0 && !account->is_killed;
  }
  // Others must not fill what the killed process has yet to give back.
  for (int waited = 0; is_guest && waited < kLongestWaitMs && IsInTheWay(); waited++) {
    std::this_thread::sleep_for(milliseconds(1));
  }
}

void Ledger::SetLargestProgram(size_t bytes) {
  std::lock_guard<std::mutex> lock(mutex_);
  largest_program_ = bytes;
}

bool Ledger::KillLargest(size_t resident) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!IsBeyond(resident)) return true;
  return KillLargestLocked(resident - pooled_, std::max(kPlausible, limit_ / kPlausiblePart));
}

bool Ledger::IsBeyond(size_t resident) {
  // V8 has no way to return them sooner.
  if (Clock::now() - closed_at_ > kPoolTime) pooled_ = 0;
  const bool is_settled = Sum(true) == Sum(false) && Clock::now() - closed_at_ > kSettleTime;
  return is_settled && resident > limit_ + pooled_;
}

bool Ledger::TakeProgramShortage() {
  std::lock_guard<std::mutex> lock(mutex_);
  return std::exchange(is_program_short_, false);
}

size_t Ledger::UsedBytes() {
  std::lock_guard<std::mutex> lock(mutex_);
  return base_ + Sum(true);
}

std::vector<Ledger::Account> Ledger::Accounts() {
  std::lock_guard<std::mutex> lock(mutex_);
  return accounts_;
}

void Ledger::Run() {
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    const size_t sum = base_ + Sum(true);
    const milliseconds pause = sum > limit_ / 2 ? kOftenLook : sum > limit_ / 4 ? kLook : kRareLook;
    // Without guests, and with nothing to give back, there is nothing to look at.
    if (accounts_.size() > 1 || leavings_ > kSmall) {
      wake_.wait_for(lock, pause);
    } else {
      wake_.wait(lock);
    }
    Look();
    if (leavings_ < kSmall) continue;
    leavings_ = 0;
    lock.unlock();
    // The C library keeps what was freed in small pieces, as if it were in use.
    malloc_trim(0);
    lock.lock();
  }
}

void Ledger::Look() {
  const size_t peak = ReadPeak();
  const bool is_rising = peak > peak_;
  peak_ = peak;
  AskToPublish();
  Collect();
  Check();
  // What no account knows of: memory of the C library, buffers that isolates share.
  if (is_rising && IsBeyond(peak)) KillLargestLocked(peak - pooled_, std::max(kPlausible, limit_ / kPlausiblePart));
}

/** Asks the isolates whose threads have worked since they last published; a sleeping one has not grown. */
void Ledger::AskToPublish() {
  for (Account& account : accounts_) {
    if (account.process == 0 || account.is_asked || account.is_killed) continue;
    if (ReadClock(account.clock) <= account.published_ns) continue;
    account.is_asked = true;
    account.isolate->RequestInterrupt(PublishWhenAsked, nullptr);
  }
}

void Ledger::Check() {
  if (limit_ == 0) return;
  const size_t living = base_ + Sum(false);
  // Memory that was asked for and never touched is not in use.
  if (living > limit_ && ReadPeak() > limit_) KillLargestLocked(living, 0);
}

/**
 * Has isolates collect their garbage before anybody is killed for it. Only on the ledger's own thread: on an isolate's
 * own, V8 would collect at once.
 */
void Ledger::Collect() {
  const size_t living = base_ + Sum(false);
  if (static_cast<double>(living) < static_cast<double>(limit_) * kHigh) {
    collected_at_ = 0;
    return;
  }
  if (living < collected_at_ + kCollectStep) return;
  collected_at_ = living;
  for (const Account& account : accounts_) {
    if (account.process == 0 || account.is_killed || account.bytes < kSmall) continue;
    account.isolate->MemoryPressureNotification(v8::MemoryPressureLevel::kCritical);
  }
}

/**
 * `use` is what is in use of the cell: what of it no account knows of is most likely of whoever touches new pages now.
 * Nobody is killed who has less than `least`: what an ended process has yet to give back is nobody's.
 */
bool Ledger::KillLargestLocked(size_t use, size_t least) {
  const size_t known = base_ + Sum(false);
  const int64_t unknown = use > known ? static_cast<int64_t>(use - known) : 0;
  int largest = 0;
  size_t most = 0;
  for (const Account& candidate : accounts_) {
    if (candidate.process == 0 || candidate.is_killed) continue;
    size_t bytes = 0;
    for (const Account& account : accounts_) {
      if (account.process != candidate.process) continue;
      const bool is_silent = account.is_asked && ReadClock(account.clock) - account.published_ns > kSilentNs;
      bytes += account.bytes + static_cast<size_t>(is_silent ? unknown : std::min(unknown, account.recent));
    }
    if (bytes < most) continue;
    most = bytes;
    largest = candidate.process;
  }
  if (largest_program_ > most) {
    is_program_short_ = true;
    return false;
  }
  if (largest == 0) return false;
  if (most < least) return true;
  for (Account& account : accounts_) {
    if (account.process != largest) continue;
    account.is_killed = true;
    account.isolate->TerminateExecution();
  }
  return true;
}

Ledger::Account* Ledger::Find(Isolate* isolate) {
  for (Account& account : accounts_) {
    if (account.isolate == isolate) return &account;
  }
  return nullptr;
}

size_t Ledger::Sum(bool with_killed) const {
  size_t sum = 0;
  for (const Account& account : accounts_) {
    if (with_killed || !account.is_killed) sum += account.bytes;
  }
  return sum;
}

bool Ledger::IsInTheWay() {
  std::lock_guard<std::mutex> lock(mutex_);
  return limit_ > 0 && base_ + Sum(true) > limit_ && Sum(true) > Sum(false);
}

namespace {

/** joinLedger(process): this isolate's memory and time are that process's from now on */
void JoinLedger(const Arguments& args) {
  if (!args[0]->IsInt32()) return ThrowType(args.GetIsolate(), "process must be a number");
  Ledger::Get().Open(args.GetIsolate(), args[0].As<Int32>()->Value());
}

size_t SizeOf(Local<Value> value) {
  return value->IsNumber() ? static_cast<size_t>(std::max(0.0, value.As<Number>()->Value())) : 0;
}

/** start(limitBytes) */
void Start(const Arguments& args) { Ledger::Get().Start(args.GetIsolate(), SizeOf(args[0])); }

/** publish(): the kernel's own account, now */
void Publish(const Arguments& args) { Ledger::Get().Publish(args.GetIsolate()); }

/** setLargestProgram(bytes) */
void SetLargestProgram(const Arguments& args) { Ledger::Get().SetLargestProgram(SizeOf(args[0])); }

/** killLargest(residentBytes): false where a program must end instead */
void KillLargest(const Arguments& args) {
  args.GetReturnValue().Set(Ledger::Get().KillLargest(SizeOf(args[0])));
}

/** takeProgramShortage(): whether the largest program must end */
void TakeProgramShortage(const Arguments& args) { args.GetReturnValue().Set(Ledger::Get().TakeProgramShortage()); }

/** usedBytes(): all accounts, and what the cell has beside them */
void UsedBytes(const Arguments& args) {
  args.GetReturnValue().Set(static_cast<double>(Ledger::Get().UsedBytes()));
}

/** accounts(): four numbers for each isolate: its process, bytes, milliseconds computed, and 1 where it is killed */
void Accounts(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  LocalVector<Value> numbers(isolate);
  for (const Ledger::Account& account : Ledger::Get().Accounts()) {
    numbers.push_back(Integer::New(isolate, account.process));
    numbers.push_back(Number::New(isolate, static_cast<double>(account.bytes)));
    const int64_t computed = ReadClock(account.clock) - account.opened_ns;
    numbers.push_back(Number::New(isolate, static_cast<double>(std::max<int64_t>(0, computed)) / 1e6));
    numbers.push_back(Integer::New(isolate, account.is_killed ? 1 : 0));
  }
  args.GetReturnValue().Set(Array::New(isolate, numbers.data(), numbers.size()));
}

}  // namespace

void InstallLedger(Local<Context> context, Local<Object> target) {
  SetMethod(context, target, "joinLedger", JoinLedger);
}

}  // namespace guest

/** The kernel's end: Node calls this when the module is required, as an addon of the cell itself. */
extern "C" __attribute__((visibility("default"))) void KERNEL_ENTRY(v8::Local<v8::Object> exports, v8::Local<v8::Value>,
                                                                    v8::Local<v8::Context> context) {
  using namespace guest;
  SetMethod(context, exports, "start", Start);
  SetMethod(context, exports, "publish", Publish);
  SetMethod(context, exports, "setLargestProgram", SetLargestProgram);
  SetMethod(context, exports, "killLargest", KillLargest);
  SetMethod(context, exports, "takeProgramShortage", TakeProgramShortage);
  SetMethod(context, exports, "usedBytes", UsedBytes);
  SetMethod(context, exports, "accounts", Accounts);
}
