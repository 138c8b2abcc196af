// The last byte of a copy is looked at; an empty argument has none.
// test: path/
// test: file
// finds: heap-buffer-overflow
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc < 2) return 1;
  size_t length = strlen(argv[1]);
  char *copy = malloc(length + 1);
  memcpy(copy, argv[1], length + 1);
  int isFolder = copy[length - 1] == '/';
  puts(isFolder ? "folder" : "file");
  free(copy);
  return 0;
}
