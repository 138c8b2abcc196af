// Sound samples added up with limits at both ends.
#include <assert.h>
#include <unistd.h>

static short add(short a, short b) {
  int sum = a + b;
  if (sum > 1000) return 1000;
  if (sum < -1000) return -1000;
  return (short)sum;
}

int main(void) {
  short samples[6];
  if (read(0, samples, 12) != 12) return 1;
  short mixed = 0;
  for (int i = 0; i < 6; i++) mixed = add(mixed, samples[i] / 16);
  assert(mixed != 937);
  return 0;
}
