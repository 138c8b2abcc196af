// No test sets this variable at all; a value whose ninth byte is a slash selects a table that is one short.
// test: 2
// finds: global-buffer-overflow
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int small[3] = {1, 2, 3};

int main(int argc, char **argv) {
  if (argc < 2) return 1;
  const char *set = getenv("APP_TABLES");
  int index = atoi(argv[1]) & 3;
  if (set != NULL && strlen(set) > 8 && set[8] == '/') printf("%d\n", small[set[7] & 3]);
  else printf("%d\n", index);
  return 0;
}
