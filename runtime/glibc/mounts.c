/* Lines of /etc/fstab and its like as glibc reads them: the line's end belongs to no field, missing fields are empty. */
#define _GNU_SOURCE
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "glibc.h"

/* The next field, without the octal escapes of blanks; an empty one if there is none. */
static char *next_field(char **line) {
    char *field = *line + strspn(*line, " \t"), *end = field + strcspn(field, " \t"), *to = field;
    *line = *end ? end + 1 : end;
    for (char *from = field; from < end;) {
        int code = 0, digits = 0;
        while (*from == '\\' && digits < 3 && from[digits + 1] >= '0' && from[digits + 1] <= '7')
            code = 8 * code + from[++digits] - '0';
        int escapes = digits == 3 && (code == ' ' || code == '\t' || code == '\n' || code == '\\');
        *to++ = (char)(escapes ? code : *from);
        from += escapes ? 4 : 1;
    }
    *to = 0;
    return field;
}

struct mntent *glibc_getmntent_r(FILE *restrict file, struct mntent *restrict entry, char *restrict buffer, int size) {
    char *line;
    do {
        if (!fgets(buffer, size, file)) return 0;
        char *end = strchr(buffer, '\n');
        /* The rest of a line that is too long is nobody's. */
        if (!end) for (int c = fgetc(file); c != '\n' && c != EOF;) c = fgetc(file);
        else *end = 0;
        line = buffer + strspn(buffer, " \t");
    } while (*line == 0 || *line == '#');
    entry->mnt_fsname = next_field(&line);
    entry->mnt_dir = next_field(&line);
    entry->mnt_type = next_field(&line);
    entry->mnt_opts = next_field(&line);
    entry->mnt_freq = atoi(next_field(&line));
    entry->mnt_passno = atoi(next_field(&line));
    return entry;
}

struct mntent *glibc_getmntent(FILE *file) {
    static struct mntent entry;
    static char line[4096];
    return glibc_getmntent_r(file, &entry, line, sizeof line);
}
