// The launcher's parts, and the frames between it and the server.
#ifndef LAUNCHER_H
#define LAUNCHER_H
#include "../../sandbox-agent/src/system.h"

#if defined(__x86_64__)
enum {
  NR_recvmsg = 47, NR_getppid = 110, NR_getuid = 102, NR_getgid = 104, NR_capset = 126, NR_mmap = 9, NR_umount2 = 166,
  NR_pivot_root = 155, NR_symlinkat = 266,
};
#else
enum {
  NR_recvmsg = 212, NR_getppid = 173, NR_getuid = 174, NR_getgid = 176, NR_capset = 91, NR_mmap = 222, NR_umount2 = 39,
  NR_pivot_root = 41, NR_symlinkat = 36,
};
#endif
/** The same everywhere. */
enum {
  NR_open_tree = 428, NR_move_mount = 429, NR_mount_setattr = 442, NR_landlock_create_ruleset = 444,
  NR_landlock_add_rule = 445, NR_landlock_restrict_self = 446,
};

/** Frames have a header of three little-endian words: payload bytes, kind, id. */
enum from_server { SETUP = 1, START = 2, KILL = 3 };
enum to_server { READY = 32, STARTED = 33, FAILED = 34, ENDED = 35 };

/** The layers that the launcher puts on a cell, by their place in the words of SETUP and READY. */
enum layer {
  NO_NEW_PRIVILEGES, LANDLOCK, IO_URING_OFF, OWN_USER, NO_CAPABILITIES, OWN_PROCESSES, OWN_NETWORK, OWN_IPC, OWN_FILES,
  FEW_THREADS, PARENT_DEATH, LAYERS,
};

enum {
  CONTROL = 3,              // the server's socket
  FRAME_LIMIT = 256 * 1024, // of payload
  STRINGS = 512,            // arguments, variables or paths
  CELLS = 1024,
};

/** What SETUP says, and what became of it. */
struct setup {
  int wants[LAYERS];
  /** 1 where the layer holds, 0 where it was not asked for, else the negated errno. */
  int states[LAYERS];
  int is_root;            // cells become users of their own; else they get user namespaces
  u32 first_user;         // a cell's user is this and its pid
  u32 threads;            // the most that a cell may have
  u32 filter_words;       // of 8 bytes
  const u8 *filter;
  int landlock_version;
  char **readable;        // ends with 0
  char **executable;
  char **links;           // a name, what it points to, and so on
};

extern struct setup setup;

/** A new root with nothing in it but what cells read. */
void enter_files(void);
void restrict_files(void);
/** In a new process: gives up what its cell must not have, and runs it. Answers the negated errno where it cannot. */
long become_cell(u32 pid, char **argv, char **environment, const char *directory);

#endif
