// Lists permutations by recursion.
// stdout: 012
// stdout: 021
// stdout: 102
// stdout: 120
// stdout: 201
// stdout: 210
#include <stdio.h>

#define N 3

static int permute(int *chosen, int depth, unsigned used)
{
    if (depth == N) {
        for (int i = 0; i < N; i++)
            printf("%d", chosen[i]);
        putchar('\n');
        return 1;
    }
    int count = 0;
    for (int i = 0; i < N; i++)
        if (!(used >> i & 1)) {
            chosen[depth] = i;
            count += permute(chosen, depth + 1, used | 1u << i);
        }
    return count;
}

int main(void)
{
    int chosen[N];
    return permute(chosen, 0, 0) == 6 ? 0 : 1;
}
