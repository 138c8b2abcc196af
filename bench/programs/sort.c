// Sorting: quicksort, heapsort and merge sort of integers, and the library's qsort of structures.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t seed = 2463534242u;
static uint32_t next(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 17;
    return seed ^= seed << 5;
}

static void swap(int *a, int *b)
{
    int t = *a;
    *a = *b;
    *b = t;
}

static void quicksort(int *a, int n)
{
    while (n > 16) {
        int *low = a, *high = a + n - 1, pivot = a[n / 2];
        while (low <= high) {
            while (*low < pivot)
                low++;
            while (*high > pivot)
                high--;
            if (low <= high)
                swap(low++, high--);
        }
        int left = (int)(high - a) + 1, right = n - (int)(low - a);
        if (left < right) {
            quicksort(a, left);
            a = low;
            n = right;
        } else {
            quicksort(low, right);
            n = left;
        }
    }
    for (int i = 1; i < n; i++)
        for (int k = i; k > 0 && a[k - 1] > a[k]; k--)
            swap(&a[k - 1], &a[k]);
}

static void sift(int *a, int n, int i)
{
    for (int child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && a[child + 1] > a[child])
            child++;
        if (a[i] >= a[child])
            return;
        swap(&a[i], &a[child]);
    }
}

static void heapsort_ints(int *a, int n)
{
    for (int i = n / 2; i-- > 0;)
        sift(a, n, i);
    while (n > 1) {
        swap(&a[0], &a[--n]);
        sift(a, n, 0);
    }
}

static void merge_sort(int *a, int *scratch, int n)
{
    if (n < 2)
        return;
    int half = n / 2, i = 0, j = half, k = 0;
    merge_sort(a, scratch, half);
    merge_sort(a + half, scratch, n - half);
    while (i < half && j < n)
        scratch[k++] = a[i] <= a[j] ? a[i++] : a[j++];
    while (i < half)
        scratch[k++] = a[i++];
    memcpy(a, scratch, k * sizeof *a);
}

struct person {
    int age;
    char name[12];
};

static int compare(const void *a, const void *b)
{
    const struct person *x = a, *y = b;
    return x->age != y->age ? x->age - y->age : strcmp(x->name, y->name);
}

int main(void)
{
    enum { N = 900000, PEOPLE = 150000 };
    int *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b), *c = malloc(N * sizeof *c), *scratch = malloc(N * sizeof *c);
    for (int i = 0; i < N; i++)
        a[i] = b[i] = c[i] = (int)(next() & 0xffffff);
    quicksort(a, N);
    heapsort_ints(b, N);
    merge_sort(c, scratch, N);
    uint32_t sum = 0;
    for (int i = 0; i < N; i++)
        sum = sum * 31 + a[i] + (a[i] == b[i] && b[i] == c[i]);
    struct person *people = malloc(PEOPLE * sizeof *people);
    for (int i = 0; i < PEOPLE; i++) {
        people[i].age = next() % 100;
        for (int k = 0; k < 11; k++)
            people[i].name[k] = 'a' + next() % 26;
        people[i].name[11] = 0;
    }
    qsort(people, PEOPLE, sizeof *people, compare);
    for (int i = 0; i < PEOPLE; i++)
        sum = sum * 31 + people[i].age + people[i].name[3];
    printf("%08x\n", sum);
    free(a);
    free(b);
    free(c);
    free(scratch);
    free(people);
    return 0;
}
