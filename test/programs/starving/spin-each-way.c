// Each of many ways ends in a loop without end, but one.
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) { assert(0); }

int main(void) {
  unsigned char keys[6];
  for (int i = 0; i < 6; i++) keys[i] = __VERIFIER_nondet_uchar();
  for (int i = 0; i < 6; i++) {
    if (keys[i] != 10 * i + 7) {
      volatile int turns = 0;
      for (;;) turns++;
    }
  }
  reach_error();
  return 0;
}
