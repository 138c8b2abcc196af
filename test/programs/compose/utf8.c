// Counts the characters of a text in UTF-8. A first byte says how many follow; the end of the text says nothing.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text {
    unsigned char *bytes;
    size_t size;
};

static unsigned decode(const unsigned char *bytes, int length)
{
    unsigned value = length == 1 ? bytes[0] : bytes[0] & (0x7f >> length);
    for (int i = 1; i < length; i++)
        value = value << 6 | (bytes[i] & 0x3f); // FAILS
    return value;
}

static int length_of(unsigned char first)
{
    return first < 0x80 ? 1 : first < 0xc0 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 0;
}

static int next(const struct text *text, size_t at, unsigned *value)
{
    int length = length_of(text->bytes[at]);
    if (length == 0)
        return -1;
    *value = decode(text->bytes + at, length);
    return length;
}

static int count(const struct text *text)
{
    int characters = 0;
    unsigned value = 0, largest = 0;
    for (size_t at = 0; at < text->size; characters++) {
        int length = next(text, at, &value);
        if (length < 0)
            return -1;
        if (value > largest)
            largest = value;
        at += (size_t)length;
    }
    printf("largest U+%04X\n", largest);
    return characters;
}

static int measure(const char *given)
{
    struct text text = {NULL, strcspn(given, "\n")};
    if (text.size == 0 || (text.bytes = malloc(text.size)) == NULL)
        return -1;
    memcpy(text.bytes, given, text.size);
    int characters = count(&text);
    free(text.bytes);
    return characters;
}

int main(void)
{
    char line[32];
    if (fgets(line, sizeof line, stdin) == NULL)
        return 1;
    printf("%d characters\n", measure(line));
    return 0;
}
