// Sorts a constant table after casting its constness away.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int ports[6] = { 443, 22, 80, 25, 110, 53 };

static void insertion_sort(int *a, int n)
{
    for (int i = 1; i < n; i++) {
        int key = a[i], k = i;
        for (; k > 0 && a[k - 1] > key; k--)
            a[k] = a[k - 1]; // expect: read-only-write write
        a[k] = key;
    }
}

int main(void)
{
    int *table = (int *)ports;
    insertion_sort(table, 6);
    for (int i = 0; i < 6; i++)
        printf("%d\n", table[i]);
    return 0;
}
