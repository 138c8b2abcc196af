// The mean of the bytes of a file that has none.
// test: numbers.bin
// file: numbers.bin = 3456
// finds: division-by-zero
#include <stdio.h>

int main(int argc, char **argv) {
  if (argc < 2) return 1;
  FILE *file = fopen(argv[1], "rb");
  if (file == NULL) return 1;
  int byte, count = 0, sum = 0;
  while ((byte = fgetc(file)) != EOF) {
    sum += byte;
    count++;
  }
  fclose(file);
  printf("%d\n", sum / count);
  return 0;
}
