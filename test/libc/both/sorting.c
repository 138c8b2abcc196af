/* Sorting and searching, with comparisons that see ties. */
#define _GNU_SOURCE
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_number(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}
static int by_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}
static void visit(const void *node, VISIT when, int depth) {
    if (when == postorder || when == leaf) printf("%s ", *(char *const *)node);
}
static int compare_texts(const void *a, const void *b) {
    return strcmp(a, b);
}

int main(void) {
    int numbers[] = {5, 3, 9, -1, 7, 3, 0, 12, 8, 1, 1, 4}, key = 7;
    char *words[] = {"pear", "apple", "fig", "lemon", "cherry"};
    void *root = 0;
    qsort(numbers, 12, sizeof *numbers, by_number);
    for (int k = 0; k < 12; k++) printf("%d ", numbers[k]);
    printf("%d\n", (int)((int *)bsearch(&key, numbers, 12, sizeof *numbers, by_number) - numbers));
    qsort(words, 5, sizeof *words, by_text);
    for (int k = 0; k < 5; k++) printf("%s ", words[k]);
    for (int k = 0; k < 5; k++) tsearch(words[k], &root, compare_texts);
    twalk(root, visit);
    putchar('\n');
    srand48(7);
    printf("%ld\n", lrand48());
    printf("%ld\n", mrand48());
    printf("%.6f\n", drand48());
    return 0;
}
