// As many moves as the discs make: 2^n. Three discs lead to the error.
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) { assert(0); }

static unsigned long moves;
static void hanoi(int discs, int from, int to, int spare) {
  if (discs == 0) return;
  hanoi(discs - 1, from, spare, to);
  moves++;
  hanoi(discs - 1, spare, to, from);
}

int main(void) {
  unsigned char discs = __VERIFIER_nondet_uchar();
  hanoi(discs < 3 || discs > 40 ? 40 : discs, 1, 2, 3);
  if (moves == 7 && __VERIFIER_nondet_uchar() == 'x') reach_error();
  return 0;
}
