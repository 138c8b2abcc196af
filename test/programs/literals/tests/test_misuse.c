// Nothing to find: with other numbers this test misuses the library.
#include "../src/amounts.h"

static const int values[] = {2, 7, 1};

int main(void) {
    char digits[3];
    struct ring *ring = ring_new(4);
    if (ring == 0) return 1;
    for (int n = 0; n < 4; n++) ring_put(ring, n);
    int sum = values_sum(values, 3) + values_sum(values + 1, 2) + value_at(5) + unit_days(UNIT_WEEK);
    sum += digits_put(digits, 42) + share_of(12, 4) + steps_of(50);
    return sum > 0 && ring_end(ring) == 4 ? 0 : 1;
}
