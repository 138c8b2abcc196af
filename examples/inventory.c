/* A small stock list: reads lines "NAME QUANTITY", prints the list sorted and the totals by initial letter.
   It works on the lines its author thought of. Can you see what is wrong before Tangent tells you? */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
    char *name;
    long quantity;
};

struct stock {
    struct item *items;
    size_t count;
    size_t capacity;
};

static char *copy_name(const char *text, size_t length) {
    char *copy = malloc(length);
    if (copy == NULL) abort();
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

static void add(struct stock *stock, const char *name, size_t length, long quantity) {
    if (stock->count == stock->capacity) {
        stock->capacity = stock->capacity == 0 ? 4 : 2 * stock->capacity;
        stock->items = realloc(stock->items, stock->capacity * sizeof *stock->items);
        if (stock->items == NULL) abort();
    }
    stock->items[stock->count].name = copy_name(name, length);
    stock->items[stock->count].quantity = quantity;
    stock->count++;
}

static void parse_line(struct stock *stock, const char *line) {
    const char *end = line;
    while (*end != '\0' && !isspace((unsigned char)*end)) end++;
    add(stock, line, (size_t)(end - line), strtol(end, NULL, 10));
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct item *)a)->name, ((const struct item *)b)->name);
}

int main(void) {
    static const char *const lines[] = {"bolts 120", "anchors 3", "washers 900", "brackets 16", "nuts 450"};
    struct stock stock = {0};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) parse_line(&stock, lines[i]);
    qsort(stock.items, stock.count, sizeof *stock.items, by_name);
    long totals[26] = {0};
    for (size_t i = 0; i < stock.count; i++) {
        printf("%-10s %5ld\n", stock.items[i].name, stock.items[i].quantity);
        totals[tolower((unsigned char)stock.items[i].name[0]) - 'a'] += stock.items[i].quantity;
    }
    for (int letter = 0; letter < 26; letter++)
        if (totals[letter] != 0) printf("%c: %ld\n", 'a' + letter, totals[letter]);
    for (size_t i = 0; i < stock.count; i++) free(stock.items[i].name);
    free(stock.items);
    return 0;
}
