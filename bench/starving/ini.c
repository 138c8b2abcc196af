/* Bug, one decision away: a section whose bracket is not closed. */
#include <stdio.h>
#include <string.h>

int main(void) {
  char line[128];
  int sections = 0, keys = 0;
  while (fgets(line, sizeof line, stdin)) {
    if (line[0] == '[') {
      char *end = strchr(line, ']');
      *end = 0;
      printf("section %s\n", line + 1);
      sections++;
    } else if (line[0] != '#' && line[0] != '\n') {
      char *equals = strchr(line, '=');
      if (equals == NULL) return 1;
      *equals = 0;
      printf("key %s\n", line);
      keys++;
    }
  }
  printf("%d %d\n", sections, keys);
  return 0;
}
