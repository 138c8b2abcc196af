/* The heavy one: a checksum in many rounds, whose tests are alike to the last decision. No bug. */
#include <stdio.h>
#include <stdlib.h>

static const char letters[26] = "abcdefghijklmnopqrstuvwxyz";

int main(int argc, char **argv) {
  unsigned a = 0x67452301, b = 0xefcdab89, round;
  int c, count = 0;
  if (argc > 2) return 2;
  while ((c = getchar()) != EOF) {
    a += c;
    for (round = 0; round < 32; round++) {
      a = (a << 7 | a >> 25) + b;
      b = (b << 11 | b >> 21) ^ (a + round);
    }
    count++;
  }
  if (argc == 2 && strtoul(argv[1], NULL, 10) != a) {
    puts("the sum is another");
    return 1;
  }
  /* Half of a number below 51, rounded up: no look at bits tells that this is below 26. */
  printf("%c%c %08x %d\n", letters[a % 51 - a % 51 / 2], letters[b % 51 - b % 51 / 2], a, count);
  return 0;
}
