// The first process of a sandbox: it reaps, starts what the host asks for, and carries bytes, never more than
// the host has granted. When the host's socket ends it ends, and everything in the sandbox with it.
#include "parts.h"

enum { RLIMIT_FSIZE = 1, RLIMIT_CORE = 4, RLIMIT_NPROC = 6, RLIMIT_NOFILE = 7, SHUT_WR = 1, TIOCSWINSZ = 0x5414 };
enum { FIONREAD = 0x541B };

struct slot slots[SLOTS];
static u8 incoming[12 + FRAME_LIMIT + 8];
static u8 outgoing[12 + WINDOW];

u32 number_at(const u8 *b) { return b[0] | (u32)b[1] << 8 | (u32)b[2] << 16 | (u32)b[3] << 24; }

/** Where frames go: the same socket, or the second of two pipes. */
static int link_out = LINK;

/** Where it is not the first process, what it started would outlive it. */
static _Noreturn void finish(int status) {
  for (int n = 0; n < SLOTS; n++)
    if (slots[n].is_used && slots[n].keeper > 0) signal_tree(slots[n].keeper, SIGKILL);
  leave(status);
}

void send_frame(u32 kind, u32 id, const void *payload, u32 bytes) {
  u32 header[3] = {bytes, id, kind};
  copy(outgoing, header, sizeof header);
  if (payload != outgoing + 12) copy(outgoing + 12, payload, bytes);
  if (write_all(link_out, outgoing, 12 + bytes) < 0) finish(1);
}

void send_number(u32 kind, u32 id, u32 number) { send_frame(kind, id, &number, 4); }

struct slot *find_slot(u32 id) {
  for (int n = 0; n < SLOTS; n++)
    if (slots[n].is_used && slots[n].id == id) return &slots[n];
  return 0;
}

struct slot *take_slot(u32 id, int is_connection) {
  int from = is_connection ? SLOTS - CONNECTIONS : 0;
  int to = is_connection ? SLOTS : SLOTS - CONNECTIONS;
  for (int n = from; n < to; n++) {
    struct slot *slot = &slots[n];
    if (slot->is_used) continue;
    slot->is_used = 1;
    slot->id = id;
    slot->is_connection = is_connection;
    slot->is_terminal = slot->keeper = slot->has_pid = slot->is_ending = 0;
    slot->status = slot->input = slot->output = slot->errors = -1;
    slot->output_grant = slot->errors_grant = slot->held = slot->start = 0;
    return slot;
  }
  return 0;
}

void release_when_done(struct slot *slot) {
  if (slot->keeper != 0 || slot->status >= 0 || slot->output >= 0 || slot->errors >= 0) return;
  if (slot->input >= 0 && slot->is_connection) return;
  if (slot->input >= 0) CALL(close, slot->input);
  slot->is_used = 0;
  send_frame(RELEASED, slot->id, 0, 0);
}

/** Terminals and connections have one descriptor for both ways: it is closed with the second. */
static void close_input(struct slot *slot) {
  if (slot->input < 0) return;
  int is_shared = slot->input == slot->output;
  if (slot->is_connection) CALL(shutdown, slot->input, SHUT_WR);
  if (!is_shared) CALL(close, slot->input);
  slot->input = -1;
  slot->held = 0;
}

static void close_output(struct slot *slot) {
  if (slot->output < 0) return;
  if (slot->input != slot->output) CALL(close, slot->output);
  if (slot->is_terminal && slot->input == slot->output) {
    CALL(close, slot->output);
    slot->input = -1;
  }
  slot->output = -1;
  send_frame(OUTPUT_END, slot->id, 0, 0);
}

static void close_errors(struct slot *slot) {
  if (slot->errors < 0) return;
  CALL(close, slot->errors);
  slot->errors = -1;
  send_frame(ERRORS_END, slot->id, 0, 0);
}

