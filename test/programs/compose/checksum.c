// Packets: kind, three bytes, and a checksum of sixteen bits over the four. Only a packet that adds up is looked at.
#include <stdio.h>

struct packet {
    unsigned char kind, body[3];
};

static int table[8];

static unsigned checksum(const unsigned char *bytes, int count)
{
    unsigned sum = 0x1d0f;
    for (int i = 0; i < count; i++) {
        sum ^= (unsigned)bytes[i] << 8;
        for (int bit = 0; bit < 8; bit++)
            sum = sum & 0x8000 ? (sum << 1 ^ 0x1021) & 0xffff : sum << 1;
    }
    return sum;
}

static int store(int slot, int value)
{
    table[slot] += value; // FAILS
    return table[slot];
}

static int handle(const struct packet *packet)
{
    switch (packet->kind) {
    case 'a': return store(packet->body[0] & 7, packet->body[1]);
    case 'b':
        if (packet->body[0] > 8)
            return -1;
        return store(packet->body[0], -packet->body[2]);
    default: return -1;
    }
}

static int receive(const unsigned char *bytes)
{
    unsigned sum = (unsigned)bytes[4] << 8 | bytes[5];
    struct packet packet = {bytes[0], {bytes[1], bytes[2], bytes[3]}};
    if (checksum(bytes, 4) != sum)
        return -1;
    return handle(&packet);
}

int main(int argc, char **argv)
{
    unsigned char bytes[6];
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (file == NULL)
        return 2;
    while (fread(bytes, 1, sizeof bytes, file) == sizeof bytes)
        printf("%d\n", receive(bytes));
    fclose(file);
    return 0;
}
