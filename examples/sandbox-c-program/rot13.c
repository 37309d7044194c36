#include <ctype.h>
#include <stdio.h>

int main(void) {
  int c;
  while ((c = getchar()) != EOF) {
    int base = isupper(c) ? 'A' : 'a';
    putchar(isalpha(c) ? base + (c - base + 13) % 26 : c);
  }
  return 0;
}
