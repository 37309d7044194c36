// Starts processes: each below a keeper, which adopts whatever its process leaves behind, so that a signal
// reaches all of it however it forked.
#include "parts.h"

enum { TIOCSPTLCK = 0x40045431, TIOCGPTPEER = 0x5441, TIOCSWINSZ = 0x5414, TIOCSCTTY = 0x540E };

struct request {
  char *cwd;
  char **argv;
  char **env;
  u32 is_terminal;
  u16 columns;
  u16 rows;
};

/** Most words of one command; the bytes are bound by the frame. */
enum { WORDS = 65536 };
static char *words[WORDS + 3];

static int read_request(u8 *payload, u32 bytes, struct request *into) {
  if (bytes < 16 || payload[bytes - 1] != 0) return 0;
  into->is_terminal = number_at(payload);
  into->columns = (u16)number_at(payload + 4);
  into->rows = (u16)(number_at(payload + 4) >> 16);
  u32 arguments = number_at(payload + 8);
  u32 variables = number_at(payload + 12);
  if (arguments < 1 || arguments > WORDS || variables > WORDS || arguments + variables > WORDS) return 0;
  char *at = (char *)payload + 16;
  char *end = (char *)payload + bytes;
  into->cwd = at;
  into->argv = words;
  into->env = words + arguments + 1;
  for (u32 n = 0; n < arguments + variables; n++) {
    at += length_of(at) + 1;
    if (at >= end) return 0;
    words[n < arguments ? n : n + 1] = at;
  }
  words[arguments] = 0;
  words[arguments + 1 + variables] = 0;
  return 1;
}

static _Noreturn void refuse(const char *subject, long error) {
  say(subject);
  say(error == -ENOENT   ? ": not found\n"
      : error == -EACCES ? ": permission denied\n"
      : error == -ENOTDIR ? ": not a directory\n"
      : error == -E2BIG  ? ": argument list too long\n"
                         : ": cannot be run\n");
  leave(error == -ENOENT ? 127 : 126);
}

/** execve(2), and what a shell does with a file that has no interpreter. */
static long execute(const char *path, struct request *request) {
  long error = CALL(execve, path, request->argv, request->env);
  if (error != -ENOEXEC) return error;
  // The words move up by one: the table has room for it.
  word count = 0;
  while (request->argv[count]) count++;
  static char *script[WORDS + 3];
  script[0] = "/bin/sh";
  script[1] = (char *)path;
  for (word n = 1; n <= count; n++) script[n + 1] = request->argv[n];
  return CALL(execve, "/bin/sh", script, request->env);
}

static const char *find_variable(char **env, const char *name) {
  word n = length_of(name);
  for (; *env; env++) {
    word at = 0;
    while (at < n && (*env)[at] == name[at]) at++;
    if (at == n && (*env)[n] == '=') return *env + n + 1;
  }
  return 0;
}

static _Noreturn void search_and_execute(struct request *request) {
  const char *name = request->argv[0];
  for (const char *at = name; *at; at++)
    if (*at == '/') refuse(name, execute(name, request));
  const char *path = find_variable(request->env, "PATH");
  if (!path) path = "/usr/local/bin:/usr/bin:/bin";
  static char full[8192];
  long last = -ENOENT;
  word tail = length_of(name) + 1;
  while (*path && tail > 1) {
    word n = 0;
    while (path[n] && path[n] != ':') n++;
    if (n > 0 && n + 1 + tail <= sizeof full) {
      copy(full, path, n);
      full[n] = '/';
      copy(full + n + 1, name, tail);
      long error = execute(full, request);
      if (error != -ENOENT && error != -ENOTDIR) last = error;
      if (error != -ENOENT && error != -ENOTDIR && error != -EACCES) break;
    }
    path += n + (path[n] == ':');
  }
  refuse(name, last);
}

static _Noreturn void run_child(struct request *request, int input, int output, int errors) {
  CALL(setsid, 0);
  if (request->is_terminal) CALL(ioctl, input, TIOCSCTTY, 0);
  CALL(dup3, input, 0, 0);
  CALL(dup3, output, 1, 0);
  CALL(dup3, errors, 2, 0);
  CALL(close_range, 3, ~0u, 0);
  word none = 0;
  CALL(rt_sigprocmask, SIG_SETMASK, &none, 0, 8);
  long moved = CALL(chdir, request->cwd);
  if (moved < 0) refuse(request->cwd, moved);
  search_and_execute(request);
}

