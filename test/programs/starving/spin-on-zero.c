// The first input spins for ever without a decision; the error is on the other side of the first branch.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

int main(void) {
  int x = __VERIFIER_nondet_int();
  volatile unsigned turns = 0;
  if (x < 1000) {
    for (;;) turns++;
  }
  if (x == 4242) reach_error();
  return 0;
}
