// Reads a file of records (type, length, bytes) and keeps the last name in a block of the size the header gives.
#include <stdio.h>
#include <stdlib.h>

struct reader {
    const unsigned char *bytes;
    size_t size, at;
};

struct store {
    unsigned char *name;
    size_t capacity, used;
};

static void copy_value(struct store *store, const unsigned char *from, size_t length)
{
    for (size_t i = 0; i < length; i++)
        store->name[i] = from[i]; // FAILS
    store->used = length;
}

static int read_name(struct reader *in, struct store *store, size_t length)
{
    if (length == 0)
        return 0;
    copy_value(store, in->bytes + in->at, length);
    return 1;
}

static int read_record(struct reader *in, struct store *store)
{
    if (in->size - in->at < 2)
        return -1;
    unsigned char type = in->bytes[in->at], length = in->bytes[in->at + 1];
    int kept = 0;
    in->at += 2;
    if (length > in->size - in->at)
        return -1;
    if (type == 'N')
        kept = read_name(in, store, length);
    else if (type != 'C')
        return -1;
    in->at += length;
    return kept;
}

static int read_all(struct reader *in, struct store *store)
{
    int names = 0;
    while (in->at < in->size) {
        int kept = read_record(in, store);
        if (kept < 0)
            return -1;
        names += kept;
    }
    return names;
}

int main(int argc, char **argv)
{
    unsigned char bytes[64];
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (file == NULL)
        return 2;
    struct reader in = {bytes, fread(bytes, 1, sizeof bytes, file), 1};
    fclose(file);
    if (in.size < 1 || bytes[0] == 0 || bytes[0] > 32)
        return 1;
    struct store store = {malloc(bytes[0]), bytes[0], 0};
    if (store.name == NULL)
        return 1;
    int names = read_all(&in, &store);
    printf("%d names, the last of %zu bytes\n", names, store.used);
    free(store.name);
    return 0;
}
