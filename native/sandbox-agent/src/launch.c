// What is done on the host before bubblewrap has its turn: join the control groups, make paths reachable in
// a mount namespace of our own, and give up root for good.
//
//   sandbox-agent launch [--cgroup FILE]… [--bind DIRECTORY]… [--ids UID GID] -- PROGRAM ARGUMENT…
#include "parts.h"

enum { CLONE_NEWNS = 0x20000, MS_NOSUID = 2, MS_NODEV = 4, MS_BIND = 4096, MS_REC = 16384, MS_PRIVATE = 1 << 18 };
enum { O_PATH = 010000000, BINDS = 8 };

static _Noreturn void fail(const char *what, const char *subject, long error) {
  char digits[8];
  int at = 7;
  digits[at] = 0;
  for (long n = -error; n > 0 && at > 0; n /= 10) digits[--at] = (char)('0' + n % 10);
  say("sandbox-agent: cannot ");
  say(what);
  say(" ");
  say(subject);
  say(": errno ");
  say(digits + at);
  say("\n");
  leave(125);
}

static void join_control_group(const char *file) {
  long fd = CALL(openat, AT_FDCWD, file, O_WRONLY | O_CLOEXEC);
  if (fd < 0) fail("open", file, fd);
  long written = CALL(write, fd, "0", 1);
  if (written < 0) fail("join", file, written);
  CALL(close, fd);
}

/**
 * The directories to bind are opened first, wherever they are; then a file system of our own covers /tmp,
 * in our mount namespace only, where they appear as /tmp/0, /tmp/1…: paths that the lesser user can walk.
 */
static void bind_directories(char **paths, int count) {
  int opened[BINDS];
  long made = CALL(unshare, CLONE_NEWNS);
  if (made < 0) fail("unshare", "mounts", made);
  long changed = CALL(mount, "none", "/", 0, MS_REC | MS_PRIVATE, 0);
  if (changed < 0) fail("make private", "/", changed);
  for (int n = 0; n < count; n++) {
    long fd = CALL(openat, AT_FDCWD, paths[n], O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) fail("open", paths[n], fd);
    opened[n] = (int)fd;
  }
  long covered = CALL(mount, "sandbox", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755,size=64k");
  if (covered < 0) fail("cover", "/tmp", covered);
  for (int n = 0; n < count; n++) {
    char at[] = "/tmp/0";
    char from[] = "/proc/self/fd/000";
    at[5] = (char)('0' + n);
    for (int digit = 16, value = opened[n]; digit > 13; digit--, value /= 10)
      from[digit] = (char)('0' + value % 10);
    // "/proc/self/fd/007" is no name of a descriptor: the leading zeros go.
    char *start = from + 14;
    while (*start == '0' && start[1]) start++;
    copy(from + 14, start, length_of(start) + 1);
    CALL(mkdirat, AT_FDCWD, at, 0700);
    long bound = CALL(mount, from, at, 0, MS_BIND, 0);
    if (bound < 0) fail("bind", paths[n], bound);
    CALL(close, opened[n]);
  }
}

static void become(word uid, word gid) {
  long groups = CALL(setgroups, 0, 0);
  if (groups < 0) fail("drop", "groups", groups);
  long group = CALL(setresgid, gid, gid, gid);
  if (group < 0) fail("change to", "the group", group);
  long user = CALL(setresuid, uid, uid, uid);
  if (user < 0) fail("change to", "the user", user);
}

_Noreturn void launch(char **argv) {
  char **at = argv;
  char **ids = 0;
  char *paths[BINDS];
  int binds = 0;
  for (; *at && !is_same(*at, "--"); at++) {
    if (is_same(*at, "--cgroup") && at[1]) {
      join_control_group(at[1]);
      at += 1;
    } else if (is_same(*at, "--bind") && at[1] && binds < BINDS) {
      paths[binds++] = at[1];
      at += 1;
    } else if (is_same(*at, "--ids") && at[1] && at[2]) {
      ids = at;
      at += 2;
    } else {
      fail("understand", *at, 0);
    }
  }
  if (!*at || !at[1]) fail("find", "a program", 0);
  if (binds > 0) bind_directories(paths, binds);
  if (ids) become(number_of(ids[1]), number_of(ids[2]));
  char *no_environment[] = {0};
  long error = CALL(execve, at[1], at + 1, no_environment);
  fail("run", at[1], error);
}
