/* Reading and writing archives. */
#include <stdlib.h>
#include <string.h>

#include "larder.h"

#define HEADER_SIZE 7
#define MAX_HOPS 8

struct reader {
    const unsigned char *at;
    size_t left;
};

static const unsigned char *take(struct reader *reader, size_t count) {
    const unsigned char *start = reader->at;
    if (count > reader->left) return NULL;
    reader->at += count;
    reader->left -= count;
    return start;
}

static unsigned char *read_whole(const char *path, size_t *size) {
    size_t capacity = 512;
    size_t length = 0;
    unsigned char *bytes = malloc(capacity);
    FILE *file = fopen(path, "rb");

    if (file == NULL || bytes == NULL) {
        free(bytes);
        if (file != NULL) fclose(file);
        return NULL;
    }
    for (;;) {
        size_t count = fread(bytes + length, 1, capacity - length, file);
        length += count;
        if (count == 0) break;
        if (length == capacity) {
            unsigned char *larger = realloc(bytes, 2 * capacity);
            if (larger == NULL) break;
            bytes = larger;
            capacity *= 2;
        }
    }
    fclose(file);
    *size = length;
    return bytes;
}

static int read_entry(struct reader *reader, struct entry *entry) {
    const unsigned char *head = take(reader, 2);
    const unsigned char *part;
    char name[NAME_MAX_LENGTH + 1];
    size_t length;

    if (head == NULL) return -1;
    entry->type = (char)head[0];
    length = head[1];
    part = take(reader, length);
    if (part == NULL) return -1;
    memcpy(name, part, length);
    name[length] = '\0';
    strcpy(entry->name, name);
    if (entry->type == 'l') {
        part = take(reader, 1);
        if (part == NULL) return -1;
        entry->target = part[0];
        return 0;
    }
    if (entry->type != 'f') return -1;
    part = take(reader, 2);
    if (part == NULL) return -1;
    entry->size = part[0] | part[1] << 8;
    part = take(reader, entry->size);
    if (part == NULL) return -1;
    entry->data = malloc(entry->size + 1);
    if (entry->data == NULL) return -1;
    memcpy(entry->data, part, entry->size);
    return 0;
}

int read_archive(const char *path, struct archive *archive) {
    struct reader reader;
    size_t size;
    unsigned i;
    unsigned char *bytes = read_whole(path, &size);

    if (bytes == NULL) {
        fprintf(stderr, "larder: cannot read %s\n", path);
        return -1;
    }
    if (size < HEADER_SIZE || memcmp(bytes, "LRD1", 4) != 0) {
        fprintf(stderr, "larder: %s is not an archive\n", path);
        free(bytes);
        return -1;
    }
    archive->block = bytes[4] | bytes[5] << 8;
    archive->count = bytes[6];
    archive->entries = calloc(archive->count, sizeof *archive->entries);
    reader.at = bytes + HEADER_SIZE;
    reader.left = size - HEADER_SIZE;
    for (i = 0; i < archive->count; i++) {
        if (read_entry(&reader, &archive->entries[i]) != 0) {
            fprintf(stderr, "larder: %s: entry %u is damaged\n", path, i);
            archive->count = i;
            free_archive(archive);
            free(bytes);
            return -1;
        }
    }
    free(bytes);
    return 0;
}

int write_archive(const char *path, const struct archive *archive) {
    FILE *file = fopen(path, "wb");
    unsigned i;

    if (file == NULL) {
        fprintf(stderr, "larder: cannot write %s\n", path);
        return -1;
    }
    fputs("LRD1", file);
    putc((int)(archive->block & 255), file);
    putc((int)(archive->block >> 8), file);
    putc((int)archive->count, file);
    for (i = 0; i < archive->count; i++) {
        const struct entry *entry = &archive->entries[i];
        size_t length = strlen(entry->name);
        putc(entry->type, file);
        putc((int)length, file);
        fwrite(entry->name, 1, length, file);
        if (entry->type == 'l') {
            putc((int)entry->target, file);
        } else {
            putc((int)(entry->size & 255), file);
            putc((int)(entry->size >> 8), file);
            fwrite(entry->data, 1, entry->size, file);
        }
    }
    return fclose(file) == 0 ? 0 : -1;
}

int find_entry(const struct archive *archive, const char *name) {
    unsigned i;
    for (i = 0; i < archive->count; i++) {
        if (strcmp(archive->entries[i].name, name) == 0) return (int)i;
    }
    return -1;
}

/* The file that an entry stands for; NULL if it points nowhere. */
const struct entry *resolve(const struct archive *archive, const struct entry *entry) {
    int hops;
    for (hops = 0; entry->type == 'l'; hops++) {
        if (hops == MAX_HOPS || entry->target > archive->count) return NULL;
        entry = &archive->entries[entry->target];
    }
    return entry;
}

void free_archive(struct archive *archive) {
    unsigned i;
    for (i = 0; i < archive->count; i++) free(archive->entries[i].data);
    free(archive->entries);
    archive->entries = NULL;
    archive->count = 0;
}
