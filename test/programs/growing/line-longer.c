// Lines of up to 200 bytes are read, but only 64 are kept.
// stdin: one line\nand another\n
// finds: stack-buffer-overflow
#include <stdio.h>
#include <string.h>

static int measure(const char *line) {
  char kept[64];
  strcpy(kept, line);
  return (int)strlen(kept);
}

int main(void) {
  char line[200];
  int longest = 0;
  while (fgets(line, sizeof line, stdin) != NULL) {
    int length = measure(line);
    if (length > longest) longest = length;
  }
  printf("%d\n", longest);
  return 0;
}
