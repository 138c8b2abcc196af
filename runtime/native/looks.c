/* See looks.h. Each path is walked as the kernel walks it, so that every place has one name, without links and dots, and links on the
   way are told as what they are. All of it happens while the program waits at the beginning of its system call.

   An event `entry` is "<kind> <mode, octal> <links> <inode> <size> <seconds> <nanoseconds> <path>" and for a link NUL and its target;
   kinds are those of find's -type, and m for what is missing; the inode is 0 where there is but one name. `listed` is a directory's path and the names in it, each after a NUL, in the
   directory's order; an entry has been told for each. `mode`, `content` and `file`: a file with the copy of its content. */
#define _GNU_SOURCE
#include "looks.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record.h"

#define MAX_CONTENTS 4096
#define MAX_PLACES 16384
#define MAX_NAMES 4096
#define MAX_RENAMES 256
#define MAX_LINKS 40

/* What is known of a place. */
enum { MISSING = 1, HAS_CONTENT = 2, CHANGED = 4, LISTED = 8 };

struct place {
    unsigned flags;
    char path[];
};

static pid_t traced;
static char own[2][PATH_MAX];

void begin_looks(pid_t program, const char *first_own, const char *second_own) {
    traced = program;
    snprintf(own[0], sizeof own[0], "%s", first_own);
    snprintf(own[1], sizeof own[1], "%s", second_own);
}

/* ---------------------------------------------------------------- places, by their paths before the program began */

static struct place *places[2 * MAX_PLACES];
static int place_count;

static struct place **slot_of(const char *path) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (const char *at = path; *at; at++) hash = (hash ^ (unsigned char)*at) * 0x100000001b3u;
    size_t index = (size_t)(hash ^ hash >> 32) % (2 * MAX_PLACES);
    while (places[index] && strcmp(places[index]->path, path)) index = (index + 1) % (2 * MAX_PLACES);
    return &places[index];
}

/* Null if it is known, or if there are too many. */
static struct place *new_place(const char *path) {
    struct place **slot = slot_of(path);
    if (*slot || place_count == MAX_PLACES) return 0;
    size_t size = strlen(path) + 1;
    struct place *place = malloc(sizeof *place + size);
    if (!place) return 0;
    place->flags = 0;
    memcpy(place->path, path, size);
    place_count++;
    return *slot = place;
}

static struct {
    char *from, *to;
} renames[MAX_RENAMES];
static int rename_count;

/* Where that was which now has this name. */
static const char *original(const char *path) {
    static char former[2][2 * PATH_MAX];
    for (int i = rename_count - 1, which = 0; i >= 0; i--) {
        size_t length = strlen(renames[i].to);
        if (strncmp(path, renames[i].to, length) || (path[length] && path[length] != '/')) continue;
        which = !which;
        if ((size_t)snprintf(former[which], PATH_MAX, "%s%s", renames[i].from, path + length) >= PATH_MAX) return path;
        path = former[which];
    }
    return path;
}

static int is_below(const char *path, const char *directory) {
    size_t length = strlen(directory);
    return !strncmp(path, directory, length) && (path[length] == '/' || !path[length]);
}

/* Tests that need a second file system make their files here. */
static const char shared_memory[] = "/dev/shm";

static int is_kernels(const char *path) {
    if (is_below(path, shared_memory)) return 0;
    return is_below(path, "/dev") || is_below(path, "/proc") || is_below(path, "/sys");
}

/* `rest`: what of a path follows. */
static int leads_to_shared_memory(const char *at, const char *rest) {
    return !strcmp(at, "/dev") && rest[0] && is_below(rest + strspn(rest, "/"), "shm");
}

static int in_system(const char *path) {
    static const char *const system[] = {"/usr", "/etc", "/lib", "/lib64", "/bin", "/sbin", "/opt", "/var/lib"};
    for (size_t i = 0; i < sizeof system / sizeof *system; i++)
        if (is_below(path, system[i])) return 1;
    return 0;
}

