// Designated initialisers, compound literals, flexible array members, nested brace elision, addresses as constants.
// stdout: 4 zero one 1
// stdout: 4 5 7 9
// stdout: 8 abcd 120 2
// stdout: 28 56
// stdout: 5 hello
// stdout: 30 60
// stdout: ab cde f
// stdout: 23
// stdout: 2 2
// stdout: 3
// stdout: 8 flexible 4
// stdout: 0 7 0
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct point { int x, y; };
struct shape { const char *name; struct point corners[4]; unsigned char tag[4]; struct point *first; };
struct text { int length; char characters[]; };

static struct point origin = { .y = 2 };
static struct shape shapes[] = {
    [1] = { .name = "one", .corners = { [2] = { .y = 5 }, { 7, 8 } }, .tag = "abcd" },
    [0] = { "zero", 1, 2, 3, 4, .tag = { [1] = 'x' }, .first = &origin },
    [3].corners[1].x = 9,
};
static int *const inside = &shapes[1].corners[3].y;
static const ptrdiff_t distance = offsetof(struct shape, corners[2].y);
static struct text greeting = { 5, "hello" };
static int *numbers = (int[]){ 10, 20, 30, [5] = 60 };
static char square[][3] = { "ab", { 'c', 'd', 'e' }, "f" };

static int sum(const struct point *p, int n) { int s = 0; while (n--) s += p[n].x * p[n].y; return s; }

static struct text *text(const char *from)
{
    struct text *t = malloc(sizeof *t + strlen(from) + 1);
    t->length = (int)strlen(from);
    strcpy(t->characters, from);
    return t;
}

int main(void)
{
    printf("%zu %s %s %d\n", sizeof shapes / sizeof *shapes, shapes[0].name, shapes[1].name, shapes[2].name == NULL);
    printf("%d %d %d %d\n", shapes[0].corners[1].y, shapes[1].corners[2].y, shapes[1].corners[3].x, shapes[3].corners[1].x);
    printf("%d %.4s %d %d\n", *inside, shapes[1].tag, shapes[0].tag[1], shapes[0].first->y);
    printf("%td %zu\n", distance, sizeof(struct shape));
    printf("%d %.*s\n", greeting.length, greeting.length, greeting.characters);
    printf("%d %d\n", numbers[2], numbers[5]);
    printf("%s %.3s %s\n", square[0], square[1], square[2]);
    printf("%d\n", sum((struct point[]){ { 1, 2 }, { 3, 4 }, { .y = 9, .x = 1 } }, 3));
    struct point p = { .x = 1, .x = 2, .y = origin.y };
    p = (struct point){ p.y, p.x };
    printf("%d %d\n", p.x, p.y);
    (&(struct point){ 5, 6 })->x++;
    int total = 0;
    for (int i = 0; i < 3; i++) {
        struct point *q = &(struct point){ i };
        total += q->x + q->y;
        q->y = 100;
    }
    printf("%d\n", total);
    struct text *t = text("flexible");
    printf("%d %s %zu\n", t->length, t->characters, sizeof *t);
    free(t);
    int partial[5] = { [1 ... 3] = 7 };
    printf("%d %d %d\n", partial[0], partial[3], partial[4]);
    return 0;
}
