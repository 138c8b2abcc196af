// The twin of argument-longer: nothing fails, however long the name is.
// test: ada
// finds: nothing
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  char name[24];
  if (argc < 2) return 1;
  if (strlen(argv[1]) >= sizeof name) {
    fprintf(stderr, "too long\n");
    return 1;
  }
  strcpy(name, argv[1]);
  printf("hello, %s\n", name);
  return 0;
}
