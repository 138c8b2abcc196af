// A line of a table has three columns in the test, sixteen in the program, and as many as it likes elsewhere.
// stdin: a;b;c\nd;e;f\n
// finds: stack-buffer-overflow
#include <stdio.h>
#include <string.h>

int main(void) {
  char line[256];
  int widest = 0;
  while (fgets(line, sizeof line, stdin) != NULL) {
    int starts[16];
    int count = 0;
    starts[count++] = 0;
    for (int i = 0; line[i] != '\0'; i++)
      if (line[i] == ';') starts[count++] = i + 1;
    if (starts[count - 1] > widest) widest = starts[count - 1];
  }
  printf("%d\n", widest);
  return 0;
}
