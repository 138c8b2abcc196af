// Least, greatest, count and limited sum of some numbers.
#include <assert.h>
#include <unistd.h>

int main(void) {
  signed char b[12];
  if (read(0, b, 12) != 12) return 1;
  int max = -1000, min = 1000, neg = 0, sum = 0;
  for (int i = 0; i < 12; i++) {
    if (b[i] > max) max = b[i];
    if (b[i] < min) min = b[i];
    if (b[i] < 0) neg++;
    int s = sum + b[i] * 3;
    if (s > 200) s = 200;
    if (s < -200) s = -200;
    sum = s;
  }
  if (max == 77 && min == -77 && neg == 5 && sum == 33) assert(0);
  return 0;
}
