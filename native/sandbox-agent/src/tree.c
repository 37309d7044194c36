// Signals to a process and all below it, by the parents that /proc tells.
#include "parts.h"

/** More processes than a sandbox can have. */
enum { MOST = 65536, ROUNDS = 64 };
static struct { int pid, parent, is_marked, is_dead; } found[MOST];

static int count;

int read_state(const char *directory, const char *name, int *parent) {
  char path[64];
  char text[512];
  word begin = length_of(directory);
  word n = length_of(name);
  if (begin + n + 7 > sizeof path) return 0;
  copy(path, directory, begin);
  path[begin] = '/';
  copy(path + begin + 1, name, n);
  copy(path + begin + 1 + n, "/stat", 6);
  long fd = CALL(openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  long bytes = CALL(read, fd, text, sizeof text - 1);
  CALL(close, fd);
  if (bytes <= 0) return 0;
  text[bytes] = 0;
  long at = bytes;
  while (at > 0 && text[at] != ')') at--;
  if (at == 0 || at + 4 >= bytes) return 0;
  if (parent) *parent = (int)number_of(text + at + 4);
  return text[at + 2];
}

void each_number(const char *directory, void (*take)(const char *name)) {
  u8 buffer[8192];
  long fd = CALL(openat, AT_FDCWD, directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  for (;;) {
    long bytes = CALL(getdents64, fd, buffer, sizeof buffer);
    if (bytes <= 0) break;
    for (long at = 0; at < bytes;) {
      // struct linux_dirent64: two words, u16 length, u8 type, name.
      const char *name = (const char *)buffer + at + 19;
      at += *(u16 *)(buffer + at + 16);
      if (*name >= '1' && *name <= '9') take(name);
    }
  }
  CALL(close, fd);
}

static void note_process(const char *name) {
  if (count >= MOST) return;
  int state = read_state("/proc", name, &found[count].parent);
  if (!state) return;
  found[count].pid = (int)number_of(name);
  found[count].is_dead = state == 'Z' || state == 'X';
  found[count].is_marked = 0;
  count++;
}

static void list_processes(void) {
  count = 0;
  each_number("/proc", note_process);
}

static int mark_below(int root) {
  int marked = 0;
  for (int changed = 1; changed;) {
    changed = 0;
    for (int n = 0; n < count; n++) {
      if (found[n].is_marked) continue;
      int is_below = found[n].parent == root;
      for (int other = 0; other < count && !is_below; other++)
        is_below = found[other].is_marked && found[other].pid == found[n].parent;
      if (!is_below) continue;
      found[n].is_marked = changed = 1;
      marked += !found[n].is_dead;
    }
  }
  return marked;
}

/** SIGKILL goes on until nothing is left: who forks meanwhile is met in the next round. */
void signal_tree(int root, int signal) {
  for (int round = 0; round < ROUNDS; round++) {
    list_processes();
    if (mark_below(root) == 0) return;
    for (int n = 0; n < count; n++)
      if (found[n].is_marked && !found[n].is_dead) CALL(kill, found[n].pid, signal);
    if (signal != SIGKILL) return;
  }
}
