// Commands are words, taken apart by a table of states and found by a hash that is computed with long double, which is not
// followed: no question leads from one command to another. The words stand in the program's own texts.
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BLANK, LETTER, DIGIT, OTHER };
enum { START, IN_WORD, IN_NUMBER, DONE };

static const unsigned char next_state[3][4] = {
    {START, IN_WORD, IN_NUMBER, DONE},
    {DONE, IN_WORD, IN_WORD, DONE},
    {DONE, DONE, IN_NUMBER, DONE},
};

static const char *const help[] = {"print", "scale the picture by a number", "transpose"};

static unsigned char classes[256];

static long hash_of(const char *word, int length)
{
    long double hash = 7;
    for (int i = 0; i < length; i++) {
        hash = hash * 33 + word[i];
        while (hash >= 1000003)
            hash -= 1000003;
    }
    return (long)hash;
}

int main(void)
{
    for (int c = 0; c < 256; c++)
        classes[c] = c == ' ' || c == '\n' ? BLANK : (c | 32) >= 'a' && (c | 32) <= 'z' ? LETTER : c >= '0' && c <= '9' ? DIGIT : OTHER;
    char text[14];
    int size = read(0, text, sizeof text), at = 0, transposed = 0;
    while (at < size) {
        int state = START, from = at;
        while (at < size && (state = next_state[state][classes[(unsigned char)text[at]]]) != DONE)
            if (state == START)
                from = ++at;
            else
                at++;
        long hash = hash_of(text + from, at - from);
        if (hash == hash_of(help[0], 5))
            puts("printed");
        else if (hash == hash_of("scale", 5))
            puts("scaled");
        else if (hash == hash_of(help[2], 9))
            transposed++;
        at++;
    }
    assert(transposed == 0 || size < 3 || text[size - 1] != '!');
    return 0;
}
