// A letter of the input is looked for in a text that is known: where it is found is a look-up, not a path for each letter of the text.
// Longer texts, and texts that are not known, are walked along.
// run: explore --sym-stdin 8
// twin: -DFIXED
// covers: all
// witness: stdin "aGFja2Vy"
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Six letters, packed four to three bytes; -1 for what is none. */
static int value_of(char letter)
{
    const char *found = strchr(letters, letter);
    return found && letter ? (int)(found - letters) : -1;
}

int main(void)
{
    char text[8];
    unsigned char bytes[6];
    int count = 0;
    if (read(0, text, sizeof text) != sizeof text) return 2;
    for (int i = 0; i < 8; i += 4) {
        int bits = 0;
        for (int j = 0; j < 4; j++) {
            int value = value_of(text[i + j]);
            if (value < 0) return 1;
            bits = bits << 6 | value;
        }
        bytes[count++] = (unsigned char)(bits >> 16);
        bytes[count++] = (unsigned char)(bits >> 8);
        bytes[count++] = (unsigned char)bits;
    }
    if (memcmp(bytes, "hacker", 6) == 0) {
#ifdef FIXED
        puts("found");
#else
        assert(!"found"); // expect: assertion-failure
#endif
    }
    return 0;
}
