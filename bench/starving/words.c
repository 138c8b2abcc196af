/* No bug. */
#include <ctype.h>
#include <stdio.h>

int main(void) {
  int c, lines = 0, words = 0, bytes = 0, isIn = 0;
  while ((c = getchar()) != EOF) {
    bytes++;
    if (c == '\n') lines++;
    if (isspace(c)) {
      isIn = 0;
    } else if (!isIn) {
      isIn = 1;
      words++;
    }
  }
  printf("%d %d %d\n", lines, words, bytes);
  return 0;
}
