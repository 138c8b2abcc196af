// Reads numbers of a few bits from a block of bytes: the first byte says of how many bits each is, the second how many
// there are.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bits {
    const unsigned char *bytes;
    size_t at, end; // in bits
};

static unsigned take(struct bits *bits, unsigned count)
{
    unsigned value = 0;
    while (count-- > 0) {
        value = value << 1 | (bits->bytes[bits->at >> 3] >> (7 - (bits->at & 7)) & 1); // FAILS
        bits->at++;
    }
    return value;
}

static unsigned number(struct bits *bits, unsigned width)
{
    unsigned high = 0, low = width;
    if (width > 4) {
        high = take(bits, 4);
        low = width - 4;
    }
    return high << low | take(bits, low);
}

static int numbers(struct bits *bits, unsigned width, unsigned count)
{
    unsigned total = 0;
    for (unsigned i = 0; i < count; i++) {
        if (bits->at >= bits->end)
            return -1;
        total += number(bits, width);
    }
    return (int)total;
}

static int unpack(const unsigned char *data, size_t size)
{
    if (size < 3 || data[0] < 1 || data[0] > 8 || data[1] > 20)
        return -1;
    unsigned char *body = malloc(size - 2);
    if (body == NULL)
        return -1;
    memcpy(body, data + 2, size - 2);
    struct bits bits = {body, 0, (size - 2) * 8};
    int total = numbers(&bits, data[0], data[1]);
    free(body);
    return total;
}

int main(int argc, char **argv)
{
    unsigned char data[16];
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (file == NULL)
        return 2;
    size_t size = fread(data, 1, sizeof data, file);
    fclose(file);
    printf("%d\n", unpack(data, size));
    return 0;
}
