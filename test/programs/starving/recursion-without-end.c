// Zero recurses with no end in sight (the stack is used up sooner or later); one number leads to the error.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

static unsigned long down(unsigned long n, int step) {
  if (n == 99999999) return n;
  return down(n + (unsigned long)step, step) + 1;
}

int main(void) {
  int step = __VERIFIER_nondet_int();
  if (step == 12321) reach_error();
  if (step < 0 || step > 3) return 0;
  return down(0, step) == 7;
}
