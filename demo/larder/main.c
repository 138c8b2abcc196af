/* The command line of larder. */
#include <stdlib.h>
#include <string.h>

#include "larder.h"

static int usage(void) {
    fputs("usage: larder pack RECIPE ARCHIVE\n"
          "       larder list [-l] [-c FIRST-LAST] ARCHIVE\n"
          "       larder show ARCHIVE NAME...\n"
          "       larder stat ARCHIVE\n", stderr);
    return 2;
}

static int pack(int count, char **words) {
    struct archive archive;
    int status;
    if (count != 2) return usage();
    if (read_recipe(words[0], &archive) != 0) return 1;
    status = write_archive(words[1], &archive);
    free_archive(&archive);
    return status == 0 ? 0 : 1;
}

static int list(int count, char **words) {
    struct archive archive;
    int with_sizes = 0;

    while (count > 0 && words[0][0] == '-') {
        if (strcmp(words[0], "-l") == 0) {
            with_sizes = 1;
        } else if (strcmp(words[0], "-c") == 0 && count > 1) {
            words++;
            count--;
            if (choose_columns(words[0]) != 0) {
                fprintf(stderr, "larder: bad range %s\n", words[0]);
                return 2;
            }
        } else {
            return usage();
        }
        words++;
        count--;
    }
    if (count != 1) return usage();
    if (read_archive(words[0], &archive) != 0) return 1;
    list_entries(&archive, with_sizes);
    free_archive(&archive);
    return 0;
}

static int show(int count, char **words) {
    struct archive archive;
    int status = 0;
    int i;

    if (count < 2) return usage();
    if (read_archive(words[0], &archive) != 0) return 1;
    for (i = 1; i < count; i++) {
        int index = find_entry(&archive, words[i]);
        const struct entry *entry = index < 0 ? NULL : resolve(&archive, &archive.entries[index]);
        if (entry == NULL) {
            fprintf(stderr, "larder: no entry %s\n", words[i]);
            status = 1;
        } else {
            fwrite(entry->data, 1, entry->size, stdout);
        }
    }
    free_archive(&archive);
    return status;
}

static int stat_archive(int count, char **words) {
    struct archive archive;
    if (count != 1) return usage();
    if (read_archive(words[0], &archive) != 0) return 1;
    print_statistics(&archive);
    free_archive(&archive);
    return 0;
}

int main(int argc, char **argv) {
    if (argc < 2) return usage();
    if (strcmp(argv[1], "pack") == 0) return pack(argc - 2, argv + 2);
    if (strcmp(argv[1], "list") == 0) return list(argc - 2, argv + 2);
    if (strcmp(argv[1], "show") == 0) return show(argc - 2, argv + 2);
    if (strcmp(argv[1], "stat") == 0) return stat_archive(argc - 2, argv + 2);
    return usage();
}
