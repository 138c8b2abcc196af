/* larder keeps small texts together in one file.
 *
 * An archive is a header and entries, numbers little-endian:
 *   "LRD1"  block size (2 bytes)  number of entries (1)
 *   file:   'f'  length of name (1)  name  size (2)  contents
 *   link:   'l'  length of name (1)  name  index of the entry it stands for (1)
 */
#ifndef LARDER_H
#define LARDER_H

#include <stddef.h>
#include <stdio.h>

#define NAME_MAX_LENGTH 31
#define COLUMNS 16

struct entry {
    char type; /* 'f' or 'l' */
    char name[NAME_MAX_LENGTH + 1];
    unsigned target;     /* of a link */
    size_t size;         /* of a file */
    unsigned char *data;
};

struct archive {
    unsigned block;
    unsigned count;
    struct entry *entries;
};

/* archive.c */
int read_archive(const char *path, struct archive *archive);
int write_archive(const char *path, const struct archive *archive);
int find_entry(const struct archive *archive, const char *name);
const struct entry *resolve(const struct archive *archive, const struct entry *entry);
void free_archive(struct archive *archive);

/* recipe.c */
int read_recipe(const char *path, struct archive *archive);

/* text.c */
char *unquote(const char *text);
int unescape(char *text);
void count_kinds(const unsigned char *data, size_t size, unsigned counts[4]);

/* report.c */
int choose_columns(const char *range);
void list_entries(const struct archive *archive, int with_sizes);
void print_statistics(const struct archive *archive);

#endif
