// What the isolates of a cell use, and which process ends when that is too much.
//
// Every isolate has an account, which it brings up to date itself: after each garbage collection, and when the
// ledger's thread asks for it. The ledger's thread looks at the sum; where that is beyond the VM's limit, it
// terminates the isolates of the largest process. It needs neither the kernel's thread nor the server for that: those
// may be waiting for a core that the guests have.
#ifndef GUEST_LEDGER_H
#define GUEST_LEDGER_H

#include <ctime>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <vector>

#include "binding.h"

namespace guest {

class Ledger {
  using Clock = std::chrono::steady_clock;

 public:
  /** The cell's. It lives as long as the cell. */
  static Ledger& Get();

  /** From now on the cell may have so many bytes. Called once, on the kernel's thread, whose isolate gets an account. */
  void Start(Isolate* kernel, size_t limit);
  /** An account for the isolate that runs on this thread. Isolates of one process have one number. */
  void Open(Isolate* isolate, int process);
  /** The isolate is gone. */
  void Close(Isolate* isolate);
  /** Writes down what the isolate that runs on this thread uses; waits a moment where a killed process is in the way. */
  void Publish(Isolate* isolate);

  /** What the largest program of the kernel's own thread says it holds. */
  void SetLargestProgram(size_t bytes);
  /**
   * The cell has so many bytes of the host's memory. Where that is more than the limit, with no process about to end,
   * kills the largest one; false where it is a program.
   */
  bool KillLargest(size_t resident);
  /** Whether the largest program must end; true once for each time. */
  bool TakeProgramShortage();

  struct Account {
    Isolate* isolate;
    /** 0 is the kernel. */
    int process;
    /** All that V8 knows of, and the part of it that is pages of the heap. */
    size_t bytes = 0;
    size_t heap = 0;
    /** The clock of the thread that the isolate runs on; what it showed at first, and when `bytes` was written. */
    clockid_t clock = 0;
    int64_t opened_ns = 0;
    int64_t published_ns = 0;
    /** Bytes of new pages its thread has touched in all, and lately. */
    int64_t touched = 0;
    int64_t recent = 0;
    bool is_asked = false;
    bool is_killed = false;
  };
  std::vector<Account> Accounts();
  size_t UsedBytes();

 private:
  void Run();
  void Look();
  void Check();
  void Collect();
  bool KillLargestLocked(size_t use, size_t least);
  /** Whether the cell has more than its limit, but for what V8 keeps of isolates that have ended. */
  bool IsBeyond(size_t resident);
  void AskToPublish();
  Account* Find(Isolate* isolate);
  /** The sum of all accounts, of those that are not killed, and whether any is. */
  size_t Sum(bool with_killed) const;
  bool IsInTheWay();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<Account> accounts_;
  bool is_running_ = false;
  /** Bytes of the whole cell; 0 before Start. */
  size_t limit_ = 0;
  /** What the cell has outside all accounts: code, stacks, the platform. */
  size_t base_ = 0;
  size_t largest_program_ = 0;
  bool is_program_short_ = false;
  /** The sum when isolates were last asked to collect. */
  size_t collected_at_ = 0;
  /** What isolates that have ended have had, since memory was last given back to the host. */
  size_t leavings_ = 0;
  /** Pages that V8 keeps of isolates that have ended, and when the last one did. */
  size_t pooled_ = 0;
  Clock::time_point closed_at_{};
  /** The most that the cell has had. */
  size_t peak_ = 0;
};

void InstallLedger(Local<Context> context, Local<Object> target);

}  // namespace guest

#endif
