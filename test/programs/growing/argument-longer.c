// A name is copied into 24 bytes, whatever its length: the tests have short ones.
// test: ada
// test: grace
// finds: stack-buffer-overflow
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  char name[24];
  if (argc < 2) return 1;
  strcpy(name, argv[1]);
  printf("hello, %s\n", name);
  return 0;
}
