/* Bug, one decision away: a backspace in the first column goes in front of the line. */
#include <stdio.h>
#include <string.h>

int main(void) {
  char *line = __builtin_malloc(256);
  int c, column = 0;
  memset(line, 0, 256);
  while ((c = getchar()) != EOF) {
    if (c == '\n' || column >= 200) {
      line[column] = 0;
      puts(line);
      column = 0;
    } else if (c == '\t') {
      do line[column++] = ' ';
      while (column % 8 != 0);
    } else if (c == '\b') {
      line[--column] = ' ';
    } else {
      line[column++] = c;
    }
  }
  return 0;
}
