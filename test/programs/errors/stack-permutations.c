// Lists permutations by recursion; the base case comes one level too late.
#include <stdio.h>

#define N 3

static int permute(int *chosen, int depth, unsigned used)
{
    if (depth > N) {
        for (int i = 0; i < N; i++)
            printf("%d", chosen[i]);
        putchar('\n');
        return 1;
    }
    int count = 0;
    for (int i = 0; i <= N; i++)
        if (!(used >> i & 1)) {
            chosen[depth] = i; // expect: stack-buffer-overflow write
            count += permute(chosen, depth + 1, used | 1u << i);
        }
    return count;
}

int main(void)
{
    int chosen[N];
    return permute(chosen, 0, 0) == 6 ? 0 : 1;
}