/* What the dynamic loader and the locales are made of: how a program comes to be, not what it is given. */
static int is_start_up(const char *path) {
    static const char *const parts[] = {
        "/etc/ld.so.cache", "/etc/ld.so.preload", "/etc/locale.alias", "/usr/lib/locale", "/usr/share/locale",
        "/usr/share/locale-langpack", "/usr/lib/gconv", "/usr/lib64/gconv", "/usr/lib/x86_64-linux-gnu/gconv"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (is_below(path, parts[i])) return 1;
    return 0;
}

/* As src/inputs/system-files.ts: these are there wherever the test runs again. */
static int is_systems(const char *path) {
    for (int i = 0; i < 2; i++)
        if (own[i][0] && in_system(own[i]) && is_below(path, own[i])) return 0;
    return in_system(path);
}

/* Whether the program made it, or something above it. */
static int is_made(const char *path) {
    char part[PATH_MAX];
    for (const char *slash = strchr(path + 1, '/');; slash = strchr(slash + 1, '/')) {
        size_t length = slash ? (size_t)(slash - path) : strlen(path);
        memcpy(part, path, length);
        part[length] = 0;
        struct place *place = *slot_of(part);
        if (place && place->flags & MISSING) return 1;
        if (!slash) return 0;
    }
}

/* ---------------------------------------------------------------- telling */

static char kind_of(mode_t mode) {
    switch (mode & S_IFMT) {
    case S_IFDIR: return 'd';
    case S_IFLNK: return 'l';
    case S_IFIFO: return 'p';
    case S_IFSOCK: return 's';
    case S_IFCHR: return 'c';
    case S_IFBLK: return 'b';
    default: return 'f';
    }
}

/* `at`: the place's name now. */
static void tell_entry(const char *path, const char *at, const struct stat *status) {
    static char text[3 * PATH_MAX];
    unsigned long long shared = S_ISDIR(status->st_mode) || status->st_nlink < 2 ? 0 : status->st_ino;
    int n = snprintf(text, sizeof text, "%c %o %llu %llu %lld %lld %ld %s", kind_of(status->st_mode), status->st_mode & 07777,
                     (unsigned long long)status->st_nlink, shared, (long long)status->st_size,
                     (long long)status->st_mtim.tv_sec, status->st_mtim.tv_nsec, path);
    if (n < 0 || (size_t)n > 2 * PATH_MAX) return;
    size_t size = (size_t)n;
    if (S_ISLNK(status->st_mode)) {
        text[size++] = 0;
        ssize_t target = readlink(at, text + size, sizeof text - size);
        if (target <= 0) return;
        size += (size_t)target;
    }
    tell("entry", text, size);
}

/* The place of that name, told if it is new; null if too much is known already. */
static struct place *found(const char *at, const struct stat *status) {
    const char *path = original(at);
    struct place *place = *slot_of(path);
    if (place || !(place = new_place(path))) return place;
    if (!is_systems(path)) tell_entry(path, at, status);
    return place;
}

static struct place *found_missing(const char *at, int how) {
    const char *path = original(at);
    struct place *place = new_place(path);
    if (!place) return 0;
    place->flags = MISSING;
    if (!is_systems(path)) {
        char text[PATH_MAX + 16];
        int n = snprintf(text, sizeof text, "m 0 0 0 0 0 0 %s", path);
        if (n > 0 && (size_t)n < sizeof text) tell("entry", text, (size_t)n);
    }
    if (how & LOOK_CONTENT) tell_text("missing", path);
    return place;
}

static void tell_content(struct place *place, const char *at) {
    static int contents;
    struct stat status;
    if (place->flags & (MISSING | HAS_CONTENT | CHANGED) || contents == MAX_CONTENTS) return;
    place->flags |= HAS_CONTENT;
    int file = open_unnoticed(at, &status);
    if (file < 0) return;
    char name[32];
    snprintf(name, sizeof name, "file%d", ++contents);
    if (status.st_size > MAX_FILE_BYTES) tell_text("large", place->path);
    else if (copy_into(name, file, 0)) {
        tell_number("mode", status.st_mode & 07777);
        tell_text("content", name);
        tell_text("file", place->path);
    }
    close(file);
}

/* A named pipe that is about to be read from, for the first time, by somebody who does not write to it. */
static const struct place *pipe_place;
static mode_t pipe_mode;

static void note_pipe(struct place *place, const struct stat *status, int how) {
    if (how & LOOK_CHANGES || place->flags & (MISSING | HAS_CONTENT | CHANGED)) return;
    place->flags |= HAS_CONTENT;
    pipe_place = place;
    pipe_mode = status->st_mode & 07777;
}

const char *pipe_looked_at(unsigned *mode) {
    const struct place *place = pipe_place;
    pipe_place = 0;
    *mode = pipe_mode;
    return place ? place->path : 0;
}

/* ---------------------------------------------------------------- walking */

/* Where a relative path begins: a path without links, "" for the root. */
static int start_of(int directory, char at[PATH_MAX]) {
    static const char deleted[] = " (deleted)";
    char link[64];
    if (directory == AT_FDCWD) snprintf(link, sizeof link, "/proc/%d/cwd", (int)traced);
    else snprintf(link, sizeof link, "/proc/%d/fd/%d", (int)traced, directory);
    ssize_t n = readlink(link, at, PATH_MAX);
    if (n <= 0 || n >= PATH_MAX || at[0] != '/') return 0;
    at[n] = 0;
    size_t tail = sizeof deleted - 1;
    if ((size_t)n > tail && !strcmp(at + n - tail, deleted)) return 0;
    if (n == 1) at[0] = 0;
    return 1;
}

enum end {
    /* Nothing can be said. */
    NOWHERE,
    FOUND,
    /* Something is in the way, and is what was found. */
    STOPPED,
    NOT_THERE,
    /* The program has made it, or something above it: there was nothing when it first looked. */
    MADE,
};

/* `at`: where it begins, and then the place it has come to. */
static enum end walk(const char *path, int follows, char at[PATH_MAX], struct stat *status) {
    static char rest[2 * PATH_MAX], target[2 * PATH_MAX];
    int links = 0, made = 0, named = 0;
    if (path[0] == '/') at[0] = 0;
    if ((size_t)snprintf(rest, PATH_MAX, "%s", path) >= PATH_MAX) return NOWHERE;
    char *next = rest;
    for (;;) {
        next += strspn(next, "/");
        if (!*next) break;
        size_t size = strcspn(next, "/"), length = strlen(at);
        char *after = next + size;
        if (size == 1 && next[0] == '.') {
            next = after;
            continue;
        }
        if (size == 2 && next[0] == '.' && next[1] == '.') {
            /* The way leads through it, and nobody else tells that it was there. */
            if (named && !is_made(original(at)) && lstat(at, status) == 0) found(at, status);
            named = 0;
            char *slash = strrchr(at, '/');
            if (slash) *slash = 0;
            next = after;
            continue;
        }
        if (size > NAME_MAX || length + size + 2 > PATH_MAX) return NOWHERE;
        at[length] = '/';
        memcpy(at + length + 1, next, size);
        at[length + 1 + size] = 0;
        if ((is_kernels(at) && !leads_to_shared_memory(at, after)) || is_start_up(at)) return NOWHERE;
        struct place *place = *slot_of(original(at));
        made |= place && place->flags & MISSING;
        if (lstat(at, status) < 0) {
            if (errno == ENOENT) return made ? MADE : NOT_THERE;
            /* It may not be searched. */
            at[length] = 0;
            return errno == EACCES && length > 0 && lstat(at, status) == 0 ? STOPPED : NOWHERE;
        }
        if (S_ISLNK(status->st_mode) && (*after || follows)) {
            if (!made) found(at, status);
            made = 0;
            ssize_t n = readlink(at, target, PATH_MAX);
            if (++links > MAX_LINKS || n <= 0 || n >= PATH_MAX) return NOWHERE;
            if ((size_t)snprintf(target + n, sizeof target - (size_t)n, "%s", after) >= PATH_MAX) return NOWHERE;
            strcpy(rest, target);
            next = rest;
            at[rest[0] == '/' ? 0 : length] = 0;
            continue;
        }
        if (!S_ISDIR(status->st_mode) && after[strspn(after, "/")]) return made ? MADE : STOPPED;
        named = 1;
        next = after;
    }
    if (lstat(at[0] ? at : "/", status) < 0) return NOWHERE;
    return at[0] && is_made(original(at)) ? MADE : FOUND;
}

/* A name is about to come or go, which changes the directory. */
static void look_above(const char *at) {
    char above[PATH_MAX];
    struct stat status;
    size_t length = (size_t)(strrchr(at, '/') - at);
    memcpy(above, at, length);
    above[length] = 0;
    if (length > 0 && !is_made(original(above)) && lstat(above, &status) == 0) found(above, &status);
}

static enum end look_at(int directory, const char *path, int how, char at[PATH_MAX]) {
    struct stat status;
    if (!path[0] || (path[0] != '/' && !start_of(directory, at))) return NOWHERE;
    enum end end = walk(path, how & LOOK_FOLLOWS, at, &status);
    if (end != NOWHERE && at[0] && (how & LOOK_NAMES || (how & LOOK_CHANGES && end == NOT_THERE))) look_above(at);
    if (end == NOT_THERE) found_missing(at, how);
    if (end == STOPPED) found(at, &status);
    if (end != FOUND || !at[0]) return end;
    struct place *place = found(at, &status);
    if (place && how & LOOK_CONTENT && S_ISREG(status.st_mode)) tell_content(place, at);
    if (place && how & LOOK_CONTENT && S_ISFIFO(status.st_mode)) note_pipe(place, &status, how);
    if (place && how & LOOK_CHANGES) place->flags |= CHANGED;
    return end;
}

void look(int directory, const char *path, int how) {
    static char at[PATH_MAX];
    look_at(directory, path, how, at);
}

static char renamed_from[PATH_MAX], renamed_to[PATH_MAX];

void look_renaming(int from_directory, const char *from, int to_directory, const char *to) {
    enum end first = look_at(from_directory, from, LOOK_NAMES, renamed_from);
    enum end second = look_at(to_directory, to, LOOK_NAMES, renamed_to);
    if ((first != FOUND && first != MADE) || second == NOWHERE || second == STOPPED) renamed_from[0] = 0;
}

void look_renamed(void) {
    if (rename_count == MAX_RENAMES || !renamed_from[0] || !renamed_to[0]) return;
    renames[rename_count].from = strdup(renamed_from);
    renames[rename_count].to = strdup(renamed_to);
    if (renames[rename_count].from && renames[rename_count].to) rename_count++;
    renamed_from[0] = 0;
}

/* ---------------------------------------------------------------- directories */

/* Tells of all that is in a directory; false if that is too much. */
static int tell_names(DIR *directory, const char *at, const struct place *place) {
    static char names[PATH_MAX + MAX_NAMES * 64], child[2 * PATH_MAX];
    size_t size = (size_t)snprintf(names, sizeof names, "%s", place->path), length = strlen(at);
    int count = 0;
    memcpy(child, at, length);
    child[length++] = '/';
    for (struct dirent *entry; (entry = readdir(directory));) {
        size_t name = strlen(entry->d_name);
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
        if (++count > MAX_NAMES || length + name >= PATH_MAX) return 0;
        memcpy(child + length, entry->d_name, name + 1);
        struct stat status;
        const char *former = original(child), *name_of = strrchr(former, '/') + 1;
        /* The program has moved it here. */
        if ((size_t)(name_of - former) != strlen(place->path) + 1 || !is_below(former, place->path)) continue;
        struct place *known = *slot_of(former);
        if (known && known->flags & MISSING) continue;
        if (!known && lstat(child, &status) < 0) {
            /* Gone again by now; or only its name may be known. */
            if (errno != EACCES || entry->d_type == DT_UNKNOWN || entry->d_type == DT_LNK) continue;
            memset(&status, 0, sizeof status);
            status.st_mode = (mode_t)DTTOIF(entry->d_type);
            status.st_nlink = 1;
        }
        if (!known && !(known = found(child, &status))) return 0;
        name = strlen(known->path) - strlen(place->path) - 1;
        if (size + name + 1 > sizeof names) return 0;
        names[size++] = 0;
        memcpy(names + size, known->path + strlen(place->path) + 1, name);
        size += name;
    }
    tell("listed", names, size);
    return 1;
}

void look_into(int descriptor) {
    static char at[PATH_MAX];
    struct stat status;
    if (!start_of(descriptor, at) || !at[0] || is_kernels(at)) return;
    const char *path = original(at);
    if (is_systems(path) || is_made(path) || lstat(at, &status) < 0 || !S_ISDIR(status.st_mode)) return;
    struct place *place = found(at, &status);
    if (!place || place->flags & LISTED) return;
    place->flags |= LISTED;
    int file = open(at, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOATIME);
    if (file < 0 && errno == EPERM) file = open(at, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *directory = file < 0 ? 0 : fdopendir(file);
    if (!directory) {
        if (file >= 0) close(file);
        return;
    }
    tell_together();
    if (!tell_names(directory, at, place)) tell_text("many", place->path);
    told_together();
    closedir(directory);
}
