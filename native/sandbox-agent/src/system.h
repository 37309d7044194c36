// The system calls and the few string functions that the agent needs: it is linked with nothing, so that one
// file runs under every Linux of its architecture, whatever C library is inside.
#ifndef SYSTEM_H
#define SYSTEM_H

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long word;

#if defined(__x86_64__)
enum {
  NR_read = 0, NR_write = 1, NR_close = 3, NR_ioctl = 16, NR_socket = 41, NR_bind = 49, NR_listen = 50,
  NR_shutdown = 48, NR_accept4 = 288, NR_setsockopt = 54, NR_clone = 56, NR_execve = 59, NR_exit_group = 231,
  NR_wait4 = 61, NR_kill = 62, NR_fcntl = 72, NR_chdir = 80, NR_umask = 95, NR_setsid = 112, NR_prctl = 157,
  NR_mount = 165, NR_setgroups = 116, NR_setresuid = 117, NR_setresgid = 119, NR_getdents64 = 217,
  NR_openat = 257, NR_ppoll = 271, NR_unshare = 272, NR_signalfd4 = 289, NR_dup3 = 292, NR_pipe2 = 293,
  NR_prlimit64 = 302, NR_rt_sigprocmask = 14, NR_close_range = 436, NR_mkdirat = 258, NR_unlinkat = 263,
  NR_clock_gettime = 228, NR_statfs = 137, NR_getpid = 39,
};
static inline long system6(long n, word a, word b, word c, word d, word e, word f) {
  long result;
  register word r10 __asm__("r10") = d;
  register word r8 __asm__("r8") = e;
  register word r9 __asm__("r9") = f;
  __asm__ volatile("syscall" : "=a"(result) : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}
#elif defined(__aarch64__)
enum {
  NR_read = 63, NR_write = 64, NR_close = 57, NR_ioctl = 29, NR_socket = 198, NR_bind = 200, NR_listen = 201,
  NR_shutdown = 210, NR_accept4 = 242, NR_setsockopt = 208, NR_clone = 220, NR_execve = 221, NR_exit_group = 94,
  NR_wait4 = 260, NR_kill = 129, NR_fcntl = 25, NR_chdir = 49, NR_umask = 166, NR_setsid = 157, NR_prctl = 167,
  NR_mount = 40, NR_setgroups = 159, NR_setresuid = 147, NR_setresgid = 149, NR_getdents64 = 61,
  NR_openat = 56, NR_ppoll = 73, NR_unshare = 97, NR_signalfd4 = 74, NR_dup3 = 24, NR_pipe2 = 59,
  NR_prlimit64 = 261, NR_rt_sigprocmask = 135, NR_close_range = 436, NR_mkdirat = 34, NR_unlinkat = 35,
  NR_clock_gettime = 113, NR_statfs = 43, NR_getpid = 172,
};
static inline long system6(long n, word a, word b, word c, word d, word e, word f) {
  register word x8 __asm__("x8") = (word)n;
  register word x0 __asm__("x0") = a;
  register word x1 __asm__("x1") = b;
  register word x2 __asm__("x2") = c;
  register word x3 __asm__("x3") = d;
  register word x4 __asm__("x4") = e;
  register word x5 __asm__("x5") = f;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
  return (long)x0;
}
#else
#error "no system calls for this architecture"
#endif

#define CALL(n, ...) CALL_(n, __VA_ARGS__, 0, 0, 0, 0, 0, 0)
#define CALL_(n, a, b, c, d, e, f, ...) \
  system6(NR_##n, (word)(a), (word)(b), (word)(c), (word)(d), (word)(e), (word)(f))

enum { ENOENT = 2, EINTR = 4, EIO = 5, E2BIG = 7, ENOEXEC = 8, ECHILD = 10, EAGAIN = 11, EACCES = 13, ENOTDIR = 20, EPIPE = 32 };
enum { O_RDONLY = 0, O_WRONLY = 1, O_RDWR = 2, O_NOCTTY = 0400, O_NONBLOCK = 04000, O_CLOEXEC = 02000000 };
#if defined(__aarch64__)
enum { O_DIRECTORY = 040000, O_NOFOLLOW = 0100000 };
#else
enum { O_DIRECTORY = 0200000, O_NOFOLLOW = 0400000 };
#endif
enum { AT_FDCWD = -100, F_SETFD = 2, FD_CLOEXEC = 1, F_GETFL = 3, F_SETFL = 4 };
enum { SIGKILL = 9, SIGPIPE = 13, SIGTERM = 15, SIGCHLD = 17, SIG_BLOCK = 0, SIG_SETMASK = 2 };
enum { POLLIN = 1, POLLOUT = 4, POLLERR = 8, POLLHUP = 16 };
enum { PR_SET_DUMPABLE = 4, PR_SET_CHILD_SUBREAPER = 36 };
enum { WNOHANG = 1, CLOCK_MONOTONIC = 1 };

struct poll_entry { int fd; short events; short found; };

static inline word length_of(const char *text) {
  word n = 0;
  while (text[n]) n++;
  return n;
}

static inline int is_same(const char *a, const char *b) {
  while (*a && *a == *b) a++, b++;
  return *a == *b;
}

static inline void copy(void *to, const void *from, word n) {
  u8 *t = to;
  const u8 *f = from;
  while (n--) *t++ = *f++;
}

static inline word number_of(const char *text) {
  word n = 0;
  for (; *text >= '0' && *text <= '9'; text++) n = n * 10 + (word)(*text - '0');
  return n;
}

static inline void say(const char *text) { CALL(write, 2, text, length_of(text)); }

/** Writes all of it to a descriptor that blocks; answers 0, or the negated errno. */
static inline long write_all(int fd, const void *bytes, word n) {
  const u8 *at = bytes;
  while (n > 0) {
    long done = CALL(write, fd, at, n);
    if (done == -EINTR) continue;
    if (done < 0) return done;
    at += done;
    n -= (word)done;
  }
  return 0;
}

static inline int fork_process(void) { return (int)CALL(clone, SIGCHLD); }
static inline _Noreturn void leave(int status) {
  for (;;) CALL(exit_group, status);
}

#endif
