// A version-1 caller hands its smaller structure to a function that fills a version-2 one.
#include <stdio.h>
#include <string.h>

struct info_v1 {
    int size;
    char name[12];
};
struct info_v2 {
    struct info_v1 base;
    long inode;
    long device;
};

static void fill(struct info_v1 *out)
{
    struct info_v2 *full = (struct info_v2 *)out;
    strcpy(full->base.name, "disk");
    full->base.size = 512;
    full->inode = 77; // expect: stack-buffer-overflow write
    full->device = 3;
}

int main(void)
{
    struct info_v1 info;
    fill(&info);
    printf("%s %d\n", info.name, info.size);
    return 0;
}
