// The check digit of card numbers: every second digit doubled, and nine taken off where that has two digits.
#include <assert.h>
#include <unistd.h>

int main(void) {
  char digits[12];
  if (read(0, digits, 12) != 12) return 1;
  int sum = 0;
  for (int i = 0; i < 12; i++) {
    if (digits[i] < '0' || digits[i] > '9') return 2;
    int d = digits[i] - '0';
    if (i % 2 == 0) {
      d *= 2;
      if (d > 9) d -= 9;
    }
    sum += d;
  }
  assert(sum != 77);
  return 0;
}
