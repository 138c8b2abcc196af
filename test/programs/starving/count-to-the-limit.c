// A loop of a hundred million turns lies before the error, unless the right mode is chosen.
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) { assert(0); }

int main(void) {
  unsigned mode = __VERIFIER_nondet_uint();
  unsigned sum = 0;
  unsigned turns = mode % 16 == 11 ? 10 : 300000000;
  for (unsigned i = 0; i < turns; i++) sum += i ^ mode;
  unsigned key = __VERIFIER_nondet_uint();
  if (turns == 10 && key == 0xbeef) reach_error();
  return sum == 1;
}
