// A save file of two versions. The old one's levels are checked when it is started, the new one's no longer quite so.
// File: version, level, flags, seed.
#include <stdio.h>
#include <stdlib.h>

struct save {
    int version, level, flags, seed;
};

static const short lengths[10] = {5, 8, 12, 17, 23, 30, 38, 47, 57, 68};

static int level_length(int level, int flags)
{
    if (flags & 1)
        level--;
    return lengths[level]; // FAILS
}

static int build(const struct save *save)
{
    int length = level_length(save->level, save->flags);
    return save->flags & 2 ? length * 2 : length;
}

static int start_old(const struct save *save)
{
    if (save->level < 1 || save->level > 9)
        return -1;
    return build(save);
}

static int start_new(const struct save *save)
{
    if (save->level > 9 || (save->flags & 4))
        return -1;
    return build(save) + save->seed % 3;
}

static int start(const struct save *save)
{
    switch (save->version) {
    case 1: return start_old(save);
    case 2: return start_new(save);
    default: return -1;
    }
}

int main(int argc, char **argv)
{
    unsigned char bytes[4];
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (file == NULL)
        return 2;
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    if (size != sizeof bytes)
        return 1;
    struct save save = {bytes[0], bytes[1], bytes[2], bytes[3]};
    printf("%d\n", start(&save));
    return 0;
}
