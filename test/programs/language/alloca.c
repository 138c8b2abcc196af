// alloca: in loops it accumulates, after return it is gone; mixed with arrays and alignment.
// stdout: 302980
// stdout: 0 1
// stdout: 201
// stdout: 600000
#include <alloca.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct link {
    struct link *next;
    int value;
};

static int list(int n)
{
    struct link *head = NULL;
    for (int i = 0; i < n; i++) {
        struct link *l = alloca(sizeof *l);
        l->next = head;
        l->value = i;
        head = l;
    }
    int sum = 0;
    for (; head; head = head->next)
        sum = (sum * 3 + head->value) % 1000003;
    return sum;
}

static int reversed(const char *text)
{
    size_t n = strlen(text);
    char *copy = alloca(n + 1);
    for (size_t i = 0; i < n; i++)
        copy[i] = text[n - 1 - i];
    copy[n] = 0;
    return strcmp(text, copy);
}

static int recursive(int n)
{
    unsigned char *p = alloca(n % 37 + 1);
    memset(p, n, n % 37 + 1);
    int aligned = (uintptr_t)p % 16 == 0;
    return n == 0 ? aligned : aligned + recursive(n - 1) + (p[n % 37] != (unsigned char)n);
}

int main(void)
{
    printf("%d\n", list(1000));
    printf("%d %d\n", reversed("level"), reversed("ab") < 0);
    printf("%d\n", recursive(200));
    long total = 0;
    for (int i = 0; i < 100000; i++)
        total += list(i & 3);
    printf("%ld\n", total);
    return 0;
}
