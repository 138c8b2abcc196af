// Even and odd call each other until zero is met, which negative numbers never do soon.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

static int is_odd(int n);
static int is_even(int n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(int n) { return n == 0 ? 0 : is_even(n - 1); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  int even = is_even(n & 15 ? 100000 + (n & 0xffff) : n & 0x30);
  if (even && n == 0x620) reach_error();
  return 0;
}
