/* Recipes: what to put into an archive, one entry a line.
 *   block 16
 *   file greeting "hello\n"
 *   link hi greeting
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "larder.h"

#define LINE_LENGTH 256
#define MAX_ENTRIES 64

/* Cuts the next word off the line; *rest is what follows it. */
static char *next_word(char *line, char **rest) {
    char *start;
    while (*line == ' ' || *line == '\t') line++;
    start = line;
    while (*line != '\0' && *line != ' ' && *line != '\t') line++;
    if (*line != '\0') *line++ = '\0';
    while (*line == ' ' || *line == '\t') line++;
    *rest = line;
    return start;
}

static struct entry *make_entry(char type, const char *name) {
    struct entry *entry;
    if (name[0] == '\0' || strlen(name) > NAME_MAX_LENGTH) return NULL;
    entry = calloc(1, sizeof *entry);
    if (entry == NULL) return NULL;
    entry->type = type;
    strcpy(entry->name, name);
    return entry;
}

static int add_entry(struct archive *archive, struct entry *entry) {
    if (archive->count == MAX_ENTRIES || find_entry(archive, entry->name) >= 0) {
        free(entry->data);
        free(entry);
        return -1;
    }
    archive->entries[archive->count++] = *entry;
    free(entry);
    return 0;
}

static int add_file(struct archive *archive, const char *name, const char *quoted, int line) {
    struct entry *entry = make_entry('f', name);
    char *text;

    if (entry == NULL) {
        fprintf(stderr, "larder: line %d: bad name\n", line);
        return -1;
    }
    text = unquote(quoted);
    if (text == NULL || unescape(text) != 0) {
        fprintf(stderr, "larder: line %d: bad text\n", line);
        free(text);
        free(entry);
        return -1;
    }
    entry->data = (unsigned char *)text;
    entry->size = strlen(text);
    if (add_entry(archive, entry) != 0) {
        fprintf(stderr, "larder: line %d: %s is there already\n", line, entry->name);
        return -1;
    }
    return 0;
}

static int add_link(struct archive *archive, const char *name, const char *target, int line) {
    struct entry *entry = make_entry('l', name);
    int index = find_entry(archive, target);

    if (entry == NULL || index < 0) {
        fprintf(stderr, "larder: line %d: no entry %s\n", line, target);
        free(entry);
        return -1;
    }
    entry->target = (unsigned)index;
    return add_entry(archive, entry);
}

static int read_line(struct archive *archive, char *line, int number) {
    char *rest;
    char *word = next_word(line, &rest);

    if (word[0] == '\0' || word[0] == '#') return 0;
    if (strcmp(word, "block") == 0) {
        int block = atoi(rest);
        if (block < 1 || block > 4096) {
            fprintf(stderr, "larder: line %d: block is 1 to 4096\n", number);
            return -1;
        }
        archive->block = (unsigned)block;
        return 0;
    }
    if (strcmp(word, "file") == 0) {
        word = next_word(rest, &rest);
        return add_file(archive, word, rest, number);
    }
    if (strcmp(word, "link") == 0) {
        word = next_word(rest, &rest);
        return add_link(archive, word, rest, number);
    }
    fprintf(stderr, "larder: line %d: what is %s?\n", number, word);
    return -1;
}

int read_recipe(const char *path, struct archive *archive) {
    char line[LINE_LENGTH];
    int number = 0;
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");

    if (file == NULL) {
        fprintf(stderr, "larder: cannot read %s\n", path);
        return -1;
    }
    archive->block = 16;
    archive->count = 0;
    archive->entries = calloc(MAX_ENTRIES, sizeof *archive->entries);
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (read_line(archive, line, ++number) != 0) {
            free_archive(archive);
            if (file != stdin) fclose(file);
            return -1;
        }
    }
    if (file != stdin) fclose(file);
    return 0;
}
