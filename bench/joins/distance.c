// How far two words are apart: a sum of absolute differences.
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
  unsigned char a[8];
  static const unsigned char wanted[8] = {10, 200, 30, 40, 150, 60, 7, 80};
  if (read(0, a, 8) != 8) return 1;
  int far = 0;
  for (int i = 0; i < 8; i++) far += a[i] > wanted[i] ? a[i] - wanted[i] : wanted[i] - a[i];
  assert(far != 1001);
  return 0;
}
