// Inputs in arrays: a local one, and bytes that are no text.
#include "../src/pair.h"

#include <assert.h>

static const unsigned char numbers[] = {1, 2, 3};

int main(void) {
    struct pair out;
    char text[] = "x=yz";
    assert(pair_parse(text, &out) == 0);
    assert(pair_sum(numbers, sizeof numbers) == 2 + 3 + 4);
    return 0;
}
