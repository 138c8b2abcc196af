/* Bug, one decision away: to negate what is not there. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int *stack = malloc(32 * sizeof *stack), depth = 0;
  char *at;
  if (argc != 2) return 2;
  for (at = argv[1]; *at; at++) {
    if (*at >= '0' && *at <= '9') {
      if (depth == 32) return 1;
      stack[depth++] = *at - '0';
    } else if (*at == '+' || *at == '*') {
      if (depth < 2) return 1;
      depth--;
      stack[depth - 1] = *at == '+' ? stack[depth - 1] + stack[depth] : stack[depth - 1] * stack[depth];
    } else if (*at == '~') {
      stack[depth - 1] = -stack[depth - 1];
    } else {
      return 1;
    }
  }
  for (int i = 0; i < depth; i++) printf("%d\n", stack[i]);
  return 0;
}
