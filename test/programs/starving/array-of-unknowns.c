// Fills an array as long as the input says, then looks for one number in it.
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000000) n = 1000000;
  int *all = malloc(n * sizeof *all);
  if (all == 0) return 0;
  for (int i = 0; i < n; i++) all[i] = __VERIFIER_nondet_int();
  int most = 0;
  for (int i = 0; i < n; i++) if (all[i] > most) most = all[i];
  if (n == 3 && most == 1234 && all[0] == most) reach_error();
  free(all);
  return 0;
}
