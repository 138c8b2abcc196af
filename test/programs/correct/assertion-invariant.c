// A sorted insertion asserts an invariant that equal keys keep.
// stdout: 2 9
#include <assert.h>
#include <stdio.h>

static int keys[8], count;

static void insert(int key)
{
    int i = count++;
    for (; i > 0 && keys[i - 1] > key; i--)
        keys[i] = keys[i - 1];
    keys[i] = key;
    for (int k = 1; k < count; k++)
        assert(keys[k - 1] <= keys[k]);
}

int main(void)
{
    static const int input[] = { 5, 2, 9, 2, 7 };
    for (int i = 0; i < 5; i++)
        insert(input[i]);
    printf("%d %d\n", keys[0], keys[count - 1]);
    return 0;
}
