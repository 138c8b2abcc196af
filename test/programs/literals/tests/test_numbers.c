// Inputs are numbers: in calls of the library, also inside of a macro, and in calls of a helper that hands them on.
#include "../src/amounts.h"

#include <assert.h>

static int days_of(int month, int expected) {
    return month_days(month) == expected;
}

int main(void) {
    assert(days_of(2, 28));
    assert(level_letter(2) == 'c');
    assert(grade(57.5) == 'e');
    int sum = window_sum(3, 5);
    return sum == 1 + 5 + 9 + 2 + 6 ? 0 : 1;
}
