// Collatz from a number that is read, again and again; the error is for one start only.
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) { assert(0); }

int main(void) {
  for (;;) {
    unsigned n = __VERIFIER_nondet_uint();
    unsigned steps = 0;
    unsigned long at = n;
    while (at != 1) {
      at = at % 2 == 0 ? at / 2 : 3 * at + 1;
      steps++;
    }
    if (n == 16 && steps == 4) reach_error();
  }
}
