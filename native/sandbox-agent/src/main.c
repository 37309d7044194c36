// Starts one of the two parts, by its first word. There is no C library below: the stack is read by hand.
#include "parts.h"

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

__attribute__((used)) _Noreturn void begin(word *stack) {
  word count = stack[0];
  char **argv = (char **)(stack + 1);
  if (count >= 2 && is_same(argv[1], "launch")) launch(argv + 2);
  if (count >= 2 && is_same(argv[1], "serve")) serve(argv + 2);
  say(source_hash);
  say("\n");
  leave(0);
}