static void write_input(struct slot *slot) {
  while (slot->input >= 0 && slot->held > 0) {
    u32 run = WINDOW - slot->start < slot->held ? WINDOW - slot->start : slot->held;
    long done = CALL(write, slot->input, slot->bytes + slot->start, run);
    if (done == -EINTR) continue;
    if (done == -EAGAIN) return;
    if (done < 0) {
      close_input(slot);
      send_frame(INPUT_CLOSED, slot->id, 0, 0);
      return;
    }
    slot->start = (slot->start + (u32)done) % WINDOW;
    slot->held -= (u32)done;
    send_number(INPUT_GRANT, slot->id, (u32)done);
  }
  if (slot->is_ending && slot->held == 0) close_input(slot);
}

static void take_input(struct slot *slot, const u8 *from, u32 bytes) {
  if (slot->input < 0 || slot->is_ending) return;
  if (bytes > WINDOW - slot->held) leave(2);
  for (u32 n = 0; n < bytes; n++) slot->bytes[(slot->start + slot->held + n) % WINDOW] = from[n];
  slot->held += bytes;
  write_input(slot);
}

/** What the link may carry, where the host limits it: some carriers lose what comes faster than they pass it on. */
static int has_credit_limit = 0;
static u32 credit = 0;

static int can_carry(void) { return !has_credit_limit || credit > FRAME_COST; }

/** One read's worth, so that no process holds up the others. */
static void carry(struct slot *slot, int is_output) {
  if (!can_carry()) return;
  int fd = is_output ? slot->output : slot->errors;
  u32 *grant = is_output ? &slot->output_grant : &slot->errors_grant;
  u32 room = has_credit_limit && credit - FRAME_COST < WINDOW ? credit - FRAME_COST : WINDOW;
  long done = CALL(read, fd, outgoing + 12, *grant < room ? *grant : room);
  if (done == -EAGAIN || done == -EINTR) return;
  if (done > 0) {
    *grant -= (u32)done;
    if (has_credit_limit) credit -= FRAME_COST + (u32)done;
    send_frame(is_output ? OUTPUT : ERRORS, slot->id, outgoing + 12, (u32)done);
    return;
  }
  if (is_output) close_output(slot);
  else close_errors(slot);
}

/** What waits in a pipe; a terminal's end tells by itself. */
static u32 waiting_in(struct slot *slot, int fd) {
  int bytes = 0;
  if (fd < 0 || slot->is_terminal || CALL(ioctl, fd, FIONREAD, &bytes) < 0) return 0;
  return bytes > 0 ? (u32)bytes : 0;
}

/** The status, and what the process has written that is not sent: it comes, as fast as the host takes it. */
static void tell_exit(struct slot *slot, u32 status) {
  u32 told[3] = {status, waiting_in(slot, slot->output), waiting_in(slot, slot->errors)};
  send_frame(EXITED, slot->id, told, sizeof told);
}

static void hear_keeper(struct slot *slot) {
  u32 value;
  long done = CALL(read, slot->status, &value, 4);
  if (done == -EINTR) return;
  if (done == 4 && !slot->has_pid) {
    slot->has_pid = 1;
    send_number((int)value > 0 ? STARTED : REFUSED, slot->id, (int)value > 0 ? value : -value);
    return;
  }
  // A keeper that somebody killed says nothing: its process counts as killed, too.
  if (done != 4 && !slot->has_pid) send_number(REFUSED, slot->id, EAGAIN);
  else tell_exit(slot, done == 4 ? value : SIGKILL);
  CALL(close, slot->status);
  slot->status = -1;
}

static void reap(void) {
  for (;;) {
    int status;
    long pid = CALL(wait4, -1, &status, WNOHANG, 0);
    if (pid <= 0) return;
    for (int n = 0; n < SLOTS; n++)
      if (slots[n].is_used && slots[n].keeper == pid) slots[n].keeper = 0;
  }
}

static void resize(struct slot *slot, u32 size) {
  u16 window[4] = {(u16)(size >> 16), (u16)size, 0, 0};
  if (slot->is_terminal && slot->output >= 0) CALL(ioctl, slot->output, TIOCSWINSZ, window);
}

