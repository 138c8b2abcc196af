// Code made of tiny functions: accessors, comparisons through pointers, a stack of cells, fixed-point arithmetic.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct { int32_t raw; } fixed;
struct cell { fixed value; uint8_t tag; };
struct stack { struct cell cells[64]; int depth; };
struct item { int key, weight; };

static fixed make(int whole) { return (fixed){ whole * 65536 }; }
static int32_t raw(fixed f) { return f.raw; }
static fixed add(fixed a, fixed b) { return (fixed){ (int32_t)((uint32_t)raw(a) + (uint32_t)raw(b)) }; }
static fixed multiply(fixed a, fixed b) { return (fixed){ (int32_t)((int64_t)raw(a) * raw(b) >> 16) }; }
static fixed half(fixed a) { return (fixed){ raw(a) >> 1 }; }
static int is_empty(const struct stack *s) { return s->depth == 0; }
static int is_full(const struct stack *s) { return s->depth == 64; }
static void push(struct stack *s, fixed v, uint8_t tag)
{
    if (!is_full(s))
        s->cells[s->depth++] = (struct cell){ v, tag };
}
static struct cell pop(struct stack *s) { return is_empty(s) ? (struct cell){ make(1), 0 } : s->cells[--s->depth]; }
static fixed value(struct cell c) { return c.value; }
static uint8_t tag(struct cell c) { return c.tag; }

static int key_of(const struct item *i) { return i->key; }
static int weight_of(const struct item *i) { return i->weight; }
static int by_key(const struct item *a, const struct item *b) { return key_of(a) - key_of(b); }
static int by_weight(const struct item *a, const struct item *b) { return weight_of(a) - weight_of(b); }
static struct item *at(struct item *items, int i) { return items + i; }
static void exchange(struct item *a, struct item *b)
{
    struct item t = *a;
    *a = *b;
    *b = t;
}

static void shell_sort(struct item *items, int n, int (*compare)(const struct item *, const struct item *))
{
    for (int gap = n / 2; gap > 0; gap = gap == 2 ? 1 : gap * 5 / 11)
        for (int i = gap; i < n; i++)
            for (int k = i; k >= gap && compare(at(items, k - gap), at(items, k)) > 0; k -= gap)
                exchange(at(items, k - gap), at(items, k));
}

static uint32_t seed = 1;
static uint32_t next(void) { return seed = seed * 1664525 + 1013904223; }
static uint32_t below(uint32_t limit) { return (next() >> 8) % limit; }

int main(void)
{
    struct stack s = { .depth = 0 };
    uint32_t sum = 0;
    for (int i = 0; i < 40000000; i++) {
        switch (below(4)) {
        case 0: push(&s, make((int)below(100)), (uint8_t)i); break;
        case 1: push(&s, add(value(pop(&s)), value(pop(&s))), 1); break;
        case 2: push(&s, half(multiply(value(pop(&s)), make(2))), 2); break;
        default: { struct cell c = pop(&s); sum = sum * 3 + raw(value(c)) + tag(c); }
        }
    }
    enum { N = 40000 };
    struct item *items = malloc(N * sizeof *items);
    for (int round = 0; round < 8; round++) {
        for (int i = 0; i < N; i++)
            *at(items, i) = (struct item){ (int)below(1000000), (int)below(1000) };
        shell_sort(items, N, round & 1 ? by_key : by_weight);
        for (int i = 0; i < N; i += 100)
            sum = sum * 31 + key_of(at(items, i)) + weight_of(at(items, i));
    }
    printf("%08x\n", sum);
    free(items);
    return 0;
}
