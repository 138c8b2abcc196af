/* Bug, one decision away: the month is not looked at in a leap year. */
#include <stdio.h>

static const int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

int main(int argc, char **argv) {
  int year, month, day, all = 0;
  if (argc != 2 || sscanf(argv[1], "%d-%d-%d", &year, &month, &day) != 3) return 2;
  if (year < 1 || month < 1) return 1;
  if (year % 4 == 0) {
    all = days[month - 1] + (month == 2);
  } else {
    if (month > 12) return 1;
    all = days[month - 1];
  }
  if (day < 1 || day > all) return 1;
  printf("%d of %d\n", day, all);
  return 0;
}