static void close_stream(struct slot *slot, u32 stream) {
  if (stream == 0) close_input(slot), close_output(slot);
  else if (stream == 1) close_output(slot);
  else close_errors(slot);
}

/** Seconds of silence after which the host counts as gone; 0 where the link's end tells. */
static word patience = 0;
static long heard_at = 0;

static long seconds(void) {
  long now[2] = {0, 0};
  CALL(clock_gettime, CLOCK_MONOTONIC, now);
  return now[0];
}

static void obey(u32 kind, u32 id, u8 *payload, u32 bytes) {
  if (kind == SPAWN) return spawn(id, payload, bytes);
  u32 first = bytes >= 4 ? number_at(payload) : 0;
  if (kind == LISTEN) return listen_on(first);
  if (kind == CREDIT) has_credit_limit = 1, credit += first;
  if (kind == FLOOR) return set_floor(payload, bytes);
  if (kind == RELEASE) return release_brake();
  struct slot *slot = find_slot(id);
  if (!slot) return;
  if (kind == INPUT) take_input(slot, payload, bytes);
  else if (kind == INPUT_END) slot->is_ending = !slot->is_terminal, write_input(slot);
  else if (kind == SIGNAL && slot->keeper > 0) signal_tree(slot->keeper, (int)first);
  else if (kind == RESIZE) resize(slot, first);
  else if (kind == GRANT && bytes >= 8)
    *(first == 1 ? &slot->output_grant : &slot->errors_grant) += number_at(payload + 4);
  else if (kind == CLOSE) close_stream(slot, first);
}

/** Reads what is there and obeys each whole frame. */
static void hear_host(void) {
  static u32 have = 0;
  long done = CALL(read, LINK, incoming + have, sizeof incoming - have);
  if (done == -EINTR || done == -EAGAIN) return;
  if (done <= 0) finish(0);
  if (patience > 0) heard_at = seconds();
  have += (u32)done;
  u32 at = 0;
  while (have - at >= 12) {
    u32 bytes = number_at(incoming + at);
    if (bytes > FRAME_LIMIT) leave(2);
    if (have - at - 12 < bytes) break;
    obey(number_at(incoming + at + 8), number_at(incoming + at + 4), incoming + at + 12, bytes);
    at += 12 + bytes;
  }
  if (at > 0) copy(incoming, incoming + at, have - at);
  have -= at;
}

struct target { struct slot *slot; int what; };
enum { OF_INPUT, OF_OUTPUT, OF_ERRORS, OF_STATUS };
static struct poll_entry entries[3 + SLOTS * 4];
static struct target targets[3 + SLOTS * 4];

static int watch(int count, struct slot *slot, int what, int fd) {
  if (fd < 0) return count;
  entries[count] = (struct poll_entry){fd, what == OF_INPUT ? POLLOUT : POLLIN, 0};
  targets[count] = (struct target){slot, what};
  return count + 1;
}

static int watch_slots(int count) {
  int is_open = can_carry();
  for (int n = 0; n < SLOTS; n++) {
    struct slot *slot = &slots[n];
    if (!slot->is_used) continue;
    if (slot->held > 0) count = watch(count, slot, OF_INPUT, slot->input);
    if (is_open && slot->output_grant > 0) count = watch(count, slot, OF_OUTPUT, slot->output);
    if (is_open && slot->errors_grant > 0) count = watch(count, slot, OF_ERRORS, slot->errors);
    count = watch(count, slot, OF_STATUS, slot->status);
  }
  return count;
}

static void attend(struct target *target) {
  struct slot *slot = target->slot;
  if (target->what == OF_INPUT && slot->input >= 0) write_input(slot);
  else if (target->what == OF_OUTPUT && slot->output >= 0) carry(slot, 1);
  else if (target->what == OF_ERRORS && slot->errors >= 0) carry(slot, 0);
  else if (target->what == OF_STATUS && slot->status >= 0) hear_keeper(slot);
}

