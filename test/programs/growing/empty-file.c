// The mean of no numbers.
// test: numbers.txt
// file: numbers.txt = 3 4 5\n
// finds: division-by-zero
#include <stdio.h>

int main(int argc, char **argv) {
  if (argc < 2) return 1;
  FILE *file = fopen(argv[1], "r");
  if (file == NULL) return 1;
  int value, count = 0, sum = 0;
  while (fscanf(file, "%d", &value) == 1) {
    sum += value & 0xffff;
    count++;
  }
  fclose(file);
  printf("%d\n", sum / count);
  return 0;
}
