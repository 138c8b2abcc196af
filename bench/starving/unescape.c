/* Bug, one decision away: a backslash at the end makes the loop run over the end of the argument. */
#include <stdio.h>

int main(int argc, char **argv) {
  char *at;
  if (argc != 2) return 2;
  for (at = argv[1]; *at; at++) {
    if (*at != '\\') {
      putchar(*at);
      continue;
    }
    switch (*++at) {
      case 'n': putchar('\n'); break;
      case 't': putchar('\t'); break;
      case '\\': putchar('\\'); break;
      default: putchar(*at);
    }
  }
  putchar('\n');
  return 0;
}
