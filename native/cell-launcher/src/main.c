// Starts the cells of one server, each as a process that has nothing before its first instruction. It is told on one
// socket what cells may read and which program they are, gets the descriptors of each with its request, and says there
// when one has ended. When the socket ends it ends, and the cells with it. There is no C library below.
#include "launcher.h"

/** Which sources it is made of; a test compares. */
__attribute__((used)) const char source_hash[] = "source-hash:" SOURCE_HASH;

#if defined(__x86_64__)
__asm__(".globl _start\n_start:\n xor %ebp,%ebp\n mov %rsp,%rdi\n and $-16,%rsp\n call begin\n");
#else
__asm__(".globl _start\n_start:\n mov x29,#0\n mov x0,sp\n bl begin\n");
#endif

/** The compiler calls these for large assignments. */
void *memcpy(void *to, const void *from, word n) {
  copy(to, from, n);
  return to;
}
void *memset(void *to, int value, word n) {
  u8 *at = to;
  while (n--) *at++ = (u8)value;
  return to;
}

enum {
  PR_SET_PDEATHSIG = 1, PR_CAPBSET_DROP = 24, PR_SET_NO_NEW_PRIVS = 38, PR_SET_SECCOMP = 22, SECCOMP_MODE_FILTER = 2,
  CLONE_VFORK = 0x4000, CLONE_NEWNS = 0x20000, CLONE_PARENT_SETTID = 0x100000, CLONE_NEWUTS = 0x4000000,
  CLONE_NEWIPC = 0x8000000, CLONE_NEWUSER = 0x10000000, CLONE_NEWPID = 0x20000000, CLONE_NEWNET = 0x40000000,
  CLONE_NEWCGROUP = 0x2000000, LAST_CAPABILITY = 63, SOL_SOCKET = 1, SCM_RIGHTS = 1, MSG_CMSG_CLOEXEC = 0x40000000,
  PROT_READ = 1, PROT_WRITE = 2, MAP_SHARED = 1, MAP_ANONYMOUS = 0x20, EINVAL = 22, EPROTO = 71, EMFILE = 24,
};

struct setup setup;
static struct { u32 id; int pid; } cells[CELLS];
/** Of the frame that is read. */
static u8 payload[FRAME_LIMIT + 1];
static int received[2];
/** A page that a new process shares with us: the kernel says its pid there, and it says why it has failed. */
static struct { int pid; int error; } *shared;

struct vector { void *base; word length; };
struct message {
  void *name; u32 name_length; struct vector *vectors; word vector_count; void *control; word control_length; int flags;
};
struct control { word length; int level, type; int fds[2]; };

static void answer(u32 kind, u32 id, const void *bytes, u32 length) {
  u32 header[3] = {length, kind, id};
  if (write_all(CONTROL, header, sizeof header) < 0 || write_all(CONTROL, bytes, length) < 0) leave(0);
}

static void answer_number(u32 kind, u32 id, int number) { answer(kind, id, &number, sizeof number); }

/** Reads so many bytes, and the descriptors that come with the first of them. The end of the socket is ours. */
static void receive(void *into, word length) {
  u8 *at = into;
  while (length > 0) {
    struct vector vector = {at, length};
    struct control control = {0, 0, 0, {-1, -1}};
    struct message message = {0, 0, &vector, 1, &control, sizeof control, 0};
    long done = CALL(recvmsg, CONTROL, &message, MSG_CMSG_CLOEXEC);
    if (done == -EINTR) continue;
    if (done <= 0) leave(0);
    if (message.control_length >= sizeof control && control.type == SCM_RIGHTS) {
      received[0] = control.fds[0];
      received[1] = control.fds[1];
    }
    at += done;
    length -= (word)done;
  }
}

