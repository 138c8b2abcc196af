/* Bug, two decisions away: a second colon, and a mark behind it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  char *parts[3] = {0};
  int count = 0;
  if (argc != 2) return 2;
  char *at = argv[1];
  parts[count++] = at;
  for (; *at; at++) {
    if (*at == ':' && count < 3) {
      *at = 0;
      parts[count++] = at + 1;
    }
  }
  if (count == 3 && parts[2][0] == '!') {
    char *copy = malloc(4);
    strcpy(copy, parts[0]);
    puts(copy);
    return 0;
  }
  for (int i = 0; i < count; i++) puts(parts[i]);
  return 0;
}
