// What a variable of the environment says is put behind a prefix, in 32 bytes.
// env: APP_PROFILE=test
// test: run
// finds: stack-buffer-overflow
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  char title[32] = "profile ";
  const char *profile = getenv("APP_PROFILE");
  if (argc < 2) return 1;
  if (profile != NULL) strcat(title, profile);
  puts(title);
  return 0;
}
