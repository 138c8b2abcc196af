// The name of a file, with an ending, in 48 bytes.
// test: data.txt
// file: data.txt = hello\n
// finds: stack-buffer-overflow
#include <stdio.h>

int main(int argc, char **argv) {
  char backup[48];
  if (argc < 2) return 1;
  FILE *file = fopen(argv[1], "r");
  if (file == NULL) return 1;
  sprintf(backup, "%s.bak", argv[1]);
  printf("would be %s\n", backup);
  fclose(file);
  return 0;
}
