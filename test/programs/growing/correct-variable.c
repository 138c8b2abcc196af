// The twin of variable-longer.
// env: APP_PROFILE=test
// test: run
// finds: nothing
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  char title[32] = "profile ";
  const char *profile = getenv("APP_PROFILE");
  if (argc < 2) return 1;
  if (profile != NULL) strncat(title, profile, sizeof title - strlen(title) - 1);
  puts(title);
  return 0;
}
