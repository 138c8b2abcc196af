// The greatest common divisor by subtraction never ends where one number is zero.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

static int gcd(int a, int b) {
  while (a != b) {
    if (a > b) a -= b;
    else b -= a;
  }
  return a;
}

int main(void) {
  int a = __VERIFIER_nondet_int();
  int b = __VERIFIER_nondet_int();
  if (a < 0 || b < 0 || a == b) return 0;
  if (gcd(a, b) == 14 && a == 42) reach_error();
  return 0;
}
