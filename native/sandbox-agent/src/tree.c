// Signals to a process and all below it, by the parents that /proc tells.
#include "parts.h"

/** More processes than a sandbox can have. */
enum { MOST = 65536, ROUNDS = 64 };
static struct { int pid, parent, is_marked, is_dead; } found[MOST];

static int read_parent(const char *name, int *parent, int *is_dead) {
  char path[64] = "/proc/";
  char text[512];
  word n = length_of(name);
  if (n > 20) return 0;
  copy(path + 6, name, n);
  copy(path + 6 + n, "/stat", 6);
  long fd = CALL(openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  long bytes = CALL(read, fd, text, sizeof text - 1);
  CALL(close, fd);
  if (bytes <= 0) return 0;
  text[bytes] = 0;
  long at = bytes;
  while (at > 0 && text[at] != ')') at--;
  if (at == 0 || at + 4 >= bytes) return 0;
  *is_dead = text[at + 2] == 'Z' || text[at + 2] == 'X';
  *parent = (int)number_of(text + at + 4);
  return 1;
}

static int list_processes(void) {
  static u8 buffer[32768];
  int count = 0;
  long fd = CALL(openat, AT_FDCWD, "/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return 0;
  for (;;) {
    long bytes = CALL(getdents64, fd, buffer, sizeof buffer);
    if (bytes <= 0) break;
    for (long at = 0; at < bytes && count < MOST;) {
      // struct linux_dirent64: two words, u16 length, u8 type, name.
      const char *name = (const char *)buffer + at + 19;
      at += *(u16 *)(buffer + at + 16);
      if (*name < '1' || *name > '9') continue;
      if (!read_parent(name, &found[count].parent, &found[count].is_dead)) continue;
      found[count].pid = (int)number_of(name);
      found[count].is_marked = 0;
      count++;
    }
  }
  CALL(close, fd);
  return count;
}

static int mark_below(int root, int count) {
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
    int count = list_processes();
    if (mark_below(root, count) == 0) return;
    for (int n = 0; n < count; n++)
      if (found[n].is_marked && !found[n].is_dead) CALL(kill, found[n].pid, signal);
    if (signal != SIGKILL) return;
  }
}
