// Four slots for letters, filled by a function that remembers how many are in use. Upper case letters are kept, a dot
// takes one out, an exclamation mark empties all.
#include <stdio.h>

struct slot {
    char letter;
    int age;
};

static int keep(struct slot *slots, char letter, int is_reset)
{
    static int used;
    if (is_reset) {
        used = 0;
        return 0;
    }
    if (letter == '.')
        return used > 0 ? --used : 0;
    slots[used].letter = letter; // WOULD FAIL
    slots[used].age = used;
    return ++used;
}

static int feed(struct slot *slots, char c, int *held)
{
    if (c == '!') {
        *held = keep(slots, 0, 1);
        return 0;
    }
    if (c != '.' && (c < 'A' || c > 'Z'))
        return -1;
    if (c != '.' && *held >= 4)
        return -1;
    *held = keep(slots, c, 0);
    return 0;
}

int main(void)
{
    struct slot slots[4];
    char text[16];
    int held = 0, wrong = 0;
    size_t size = fread(text, 1, sizeof text, stdin);
    for (size_t i = 0; i < size; i++)
        if (feed(slots, text[i], &held) < 0)
            wrong++;
    for (int i = 0; i < held; i++)
        putchar(slots[i].letter);
    printf(" %d wrong\n", wrong);
    return 0;
}
