// A binary heap sifts down and compares with the right child if there is one.
// stdout: 2 3 7 11 12 16 17 21 
#include <stdio.h>
#include <stdlib.h>

static void sift_down(int *heap, int count, int i)
{
    for (;;) {
        int child = 2 * i + 1;
        if (child >= count)
            return;
        if (child + 1 < count && heap[child + 1] < heap[child])
            child++;
        if (heap[i] <= heap[child])
            return;
        int t = heap[i];
        heap[i] = heap[child];
        heap[child] = t;
        i = child;
    }
}

int main(void)
{
    int count = 8;
    int *heap = malloc(count * sizeof(int));
    for (int i = 0; i < count; i++)
        heap[i] = (i * 37 + 11) % 23;
    for (int i = count / 2 - 1; i >= 0; i--)
        sift_down(heap, count, i);
    while (count > 0) {
        printf("%d ", heap[0]);
        heap[0] = heap[--count];
        sift_down(heap, count, 0);
    }
    putchar('\n');
    free(heap);
    return 0;
}
