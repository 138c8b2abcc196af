// The check allows one byte too many: only an argument of exactly 40 bytes fails.
// test: ada
// finds: global-buffer-overflow
#include <stdio.h>
#include <string.h>

static char name[40];

int main(int argc, char **argv) {
  if (argc < 2) return 1;
  size_t length = strlen(argv[1]);
  if (length > sizeof name) {
    fprintf(stderr, "too long\n");
    return 1;
  }
  for (size_t i = 0; i <= length; i++) name[i] = argv[1][i];
  printf("hello, %s\n", name);
  return 0;
}
