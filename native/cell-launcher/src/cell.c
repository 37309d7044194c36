// The moments between the start of a process and its program: who it is, what it has, how it ends.
#include "launcher.h"

enum { PR_SET_PDEATHSIG = 1, RLIMIT_NPROC = 6 };
struct capability_header { u32 version; int pid; };
struct capability_data { u32 effective, permitted, inheritable; };
enum { CAPABILITY_VERSION_3 = 0x20080522 };
struct limit { unsigned long soft, hard; };

static long drop_capabilities(void) {
  struct capability_header header = {CAPABILITY_VERSION_3, 0};
  struct capability_data none[2] = {{0, 0, 0}, {0, 0, 0}};
  return CALL(capset, &header, none);
}

static long become_user(u32 id) {
  long groups = CALL(setgroups, 0, 0);
  if (groups < 0) return groups;
  long group = CALL(setresgid, id, id, id);
  if (group < 0) return group;
  return CALL(setresuid, id, id, id);
}

static long give_up(u32 pid) {
  if (setup.states[OWN_USER] == 1 && setup.is_root) {
    long user = become_user(setup.first_user + pid);
    if (user < 0) return user;
  }
  if (setup.states[NO_CAPABILITIES] == 1) {
    long dropped = drop_capabilities();
    if (dropped < 0) return dropped;
  }
  if (setup.states[FEW_THREADS] == 1) {
    struct limit limit = {setup.threads, setup.threads};
    long limited = CALL(prlimit64, 0, RLIMIT_NPROC, &limit, 0);
    if (limited < 0) return limited;
  }
  // After the change of user, which takes it away.
  return setup.states[PARENT_DEATH] == 1 ? CALL(prctl, PR_SET_PDEATHSIG, SIGKILL) : 0;
}

long become_cell(u32 pid, char **argv, char **environment, const char *directory) {
  unsigned long no_signals = 0;
  CALL(rt_sigprocmask, SIG_SETMASK, &no_signals, 0, 8);
  long moved = CALL(chdir, setup.states[OWN_FILES] == 1 ? "/" : directory);
  if (moved < 0) return moved;
  long given_up = give_up(pid);
  if (given_up < 0) return given_up;
  return CALL(execve, argv[0], argv, environment);
}
