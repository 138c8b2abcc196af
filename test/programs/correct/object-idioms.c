// What C programs do with pointers beyond the letter of an array's type, each within the object that is meant: rows as one array,
// from a member back to its structure, memory behind a structure, parallel arrays, pointers that move with their buffer, ends.
// stdout: 66 7 15 42 5 abcdefgh 9 16 4
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct link { struct link *next; };
struct item { int value; struct link link; };
struct tail { int count; char text[1]; };

static int grid[3][4];
static struct item table[4];
static const char keys[] = "abc";
static const int values[] = { 1, 2, 9 };

static int flat(void)
{
    int *all = &grid[0][0], sum = 0;
    for (int i = 0; i < 12; i++)
        grid[0][i] = i;
    for (int *p = all; p != all + 12; p++)
        sum += *p;
    return sum;
}

static int back(int n)
{
    struct link *link = &table[n].link;
    struct item *item = (struct item *)((char *)link - offsetof(struct item, link));
    item->value = 7;
    return table[n].value;
}

static int behind(const char *text)
{
    struct tail *t = malloc(sizeof *t + strlen(text));
    int sum = 0;
    if (t == NULL)
        return 0;
    t->count = (int)strlen(text);
    strcpy(t->text, text);
    for (int i = 0; i < t->count; i++)
        sum += t->text[i] == 'x';
    sum += t->count;
    free(t);
    return sum;
}

/* The buffer begins on the stack; both pointers move with it when it must grow. */
static int grows(int n, char *last)
{
    char first[8], *buffer = first, *at = first;
    size_t size = sizeof first;
    for (int i = 0; i < n; i++) {
        if (at == buffer + size) {
            char *more = malloc(2 * size);
            if (more == NULL)
                exit(1);
            memcpy(more, buffer, size);
            at += more - buffer;
            if (buffer != first)
                free(buffer);
            buffer = more;
            size *= 2;
        }
        *at++ = (char)('a' + i % 26);
    }
    memcpy(last, buffer, 8);
    last[8] = 0;
    int used = (int)(at - buffer);
    if (buffer != first)
        free(buffer);
    return used;
}

static int parallel(char key)
{
    const char *found = strchr(keys, key);
    return found == NULL ? 0 : values[found - keys];
}

static int ends(void)
{
    int numbers[4] = { 1, 3, 5, 7 }, *end = numbers + 4, sum = 0;
    while (end > numbers)
        sum += *--end;
    return sum;
}

static int of_size(int n)
{
    int made[n], count = 0;
    for (int i = 0; i < n; i++)
        made[i] = i;
    for (int i = n; i-- > 0;)
        count += made[i] == i;
    return count;
}

int main(void)
{
    char last[9];
    int used = grows(42, last);
    printf("%d %d %d %d %d %s %d %d %d\n", flat(), back(2), behind("xx some text"), used, behind("12345"), last,
           parallel('c'), ends(), of_size(4));
    return 0;
}
