// A caller hands a whole version-2 structure to the function that fills it.
// stdout: disk 512
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
    full->inode = 77;
    full->device = 3;
}

int main(void)
{
    struct info_v2 info;
    fill(&info.base);
    printf("%s %d\n", info.base.name, info.base.size);
    return 0;
}
