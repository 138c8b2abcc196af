/* Walking trees of files, in BSD's manner. Folders are never entered (as with FTS_NOCHDIR), so fts_accpath is always the
   whole path; programs that use it cannot tell. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "glibc.h"

enum { COMFOLLOW = 1, LOGICAL = 2, NOCHDIR = 4, NOSTAT = 8, SEEDOT = 32, XDEV = 64, NAMEONLY = 256, STOP = 512 };
enum { D = 1, DC, DEFAULT, DNR, DOT, DP, ERR, F, INIT, NS, NSOK, SL, SLNONE };
enum { AGAIN = 1, FOLLOW, NOINSTR, SKIP };
enum { ROOT_PARENT = -1, ROOT = 0 };

/* glibc's structures. */
struct entry {
    struct entry *cycle, *parent, *link;
    long number;
    void *pointer;
    char *access_path, *path;
    int error, link_file;
    unsigned short path_length, name_length;
    ino_t inode;
    dev_t device;
    nlink_t links;
    short level;
    unsigned short info, flags, instruction;
    struct stat *status;
    char name[1];
};

struct tree {
    struct entry *current, *children, **array;
    dev_t device;
    char *path;
    int root_file, path_size, items;
    int (*compare)(const void *, const void *);
    int options;
};

static struct entry *new_entry(struct tree *t, struct entry *parent, const char *name, size_t length) {
    size_t prefix = parent && parent->level >= ROOT ? strlen(parent->path) : 0;
    int slash = prefix && parent->path[prefix - 1] != '/';
    struct entry *e = calloc(1, sizeof *e + length + 1);
    struct stat *status = calloc(1, sizeof *status);
    char *path = malloc(prefix + length + 2);
    if (!e || !status || !path) {
        free(e);
        free(status);
        free(path);
        return 0;
    }
    memcpy(e->name, name, length);
    if (prefix) memcpy(path, parent->path, prefix);
    if (slash) path[prefix] = '/';
    memcpy(path + prefix + (size_t)slash, name, length);
    path[prefix + (size_t)slash + length] = 0;
    e->path = e->access_path = path;
    e->path_length = (unsigned short)strlen(path);
    e->name_length = (unsigned short)length;
    e->status = status;
    e->parent = parent;
    e->level = parent ? (short)(parent->level + 1) : ROOT_PARENT;
    e->instruction = NOINSTR;
    return e;
}

static void free_entry(struct entry *e) {
    free(e->path);
    free(e->status);
    free(e);
}

static void free_list(struct entry *e) {
    while (e) {
        struct entry *next = e->link;
        free_entry(e);
        e = next;
    }
}

static unsigned short look(struct tree *t, struct entry *e, int follow) {
    struct stat *s = e->status;
    if (t->options & LOGICAL || follow) {
        if (stat(e->path, s) < 0) {
            int error = errno;
            if (lstat(e->path, s) == 0) {
                errno = 0;
                return SLNONE;
            }
            e->error = error;
            memset(s, 0, sizeof *s);
            return NS;
        }
    } else if (lstat(e->path, s) < 0) {
        e->error = errno;
        memset(s, 0, sizeof *s);
        return NS;
    }
    e->device = s->st_dev;
    e->inode = s->st_ino;
    e->links = s->st_nlink;
    if (S_ISDIR(s->st_mode)) {
        if (!strcmp(e->name, ".") || !strcmp(e->name, "..")) return e->level == ROOT ? D : DOT;
        for (struct entry *p = e->parent; p && p->level >= ROOT; p = p->parent) {
            if (p->inode != s->st_ino || p->device != s->st_dev) continue;
            e->cycle = p;
            return DC;
        }
        return D;
    }
    return S_ISLNK(s->st_mode) ? SL : S_ISREG(s->st_mode) ? F : DEFAULT;
}

static struct entry *sorted(struct tree *t, struct entry *list) {
    size_t count = 0;
    for (struct entry *e = list; e; e = e->link) count++;
    if (!t->compare || count < 2) return list;
    struct entry **array = malloc(count * sizeof *array);
    if (!array) return list;
    count = 0;
    for (struct entry *e = list; e; e = e->link) array[count++] = e;
    qsort(array, count, sizeof *array, t->compare);
    for (size_t k = 0; k < count; k++) array[k]->link = k + 1 < count ? array[k + 1] : 0;
    list = array[0];
    free(array);
    return list;
}

