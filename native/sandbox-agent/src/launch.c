// What is done on the host before bubblewrap has its turn: join the control groups, make paths reachable in
// a mount namespace of our own, give up root for good, and for a root that can be written, have a user namespace
// with the ids that it needs and an overlay in it.
//
//   sandbox-agent launch [--cgroup FILE]… [--bind DIRECTORY]… [--ids UID GID]
//     [--users DESCRIPTOR [--overlay OPTIONS [--directory NAME]…]] -- PROGRAM ARGUMENT…
#include "parts.h"

enum { CLONE_NEWNS = 0x20000, CLONE_NEWUSER = 0x10000000, MS_NOSUID = 2, MS_NODEV = 4, MS_BIND = 4096, MS_REC = 16384, MS_PRIVATE = 1 << 18 };
enum { O_PATH = 010000000, BINDS = 16, DIRECTORIES = 16 };
/** Where the overlay is, beside the directories that are bound. */
static const char root[] = "/tmp/root";

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
 * in our mount namespace only, where they appear as /tmp/a, /tmp/b…: paths that the lesser user can walk.
 * In a user namespace what is mounted below them cannot be left out: `more` is MS_REC there.
 */
static void bind_directories(char **paths, int count, word more) {
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
    char at[] = "/tmp/a";
    char from[] = "/proc/self/fd/000";
    at[5] = (char)('a' + n);
    for (int digit = 16, value = opened[n]; digit > 13; digit--, value /= 10)
      from[digit] = (char)('0' + value % 10);
    // "/proc/self/fd/007" is no name of a descriptor: the leading zeros go.
    char *start = from + 14;
    while (*start == '0' && start[1]) start++;
    copy(from + 14, start, length_of(start) + 1);
    CALL(mkdirat, AT_FDCWD, at, 0700);
    long bound = CALL(mount, from, at, 0, MS_BIND | more, 0);
    if (bound < 0) fail("bind", paths[n], bound);
    CALL(close, opened[n]);
  }
  CALL(mkdirat, AT_FDCWD, root, 0755);
}

static void become(word uid, word gid) {
  long groups = CALL(setgroups, 0, 0);
  if (groups < 0) fail("drop", "groups", groups);
  long group = CALL(setresgid, gid, gid, gid);
  if (group < 0) fail("change to", "the group", group);
  long user = CALL(setresuid, uid, uid, uid);
  if (user < 0) fail("change to", "the user", user);
}

/** Who has the other end of the descriptor says which ids are which, and then one byte. */
static void enter_user_namespace(int fd) {
  long made = CALL(unshare, CLONE_NEWUSER | CLONE_NEWNS);
  if (made < 0) fail("unshare", "users", made);
  char byte = 'u';
  long done = write_all(fd, &byte, 1);
  while (done == 0 && (done = CALL(read, fd, &byte, 1)) == -EINTR) done = 0;
  if (done != 1) leave(125);
  CALL(close, fd);
}

/**
 * What a guest left in place of a directory is removed: bubblewrap would follow a link on its way, and the host's
 * files are still there then. No guest runs.
 */
static void make_directory(int top, const char *name) {
  long fd = CALL(openat, top, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd >= 0) {
    CALL(close, fd);
    return;
  }
  CALL(unlinkat, top, name, 0);
  long made = CALL(mkdirat, top, name, 0755);
  if (made < 0) fail("make", name, made);
}

static void mount_overlay(const char *options, char **directories, int count) {
  long mounted = CALL(mount, "sandbox", root, "overlay", MS_NOSUID | MS_NODEV, options);
  if (mounted < 0) fail("mount an overlay", options, mounted);
  long top = CALL(openat, AT_FDCWD, root, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (top < 0) fail("open", root, top);
  for (int n = 0; n < count; n++) make_directory((int)top, directories[n]);
  CALL(close, top);
}

_Noreturn void launch(char **argv) {
  char **at = argv;
  char **ids = 0;
  char *users = 0;
  char *overlay = 0;
  char *paths[BINDS];
  char *directories[DIRECTORIES];
  int binds = 0;
  int wanted = 0;
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
    } else if (is_same(*at, "--users") && at[1]) {
      users = *++at;
    } else if (is_same(*at, "--overlay") && at[1]) {
      overlay = *++at;
    } else if (is_same(*at, "--directory") && at[1] && wanted < DIRECTORIES) {
      directories[wanted++] = *++at;
    } else {
      fail("understand", *at, 0);
    }
  }
  if (!*at || !at[1]) fail("find", "a program", 0);
  // Only root can bind before it is somebody else; who is not root can bind only in a namespace of its own.
  if (binds > 0 && (ids || !users)) bind_directories(paths, binds, 0);
  if (ids) become(number_of(ids[1]), number_of(ids[2]));
  if (users) enter_user_namespace((int)number_of(users));
  if (binds > 0 && users && !ids) bind_directories(paths, binds, MS_REC);
  if (overlay) mount_overlay(overlay, directories, wanted);
  char *no_environment[] = {0};
  long error = CALL(execve, at[1], at + 1, no_environment);
  fail("run", at[1], error);
}
