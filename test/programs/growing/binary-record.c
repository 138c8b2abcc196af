// Records of four bytes, up to the end of the file: the table has room for five.
// test: points.bin
// file: points.bin = PT\x01\x00\x03\x00\x04\x00\x05\x00\x0c\x00\x09\x00\x28\x00
// finds: stack-buffer-overflow
#include <stdio.h>

struct point {
  short x, y;
};

int main(int argc, char **argv) {
  struct point points[5];
  char mark[4];
  int count = 0, sum = 0;
  if (argc < 2) return 1;
  FILE *file = fopen(argv[1], "rb");
  if (file == NULL) return 1;
  if (fread(mark, 1, 4, file) != 4 || mark[0] != 'P' || mark[1] != 'T') return 1;
  struct point next;
  while (fread(&next, sizeof next, 1, file) == 1) points[count++] = next;
  fclose(file);
  for (int i = 0; i < count; i++) sum += points[i].x + points[i].y;
  printf("%d\n", sum);
  return 0;
}
