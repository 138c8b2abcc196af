// Numbers between commas go into a table of six.
// test: 1,2
// test: 7
// finds: stack-buffer-overflow
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  int values[6];
  int count = 0, sum = 0;
  if (argc < 2) return 1;
  char *text = strdup(argv[1]);
  for (char *part = strtok(text, ","); part != NULL; part = strtok(NULL, ",")) values[count++] = atoi(part);
  for (int i = 0; i < count; i++) sum += values[i];
  free(text);
  printf("%d\n", sum);
  return 0;
}
