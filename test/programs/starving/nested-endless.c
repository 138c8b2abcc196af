// The inner loop ends only for the right byte, the outer one never; the error is inside of both.
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) { assert(0); }

int main(void) {
  unsigned rounds = 0;
  for (;;) {
    unsigned char c = __VERIFIER_nondet_uchar();
    unsigned waited = 0;
    while (c != 'g') {
      waited++;
      if (waited % 4 == 0) c = __VERIFIER_nondet_uchar();
    }
    rounds++;
    if (rounds == 4) reach_error();
  }
}
