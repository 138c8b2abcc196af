/* What larder tells about an archive. */
#include <stdlib.h>
#include <string.h>

#include "larder.h"

/* Columns of the contents that a listing shows; all of them unless a range was chosen. */
static char shown[COLUMNS + 1];
static int has_range;

/* "3", "2-5" or "10-" */
int choose_columns(const char *range) {
    char *end;
    long first = strtol(range, &end, 10);
    long last = first;
    long i;

    if (*end == '-') {
        const char *second = end + 1;
        last = *second == '\0' ? COLUMNS : strtol(second, &end, 10);
        if (*second == '\0') end++;
    }
    if (*end != '\0' || first < 1 || last < first) return -1;
    for (i = first; i <= last; i++) shown[i] = 1;
    has_range = 1;
    return 0;
}

static void print_preview(const struct entry *entry) {
    size_t i;
    putchar(' ');
    for (i = 0; i < entry->size && i < COLUMNS; i++) {
        int c = entry->data[i];
        if (!has_range || shown[i + 1]) putchar(c < ' ' || c > '~' ? '.' : c);
    }
}

/* " -> b -> a": all that a link leads through. */
static void print_target(const struct archive *archive, unsigned index) {
    struct entry entry;
    char arrow[NAME_MAX_LENGTH + 5];

    if (index >= archive->count) {
        fputs(" -> ?", stdout);
        return;
    }
    entry = archive->entries[index];
    strcpy(arrow, " -> ");
    strcat(arrow, entry.name);
    fputs(arrow, stdout);
    if (entry.type == 'l') print_target(archive, entry.target);
}

void list_entries(const struct archive *archive, int with_sizes) {
    unsigned i;
    for (i = 0; i < archive->count; i++) {
        const struct entry *entry = &archive->entries[i];
        if (with_sizes) printf("%c %4zu ", entry->type, entry->size);
        fputs(entry->name, stdout);
        if (entry->type == 'l') {
            print_target(archive, entry->target);
        } else if (has_range) {
            print_preview(entry);
        }
        putchar('\n');
    }
}

void print_statistics(const struct archive *archive) {
    unsigned counts[4];
    unsigned blocks = 0;
    size_t bytes = 0;
    unsigned i;

    for (i = 0; i < archive->count; i++) {
        const struct entry *entry = &archive->entries[i];
        if (entry->type != 'f') continue;
        count_kinds(entry->data, entry->size, counts);
        printf("%s: %u control, %u blank, %u word, %u other\n", entry->name, counts[0], counts[1], counts[2], counts[3]);
        bytes += entry->size;
        blocks += (unsigned)(entry->size + archive->block - 1) / archive->block;
    }
    printf("%u entries, %zu bytes, %u blocks of %u\n", archive->count, bytes, blocks, archive->block);
}