static void limit(int resource, const char *value) {
  word pair[2] = {number_of(value), number_of(value)};
  if (!is_same(value, "-")) CALL(prlimit64, 0, resource, pair, 0);
}

/** stdin and stdout are the link: they move away, so that nothing else writes there. */
static void use_pipes(void) {
  CALL(dup3, 0, LINK, 0);
  CALL(dup3, 1, LINK + 1, 0);
  link_out = LINK + 1;
  int nothing = (int)CALL(openat, AT_FDCWD, "/dev/null", O_RDWR | O_CLOEXEC);
  CALL(dup3, nothing, 0, 0);
  CALL(dup3, nothing, 1, 0);
  CALL(fcntl, link_out, F_SETFL, CALL(fcntl, link_out, F_GETFL, 0) & ~(long)O_NONBLOCK);
  CALL(fcntl, link_out, F_SETFD, FD_CLOEXEC);
}

/** struct signalfd_siginfo is 128 bytes and begins with the signal's number. */
static void hear_signals(int signals) {
  u8 told[1024];
  for (;;) {
    long bytes = CALL(read, signals, told, sizeof told);
    if (bytes <= 0) return;
    for (long at = 0; at < bytes; at += 128)
      if (number_at(told + at) == SIGTERM) finish(0);
  }
}

/**
 * argv: the limits of processes, of a file's bytes and of open files, "-" for none; then perhaps "pipes", then perhaps
 * the seconds that it waits for a silent host. Only with those does SIGTERM end it: guests can send signals, too.
 */
_Noreturn void serve(char **argv) {
  if (!argv[0] || !argv[1] || !argv[2]) leave(2);
  if (argv[3] && is_same(argv[3], "pipes")) use_pipes();
  if (argv[3] && argv[4]) patience = number_of(argv[4]);
  CALL(prctl, PR_SET_DUMPABLE, 0);
  CALL(umask, 022);
  limit(RLIMIT_CORE, "0");
  limit(RLIMIT_NPROC, argv[0]);
  limit(RLIMIT_FSIZE, argv[1]);
  limit(RLIMIT_NOFILE, argv[2]);
  word blocked = 1ul << (SIGCHLD - 1);
  if (patience > 0) blocked |= 1ul << (SIGTERM - 1);
  int signals = (int)CALL(signalfd4, -1, &blocked, 8, O_NONBLOCK | O_CLOEXEC);
  blocked |= 1ul << (SIGPIPE - 1);
  CALL(rt_sigprocmask, SIG_BLOCK, &blocked, 0, 8);
  CALL(fcntl, LINK, F_SETFL, CALL(fcntl, LINK, F_GETFL, 0) & ~(long)O_NONBLOCK);
  CALL(fcntl, LINK, F_SETFD, FD_CLOEXEC);
  CALL(close_range, link_out + 1, signals - 1, 0);
  CALL(close_range, signals + 1, ~0u, 0);
  heard_at = seconds();
  send_frame(READY, 0, 0, 0);
  for (;;) {
    entries[0] = (struct poll_entry){LINK, POLLIN, 0};
    entries[1] = (struct poll_entry){signals, POLLIN, 0};
    entries[2] = (struct poll_entry){listener, POLLIN, 0};
    int count = watch_slots(3);
    int look_ms = look_at_disks();
    word wait[2] = {look_ms < 0 ? patience : 0, look_ms < 0 ? 0 : (word)look_ms * 1000000};
    if (CALL(ppoll, entries, count, look_ms < 0 && patience == 0 ? 0 : wait, 0, 0) < 0) continue;
    for (int n = 3; n < count; n++)
      if (entries[n].found) attend(&targets[n]);
    if (entries[2].found) accept_connections();
    if (entries[0].found) hear_host();
    if (patience > 0 && seconds() - heard_at >= (long)patience) finish(0);
    hear_signals(signals);
    reap();
    for (int n = 0; n < SLOTS; n++)
      if (slots[n].is_used) release_when_done(&slots[n]);
  }
}
