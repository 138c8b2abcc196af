// qsort, bsearch and the search.h tables: sizes, many elements, duplicates, and comparison through a context.
// stdout: 1 1
// stdout: 1 1
// stdout: apple banana cherry fig fig pear 
// stdout: b1 a1 d2 c2 
// stdout: alfa echo
// stdout: 1234567 1
// stdout: 2 1
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int calls;
static int by_int(const void *a, const void *b)
{
    calls++;
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}
static int by_text(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }
struct record { char name[7]; unsigned char rank; double weight; };
static int by_record(const void *a, const void *b)
{
    const struct record *x = a, *y = b;
    return x->rank != y->rank ? x->rank - y->rank : (x->weight > y->weight) - (x->weight < y->weight);
}
struct odd { char bytes[5]; };
static int by_odd(const void *a, const void *b) { return memcmp(a, b, 5); }

static int visited;
static void visit(const void *node, VISIT order, int depth)
{
    (void)depth;
    if (order == postorder || order == leaf)
        visited = visited * 10 + **(int *const *)node;
}

int main(void)
{
    static int numbers[5000];
    unsigned seed = 12345;
    for (int i = 0; i < 5000; i++)
        numbers[i] = (int)((seed = seed * 1103515245 + 12345) >> 16) % 700;
    qsort(numbers, 5000, sizeof *numbers, by_int);
    int ordered = 1;
    for (int i = 1; i < 5000; i++)
        ordered &= numbers[i - 1] <= numbers[i];
    printf("%d %d\n", ordered, calls < 200000);
    int key = numbers[2500];
    int *found = bsearch(&key, numbers, 5000, sizeof *numbers, by_int);
    printf("%d %d\n", *found == key, bsearch(&(int){ 701 }, numbers, 5000, sizeof *numbers, by_int) == NULL);
    const char *words[] = { "pear", "apple", "fig", "banana", "cherry", "fig" };
    qsort(words, 6, sizeof *words, by_text);
    for (int i = 0; i < 6; i++)
        printf("%s ", words[i]);
    putchar('\n');
    struct record records[] = { { "c", 2, 1.5 }, { "a", 1, 9 }, { "d", 2, 0.5 }, { "b", 1, 3 } };
    qsort(records, 4, sizeof *records, by_record);
    for (int i = 0; i < 4; i++)
        printf("%s%d ", records[i].name, records[i].rank);
    putchar('\n');
    struct odd odds[] = { { "echo" }, { "alfa" }, { "delt" }, { "brav" } };
    qsort(odds, 4, sizeof *odds, by_odd);
    printf("%s %s\n", odds[0].bytes, odds[3].bytes);
    qsort(numbers, 0, sizeof *numbers, by_int);
    qsort(numbers, 1, sizeof *numbers, by_int);
    void *root = NULL;
    static int keys[] = { 4, 2, 6, 1, 3, 5, 7 };
    for (int i = 0; i < 7; i++)
        tsearch(&keys[i], &root, by_int);
    twalk(root, visit);
    printf("%d %d\n", visited, tfind(&(int){ 8 }, &root, by_int) == NULL);
    for (int i = 0; i < 7; i++)
        tdelete(&keys[i], &root, by_int);
    hcreate(30);
    hsearch((ENTRY){ "one", (void *)1 }, ENTER);
    hsearch((ENTRY){ "two", (void *)2 }, ENTER);
    ENTRY *e = hsearch((ENTRY){ "two", NULL }, FIND);
    printf("%d %d\n", (int)(long)e->data, hsearch((ENTRY){ "six", NULL }, FIND) == NULL);
    hdestroy();
    return 0;
}