struct tree *glibc_fts_open(char *const *paths, int options, int (*compare)(const void *, const void *)) {
    struct tree *t = calloc(1, sizeof *t);
    struct entry *top, *first = 0, **end = &first;
    if (!t) return 0;
    t->compare = compare;
    t->options = options | NOCHDIR;
    if (!(top = new_entry(t, 0, "", 0))) {
        free(t);
        return 0;
    }
    for (; *paths; paths++) {
        size_t length = strlen(*paths);
        if (!length) {
            free_list(first);
            free_entry(top);
            free(t);
            errno = ENOENT;
            return 0;
        }
        while (length > 1 && (*paths)[length - 1] == '/' && (*paths)[length - 2] == '/') length--;
        struct entry *e = new_entry(t, top, *paths, length);
        if (!e) return 0;
        e->info = look(t, e, options & COMFOLLOW);
        if (e->info == DOT) e->info = D;
        *end = e;
        end = &e->link;
    }
    first = sorted(t, first);
    t->current = calloc(1, sizeof *t->current + 1);
    if (!t->current) return 0;
    t->current->info = INIT;
    t->current->link = first;
    t->current->parent = top;
    t->current->level = ROOT;
    return t;
}

/* The folder's entries, sorted; null if there are none or it cannot be read. */
static struct entry *read_folder(struct tree *t, struct entry *folder) {
    DIR *d = opendir(folder->path);
    struct entry *first = 0, **end = &first;
    struct dirent *found;
    if (!d) {
        folder->info = DNR;
        folder->error = errno;
        return 0;
    }
    while ((found = readdir(d))) {
        int dots = !strcmp(found->d_name, ".") || !strcmp(found->d_name, "..");
        if (dots && !(t->options & SEEDOT)) continue;
        struct entry *e = new_entry(t, folder, found->d_name, strlen(found->d_name));
        if (!e) break;
        e->info = look(t, e, 0);
        if (t->options & NOSTAT && e->info != D && e->info != DC && e->info != DOT) e->info = NSOK;
        *end = e;
        end = &e->link;
    }
    closedir(d);
    return sorted(t, first);
}

static struct entry *give(struct tree *t, struct entry *e) {
    t->current = e;
    if (e->level == ROOT) {
        /* Of a path that was given, the name is the last part. */
        char *slash = strrchr(e->name, '/');
        if (slash && (slash != e->name || slash[1])) memmove(e->name, slash + 1, strlen(slash));
        e->name_length = (unsigned short)strlen(e->name);
        t->device = e->device;
    }
    return e;
}

struct entry *glibc_fts_read(struct tree *t) {
    struct entry *e = t->current;
    if (!e || t->options & STOP) return 0;
    int instruction = e->instruction;
    e->instruction = NOINSTR;
    if (instruction == AGAIN) {
        e->info = look(t, e, 0);
        return e;
    }
    if (instruction == FOLLOW && (e->info == SL || e->info == SLNONE)) {
        e->info = look(t, e, 1);
        return e;
    }
    if (e->info == D) {
        if (instruction == SKIP || (t->options & XDEV && e->device != t->device)) {
            free_list(t->children);
            t->children = 0;
            e->info = DP;
            return e;
        }
        struct entry *children = t->children ? t->children : read_folder(t, e);
        t->children = 0;
        if (children) return give(t, children);
        if (e->info == D) e->info = DP;
        return e;
    }
    for (;;) {
        struct entry *next = e->link, *parent = e->parent;
        while (next && next->instruction == SKIP) {
            struct entry *after = next->link;
            free_entry(next);
            next = after;
        }
        free_entry(e);
        if (next) {
            int wanted = next->instruction;
            if (wanted == FOLLOW) {
                next->info = look(t, next, 1);
                next->instruction = NOINSTR;
            }
            return give(t, next);
        }
        if (parent->level == ROOT_PARENT) {
            free_entry(parent);
            t->current = 0;
            errno = 0;
            return 0;
        }
        t->current = parent;
        parent->info = parent->error ? ERR : DP;
        return parent;
    }
}

struct entry *glibc_fts_children(struct tree *t, int instruction) {
    struct entry *e = t->current;
    if (instruction && instruction != NAMEONLY) {
        errno = EINVAL;
        return 0;
    }
    errno = 0;
    if (t->options & STOP || !e) return 0;
    if (e->info == INIT) return e->link;
    if (e->info != D) return 0;
    free_list(t->children);
    return t->children = read_folder(t, e);
}

int glibc_fts_set(struct tree *t, struct entry *e, int instruction) {
    if (instruction && (instruction < AGAIN || instruction > SKIP)) {
        errno = EINVAL;
        return 1;
    }
    e->instruction = (unsigned short)instruction;
    return 0;
}

int glibc_fts_close(struct tree *t) {
    free_list(t->children);
    for (struct entry *e = t->current; e;) {
        struct entry *parent = e->level >= ROOT ? e->parent : 0;
        free_list(e);
        e = parent;
    }
    free(t);
    return 0;
}
