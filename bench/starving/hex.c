/* No bug. */
#include <stdio.h>

int main(void) {
  static const char digits[] = "0123456789abcdef";
  int c, at = 0;
  while ((c = getchar()) != EOF) {
    putchar(digits[c >> 4 & 15]);
    putchar(digits[c & 15]);
    putchar(++at % 16 == 0 ? '\n' : ' ');
  }
  putchar('\n');
  return 0;
}
