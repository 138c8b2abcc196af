// Bubble sort of six symbolic ints, then an assertion that they are in order: one path for each permutation, 720.
#include <klee/klee.h>

#define COUNT 6

int main(void)
{
    int numbers[COUNT];
    klee_make_symbolic(numbers, sizeof numbers, "numbers");
    for (int end = COUNT - 1; end > 0; end--)
        for (int i = 0; i < end; i++)
            if (numbers[i] > numbers[i + 1]) {
                int held = numbers[i];
                numbers[i] = numbers[i + 1];
                numbers[i + 1] = held;
            }
    for (int i = 1; i < COUNT; i++)
        klee_assert(numbers[i - 1] <= numbers[i]);
    return 0;
}