/** The strings of a payload, up to a count; answers what follows them. */
static u8 *take_strings(u8 *at, const u8 *end, u32 count, char **into) {
  if (count >= STRINGS) leave(EPROTO);
  for (u32 n = 0; n < count; n++) {
    into[n] = (char *)at;
    while (at < end && *at) at++;
    if (at >= end) leave(EPROTO);
    at++;
  }
  into[count] = 0;
  return at;
}

static u32 take_number(u8 **at) {
  u32 number;
  copy(&number, *at, sizeof number);
  *at += sizeof number;
  return number;
}

static void hold(int layer, long result) {
  if (setup.wants[layer]) setup.states[layer] = result < 0 ? (int)result : 1;
}

static long write_file(const char *path, const char *text, long length) {
  long fd = CALL(openat, AT_FDCWD, path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return fd;
  long written = CALL(write, fd, text, length);
  CALL(close, fd);
  return written;
}

/** "ID ID 1": who we are outside, we are inside. */
static long map_id(const char *path, word id) {
  char digits[12], line[32];
  int at = 12, length = 0;
  do digits[--at] = (char)('0' + id % 10), id /= 10; while (id > 0);
  for (int copies = 0; copies < 2; copies++) {
    for (int n = at; n < 12; n++) line[length++] = digits[n];
    line[length++] = ' ';
  }
  line[length++] = '1';
  return write_file(path, line, length);
}

/** The negated status that a process of ours ends with. */
static long exit_status(int child) {
  int status = 0;
  while (CALL(wait4, child, &status, 0, 0) == -EINTR) {}
  return -(status >> 8 & 255);
}

/** Whether a process of ours can become the users that cells are. */
static long try_user(void) {
  int child = fork_process();
  if (child < 0) return child;
  if (child == 0) {
    long group = CALL(setresgid, setup.first_user, setup.first_user, setup.first_user);
    long user = group < 0 ? group : CALL(setresuid, setup.first_user, setup.first_user, setup.first_user);
    leave((int)-user);
  }
  return exit_status(child);
}

/** Who is not root has rights over namespaces only in a user namespace of its own. */
static long enter_user_namespace(void) {
  word uid = (word)CALL(getuid, 0), gid = (word)CALL(getgid, 0);
  long made = CALL(unshare, CLONE_NEWUSER);
  if (made < 0) return made;
  write_file("/proc/self/setgroups", "deny", 4);
  long user = map_id("/proc/self/uid_map", uid);
  return user < 0 ? user : map_id("/proc/self/gid_map", gid);
}

/** There is no way back out: a process of ours tries first. Root without CAP_SETFCAP may not map itself, for example. */
static long try_user_namespace(void) {
  int child = fork_process();
  if (child < 0) return child;
  if (child == 0) {
    long entered = enter_user_namespace();
    leave(entered < 0 ? (int)-entered : 0);
  }
  return exit_status(child);
}

static int wants_namespaces(void) {
  return setup.wants[OWN_PROCESSES] || setup.wants[OWN_NETWORK] || setup.wants[OWN_IPC] || setup.wants[OWN_FILES];
}

/** Whether a process with such flags can be made at all. */
static long try_clone(word flags) {
  long child = CALL(clone, flags | SIGCHLD);
  if (child < 0) return child;
  if (child == 0) leave(0);
  while (CALL(wait4, child, 0, 0, 0) == -EINTR) {}
  return 0;
}

static void choose_users(void) {
  setup.is_root = CALL(getuid, 0) == 0;
  if (setup.is_root) {
    hold(OWN_USER, try_user());
    if (!wants_namespaces() || try_clone(CLONE_NEWNS) == 0) return;
    // Root in a container that keeps it from namespaces.
  }
  if (!wants_namespaces() && !setup.wants[OWN_USER]) return;
  long entered = try_user_namespace();
  if (entered == 0) entered = enter_user_namespace();
  if (!setup.is_root) hold(OWN_USER, entered < 0 ? entered : try_clone(CLONE_NEWUSER));
}

static void prepare(void) {
  choose_users();
  hold(OWN_PROCESSES, try_clone(CLONE_NEWPID));
  hold(OWN_NETWORK, try_clone(CLONE_NEWNET));
  hold(OWN_IPC, try_clone(CLONE_NEWIPC));
  // A limit on processes counts all of a user's: it is for those who share theirs with nobody.
  hold(FEW_THREADS, setup.states[OWN_USER] == 1 ? 0 : -EINVAL);
  if (setup.wants[OWN_FILES]) {
    long made = CALL(unshare, CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWCGROUP);
    if (made < 0) setup.states[OWN_FILES] = (int)made;
    else enter_files();
  }
  if (setup.wants[NO_CAPABILITIES]) {
    for (int one = 0; one <= LAST_CAPABILITY; one++) CALL(prctl, PR_CAPBSET_DROP, one, 0, 0, 0);
    setup.states[NO_CAPABILITIES] = 1;
  }
  hold(PARENT_DEATH, 0);
  hold(NO_NEW_PRIVILEGES, CALL(prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
  if (setup.wants[LANDLOCK]) restrict_files();
  struct { u16 length; const u8 *filter; } program = {(u16)setup.filter_words, setup.filter};
  if (setup.wants[IO_URING_OFF]) hold(IO_URING_OFF, CALL(prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0));
}

/** Layers, the first user, threads, the filter's words; the counts of readable, executable and links; then all of them. */
static void set_up(u32 length) {
  static u8 kept[FRAME_LIMIT + 1];
  static char *readable[STRINGS], *executable[STRINGS], *links[STRINGS];
  copy(kept, payload, length + 1);
  u8 *at = kept;
  const u8 *end = kept + length;
  if (length < 7 * sizeof(u32)) leave(EPROTO);
  u32 wants = take_number(&at);
  for (int layer = 0; layer < LAYERS; layer++) setup.wants[layer] = wants >> layer & 1;
  setup.first_user = take_number(&at);
  setup.threads = take_number(&at);
  setup.filter_words = take_number(&at);
  u32 readable_count = take_number(&at), executable_count = take_number(&at), link_count = take_number(&at);
  setup.filter = at;
  if (setup.filter_words > 4096 || (word)(end - at) < setup.filter_words * 8 || link_count % 2) leave(EPROTO);
  at += setup.filter_words * 8;
  setup.readable = readable;
  setup.executable = executable;
  setup.links = links;
  at = take_strings(at, end, readable_count, readable);
  at = take_strings(at, end, executable_count, executable);
  take_strings(at, end, link_count, links);
  prepare();
  int said[LAYERS + 2];
  for (int layer = 0; layer < LAYERS; layer++) said[layer] = setup.states[layer];
  said[LAYERS] = setup.landlock_version;
  said[LAYERS + 1] = setup.is_root;
  answer(READY, 0, said, sizeof said);
}

static word clone_flags(void) {
  word flags = SIGCHLD | CLONE_VFORK | CLONE_PARENT_SETTID;
  if (setup.states[OWN_USER] == 1 && !setup.is_root) flags |= CLONE_NEWUSER;
  if (setup.states[OWN_PROCESSES] == 1) flags |= CLONE_NEWPID;
  if (setup.states[OWN_NETWORK] == 1) flags |= CLONE_NEWNET;
  if (setup.states[OWN_IPC] == 1) flags |= CLONE_NEWIPC;
  return flags;
}

static void take_descriptors(int log, int wire) {
  // Neither is below 4: 0 to 3 are ours.
  CALL(dup3, log, 1, 0);
  CALL(dup3, log, 2, 0);
  CALL(dup3, wire, 3, 0);
  CALL(close_range, 4, ~0u, 0);
}

/** Runs a program; we go on when it runs or has failed. */
static int start_process(char **argv, char **environment, const char *directory) {
  shared->error = 0;
  long pid = CALL(clone, clone_flags(), 0, &shared->pid);
  if (pid == 0) {
    take_descriptors(received[0], received[1]);
    shared->error = (int)become_cell((u32)shared->pid, argv, environment, directory);
    leave(127);
  }
  if (pid < 0) return (int)pid;
  if (shared->error == 0) return (int)pid;
  while (CALL(wait4, pid, 0, 0, 0) == -EINTR) {}
  return shared->error;
}

/** The counts of words and variables; the directory, the words, the variables. */
static void start(u32 id, u32 length) {
  static char *directory[2], *argv[STRINGS], *environment[STRINGS];
  u8 *at = payload;
  const u8 *end = payload + length;
  if (length < 2 * sizeof(u32)) leave(EPROTO);
  u32 word_count = take_number(&at), variable_count = take_number(&at);
  at = take_strings(at, end, 1, directory);
  at = take_strings(at, end, word_count, argv);
  take_strings(at, end, variable_count, environment);
  int slot = 0;
  while (slot < CELLS && cells[slot].pid) slot++;
  int pid = word_count == 0 || received[1] < 4 ? -EPROTO : slot == CELLS ? -EMFILE
            : start_process(argv, environment, directory[0]);
  for (int n = 0; n < 2; n++) {
    if (received[n] >= 0) CALL(close, received[n]);
    received[n] = -1;
  }
  if (pid < 0) return answer_number(FAILED, id, -pid);
  cells[slot].id = id;
  cells[slot].pid = pid;
  answer_number(STARTED, id, pid);
}

static void end_cell(u32 id) {
  for (int slot = 0; slot < CELLS; slot++)
    if (cells[slot].pid && cells[slot].id == id) CALL(kill, cells[slot].pid, SIGKILL);
}

static void reap(void) {
  int status;
  long pid;
  while ((pid = CALL(wait4, -1, &status, WNOHANG, 0)) > 0)
    for (int slot = 0; slot < CELLS; slot++)
      if (cells[slot].pid == pid) {
        cells[slot].pid = 0;
        answer_number(ENDED, cells[slot].id, status);
      }
}

static void read_frame(void) {
  u32 header[3];
  receive(header, sizeof header);
  if (header[0] > FRAME_LIMIT) leave(EPROTO);
  receive(payload, header[0]);
  payload[header[0]] = 0;
  if (header[1] == SETUP) set_up(header[0]);
  else if (header[1] == START) start(header[2], header[0]);
  else if (header[1] == KILL) end_cell(header[2]);
  else leave(EPROTO);
}

static _Noreturn void serve(word server) {
  CALL(close_range, 4, ~0u, 0);
  CALL(prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if ((word)CALL(getppid, 0) != server) leave(0);
  CALL(setsid, 0);
  received[0] = received[1] = -1;
  unsigned long child_ends = 1ul << (SIGCHLD - 1);
  CALL(rt_sigprocmask, SIG_BLOCK, &child_ends, 0, 8);
  int ends = (int)CALL(signalfd4, -1, &child_ends, 8, O_CLOEXEC | O_NONBLOCK);
  long page = CALL(mmap, 0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (ends < 0 || (page < 0 && page > -4096)) leave(1);
  shared = (void *)page;
  for (;;) {
    struct poll_entry polled[2] = {{CONTROL, POLLIN, 0}, {ends, POLLIN, 0}};
    CALL(ppoll, polled, 2, 0, 0, 8);
    u8 told[128];
    if (polled[1].found) while (CALL(read, ends, told, sizeof told) > 0) {}
    reap();
    if (polled[0].found) read_frame();
  }
}

__attribute__((used)) _Noreturn void begin(word *stack) {
  char **argv = (char **)(stack + 1);
  if (stack[0] == 3 && is_same(argv[1], "serve")) serve(number_of(argv[2]));
  say(source_hash);
  say("\n");
  leave(0);
}
