/* Tables of mounts, with fields that are missing, escaped, or too long. */
#define _GNU_SOURCE
#include <mntent.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    char table[] = "none /proc proc defaults\n# a comment\n\n  /dev/sda\t/with\\040blank\\134\text4\trw,nosuid\t2\t1\nonly\nlast /x y z 7";
    char text[64];
    FILE *file = fmemopen(table, sizeof table - 1, "r");
    struct mntent *found, own;
    while ((found = getmntent(file)))
        printf("[%s] [%s] [%s] [%s] %d %d\n", found->mnt_fsname, found->mnt_dir, found->mnt_type, found->mnt_opts,
               found->mnt_freq, found->mnt_passno);
    rewind(file);
    while ((found = getmntent_r(file, &own, text, 20))) printf("%d %s\n", found == &own, found->mnt_fsname);
    endmntent(file);
    return 0;
}
