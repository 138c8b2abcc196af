// A longer argument is harmless by itself; one with a colon behind its eighth byte has a port, and that is copied into 4 bytes.
// test: host
// finds: stack-buffer-overflow
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  char port[4] = "80";
  if (argc < 2) return 1;
  const char *colon = strchr(argv[1], ':');
  if (colon != NULL && colon - argv[1] >= 8) {
    for (int i = 0; i <= (int)strlen(colon + 1); i++) port[i] = colon[1 + i];
  }
  printf("port %s\n", port);
  return 0;
}
