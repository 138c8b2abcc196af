/* No bug. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int c, field = 1, wanted = argc == 2 ? atoi(argv[1]) : 0;
  if (wanted < 1 || wanted > 100) return 2;
  while ((c = getchar()) != EOF) {
    if (c == ',') {
      field++;
    } else if (c == '\n') {
      field = 1;
      putchar('\n');
    } else if (field == wanted) {
      putchar(c);
    }
  }
  return 0;
}
