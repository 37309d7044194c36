// The brake on the disk. The host says how many bytes of a disk must stay free. When a disk has less, everything in the
// sandbox is stopped at once, and stays so until the host has counted its files: no process of the host has to be
// quick for that. Only the first process of a pid namespace can stop all others.
#include "parts.h"

enum { DISKS = 4, PATH_BYTES = 64, SIGCONT = 18, SIGSTOP = 19 };
enum { LONGEST_WAIT_MS = 100, STOPPED_WAIT_MS = 5 };
/** What two cores write to memory in a millisecond, and some more. */
enum { BYTES_IN_A_MS = 4 * 1024 * 1024 };

static struct disk {
  char path[PATH_BYTES];
  word floor; // 0 where nothing is watched
  word last;  // below this, what still writes is ended
} disks[DISKS];
static int is_stopped = 0;

static word long_at(const u8 *bytes) { return (word)number_at(bytes) | (word)number_at(bytes + 4) << 32; }

/** payload: the disk's index, its floor and its last floor as two words each, a path on it with its NUL. */
void set_floor(const u8 *payload, u32 bytes) {
  if (bytes < 21 || bytes - 20 > PATH_BYTES || payload[bytes - 1] != 0) return;
  u32 index = number_at(payload);
  if (index >= DISKS || CALL(getpid, 0) != 1) return;
  disks[index].floor = long_at(payload + 4);
  disks[index].last = long_at(payload + 12);
  copy(disks[index].path, payload + 20, bytes - 20);
}

void release_brake(void) {
  if (!is_stopped) return;
  is_stopped = 0;
  CALL(kill, -1, SIGCONT);
}

/** See statfs(2): the type, the size of a block, then counts of blocks: all, free, free for everybody. */
static word free_bytes(const char *path) {
  word told[15];
  if (CALL(statfs, path, told) < 0) return ~0ul;
  return told[4] * told[1];
}

static char threads[32];
static int is_writing;

static void look_at_thread(const char *name) {
  int state = read_state(threads, name, 0);
  is_writing |= state != 0 && state != 'T' && state != 't' && state != 'Z' && state != 'X';
}

/** Keepers write nothing to a disk; one that is killed takes its process's status with it. */
static int is_agents_own(int pid) {
  if (pid == 1) return 1;
  for (int n = 0; n < SLOTS; n++)
    if (slots[n].is_used && slots[n].keeper == pid) return 1;
  return 0;
}

static void end_if_writing(const char *name) {
  word n = length_of(name);
  int pid = (int)number_of(name);
  if (n > 10 || is_agents_own(pid)) return;
  copy(threads, "/proc/", 6);
  copy(threads + 6, name, n);
  copy(threads + 6 + n, "/task", 6);
  is_writing = 0;
  each_number(threads, look_at_thread);
  if (is_writing) CALL(kill, pid, SIGKILL);
}

/**
 * A write that has begun goes on, and may be two gigabytes long: only SIGKILL breaks it off. So below the last floor,
 * what has not stopped is ended. Others fill disks, too; what has stopped is left alone.
 */
static void keep_stopped(void) {
  // What the host started since then stops, too.
  CALL(kill, -1, SIGSTOP);
  for (int n = 0; n < DISKS; n++)
    if (disks[n].floor > 0 && free_bytes(disks[n].path) < disks[n].last) each_number("/proc", end_if_writing);
}

/** How far the fullest disk is above its floor; 0 where one is below. */
static word find_room(u32 *index) {
  word least = ~0ul;
  for (u32 n = 0; n < DISKS; n++) {
    if (disks[n].floor == 0) continue;
    word has = free_bytes(disks[n].path);
    word room = has > disks[n].floor ? has - disks[n].floor : 0;
    if (room >= least) continue;
    least = room;
    *index = n;
  }
  return least;
}

/** Stops everything where a disk is below its floor. Answers in how many milliseconds to look again, or -1 for never. */
int look_at_disks(void) {
  u32 index = 0;
  word room = find_room(&index);
  if (room == 0 && !is_stopped) {
    is_stopped = 1;
    CALL(kill, -1, SIGSTOP);
    send_number(STOPPED, 0, index);
  } else if (is_stopped) {
    keep_stopped();
  }
  if (is_stopped) return STOPPED_WAIT_MS;
  if (room == ~0ul) return -1;
  word wait = room / BYTES_IN_A_MS;
  return wait < 1 ? 1 : wait > LONGEST_WAIT_MS ? LONGEST_WAIT_MS : (int)wait;
}
