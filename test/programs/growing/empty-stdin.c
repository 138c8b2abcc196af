// The newline at the end of what was read is cut off; nothing was read, nothing is there to be cut.
// stdin: some text\n
// finds: heap-buffer-overflow
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  char *text = malloc(64);
  size_t length = fread(text, 1, 63, stdin);
  if (text[length - 1] == '\n') text[length - 1] = '\0';
  else text[length] = '\0';
  printf("%zu\n", length);
  free(text);
  return 0;
}
