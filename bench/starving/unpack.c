/* Bug, one decision away: a count of runs that goes back behind what was written. */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  unsigned char *out = malloc(1024);
  int c, size = 0;
  while ((c = getchar()) != EOF && size < 1000) {
    if (c == '<') {
      int back = getchar() - '0';
      if (back < 0 || back > 9) return 1;
      out[size] = out[size - back];
      size++;
    } else if (c == '!') {
      size = 0;
    } else {
      out[size++] = c;
    }
  }
  fwrite(out, 1, size, stdout);
  return 0;
}