/** What the host started goes before the agent when memory runs out; see proc_pid_oom_score_adj(5). */
static void prefer_when_out_of_memory(void) {
  long fd = CALL(openat, AT_FDCWD, "/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (fd < 0) return;
  CALL(write, fd, "500", 3);
  CALL(close, fd);
}

/**
 * Says the pid, then the wait status of the process; ends when nothing below it is left. It has the terminal open as
 * long as the process lives: one that nobody has open counts as hung up, and that would end a process which
 * only closed its own before it ends, as cat(1) does.
 */
static _Noreturn void keep(struct request *request, int status, const int ends[3]) {
  CALL(prctl, PR_SET_CHILD_SUBREAPER, 1);
  prefer_when_out_of_memory();
  int process = fork_process();
  if (process == 0) run_child(request, ends[0], ends[1], ends[2]);
  CALL(dup3, status, 0, O_CLOEXEC);
  if (request->is_terminal) CALL(dup3, ends[0], 1, O_CLOEXEC);
  CALL(close_range, request->is_terminal ? 2 : 1, ~0u, 0);
  write_all(0, &process, 4);
  if (process < 0) leave(1);
  for (;;) {
    int found = 0;
    long pid = CALL(wait4, -1, &found, 0, 0);
    if (pid == -ECHILD) leave(0);
    if (pid != process) continue;
    write_all(0, &found, 4);
    CALL(close_range, 0, 1, 0);
  }
}

static int open_terminal(struct request *request, int *master, int ends[3]) {
  long opened = CALL(openat, AT_FDCWD, "/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
  if (opened < 0) return (int)opened;
  *master = (int)opened;
  int unlocked = 0;
  u16 size[4] = {request->rows, request->columns, 0, 0};
  CALL(ioctl, *master, TIOCSPTLCK, &unlocked);
  CALL(ioctl, *master, TIOCSWINSZ, size);
  long end = CALL(ioctl, *master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (end < 0) {
    CALL(close, *master);
    return (int)end;
  }
  ends[0] = ends[1] = ends[2] = (int)end;
  return 0;
}

static int open_pipes(int near[3], int far[3]) {
  for (int n = 0; n < 3; n++) {
    int pair[2];
    long made = CALL(pipe2, pair, O_CLOEXEC);
    if (made < 0) {
      while (n-- > 0) CALL(close, near[n]), CALL(close, far[n]);
      return (int)made;
    }
    near[n] = n == 0 ? pair[1] : pair[0];
    far[n] = n == 0 ? pair[0] : pair[1];
    CALL(fcntl, near[n], F_SETFL, O_NONBLOCK);
  }
  return 0;
}

void spawn(u32 id, u8 *payload, u32 bytes) {
  struct request request;
  if (!read_request(payload, bytes, &request)) return send_number(REFUSED, id, E2BIG);
  int near[3] = {-1, -1, -1}, far[3], status[2];
  struct slot *slot = take_slot(id, 0);
  if (!slot) return send_number(REFUSED, id, EAGAIN);
  long failed = request.is_terminal ? open_terminal(&request, &near[0], far) : open_pipes(near, far);
  if (failed >= 0) failed = CALL(pipe2, status, O_CLOEXEC);
  int keeper = failed >= 0 ? fork_process() : (int)failed;
  if (keeper == 0) keep(&request, status[1], far);
  if (failed >= 0) {
    CALL(close, status[1]);
    for (int n = 0; n < (request.is_terminal ? 1 : 3); n++) CALL(close, far[n]);
  }
  if (keeper < 0) {
    slot->is_used = 0;
    for (int n = 0; n < 3; n++)
      if (near[n] >= 0) CALL(close, near[n]);
    if (failed >= 0) CALL(close, status[0]);
    return send_number(REFUSED, id, (u32)-keeper);
  }
  slot->keeper = keeper;
  slot->status = status[0];
  slot->is_terminal = (int)request.is_terminal;
  slot->input = near[0];
  slot->output = request.is_terminal ? near[0] : near[1];
  slot->errors = near[2];
  if (request.is_terminal) send_frame(ERRORS_END, id, 0, 0);
}
