// The agent's parts and what they share: slots, each a process or a connection, and the frames to the host.
#ifndef PARTS_H
#define PARTS_H
#include "system.h"

/** Frames have a header of three little-endian words: payload bytes, id, kind. */
enum from_host {
  SPAWN = 1, INPUT = 2, INPUT_END = 3, SIGNAL = 4, RESIZE = 5, GRANT = 6, CLOSE = 7, LISTEN = 8,
  BEAT = 9,    // says only that the host is there
  CREDIT = 10, // from the first on, the link carries only so much output more, all streams together
  FLOOR = 11,  // how much of a disk must stay free, see disk.c
  RELEASE = 12,
};
enum to_host {
  READY = 32, STARTED = 33, OUTPUT = 34, ERRORS = 35, OUTPUT_END = 36, ERRORS_END = 37, INPUT_GRANT = 38,
  INPUT_CLOSED = 39, EXITED = 40, CONNECTION = 41, REFUSED = 42, RELEASED = 43,
  STOPPED = 44,
};

enum {
  LINK = 3,                  // the descriptor of the host's socket, or of the pipe from it
  SLOTS = 512,
  CONNECTIONS = 256,         // of them; the rest is for processes
  WINDOW = 65536,            // bytes of input in flight for one slot, and of output read at once
  FRAME_LIMIT = 1024 * 1024, // of payload
  FRAME_COST = 512,          // credit that a frame of output takes besides its payload
};

struct slot {
  int is_used;
  u32 id;
  int is_connection;
  int is_terminal;
  int keeper;   // the process that keeps the tree below it, 0 when it has ended
  int status;   // the pipe on which the keeper says the pid, then the status; -1
  int has_pid;
  int input;    // -1 when closed
  int output;   // the same descriptor as input for terminals and connections; -1 when closed
  int errors;
  u32 output_grant;
  u32 errors_grant;
  int is_ending; // input ends when what is held is written
  u32 held;      // bytes of input not written yet
  u32 start;     // where they begin
  u8 bytes[WINDOW];
};

extern struct slot slots[SLOTS];

struct slot *find_slot(u32 id);
struct slot *take_slot(u32 id, int is_connection);
void release_when_done(struct slot *slot);
void send_frame(u32 kind, u32 id, const void *payload, u32 bytes);
void send_number(u32 kind, u32 id, u32 number);
u32 number_at(const u8 *bytes);

_Noreturn void launch(char **argv);
_Noreturn void serve(char **argv);
void spawn(u32 id, u8 *payload, u32 bytes);
void signal_tree(int root, int signal);
void listen_on(u32 port);
void accept_connections(void);
extern int listener;
/** Calls `take` with each entry of a directory of /proc that is a number. */
void each_number(const char *directory, void (*take)(const char *name));
/** The letter that a process's or thread's stat has, see proc_pid_stat(5), and its parent; 0 where it is gone. */
int read_state(const char *directory, const char *name, int *parent);
void set_floor(const u8 *payload, u32 bytes);
void release_brake(void);
int look_at_disks(void);

#endif
