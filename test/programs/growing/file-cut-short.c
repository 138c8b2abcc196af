// The length of the body is taken from the header, and believed, although the file may end before it.
// test: message.bin
// file: message.bin = MS\x06\x00hello\x00
// finds: heap-buffer-overflow
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  if (argc < 2) return 1;
  FILE *file = fopen(argv[1], "rb");
  if (file == NULL) return 1;
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  if (size < 4) return 1;
  unsigned char *bytes = malloc((size_t)size);
  size = (long)fread(bytes, 1, (size_t)size, file);
  fclose(file);
  // A wrong length is refused, but not a file that lacks its last byte.
  if (bytes[0] != 'M' || bytes[2] > 6) return 1;
  int sum = 0;
  for (int i = 0; i < bytes[2]; i++) sum += bytes[4 + i];
  printf("%d\n", sum);
  free(bytes);
  return 0;
}
