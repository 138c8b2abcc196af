/* Writing a record: see record.h. Nothing here may ever make a test fail: what cannot be written is counted, and the program runs
   all the same. */
#define _GNU_SOURCE
#include "record.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

char record_store[PATH_MAX];
int record_events = -1;
static char folder[PATH_MAX + 64];
/* Something of the record could not be written: a full disk, most likely. */
static int incomplete;

int write_all(int file, const void *bytes, size_t size) {
    const char *at = bytes;
    while (size > 0) {
        ssize_t n = write(file, at, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return 0;
        at += n;
        size -= (size_t)n;
    }
    return 1;
}
void keep(int file, const void *bytes, size_t size) {
    if (!write_all(file, bytes, size)) incomplete = 1;
}

/* What is to be written at once, when it is known that more follows. */
static char together[1 << 16];
static size_t together_size;
static int is_together;

static void flush_together(void) {
    if (together_size > 0) keep(record_events, together, together_size);
    together_size = 0;
}
void tell_together(void) {
    is_together = 1;
}
void told_together(void) {
    is_together = 0;
    if (record_events >= 0) flush_together();
}

void tell(const char *key, const void *bytes, size_t size) {
    char head[96];
    if (record_events < 0) return;
    /* One write for what is short, so that a record cut short is cut between lines. */
    char line[PATH_MAX + 128];
    int n = snprintf(head, sizeof head, "%s %zu ", key, size);
    if ((size_t)n + size + 1 <= sizeof line) {
        memcpy(line, head, (size_t)n);
        memcpy(line + n, bytes, size);
        line[(size_t)n + size] = '\n';
        size_t length = (size_t)n + size + 1;
        if (!is_together) {
            keep(record_events, line, length);
            return;
        }
        if (together_size + length > sizeof together) flush_together();
        memcpy(together + together_size, line, length);
        together_size += length;
        return;
    }
    flush_together();
    keep(record_events, head, (size_t)n);
    keep(record_events, bytes, size);
    keep(record_events, "\n", 1);
}
void tell_text(const char *key, const char *text) {
    tell(key, text, strlen(text));
}
void tell_number(const char *key, long long number) {
    char text[32];
    tell(key, text, (size_t)snprintf(text, sizeof text, "%lld", number));
}

/* Where a standard stream is closed, the first file to be opened would take its number and be taken for it. */
static int above_standard_streams(int file) {
    if (file < 0 || file > 2) return file;
    int moved = fcntl(file, F_DUPFD_CLOEXEC, 3);
    close(file);
    return moved;
}

int create_in_folder(const char *name) {
    char path[sizeof folder + 80];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int file = above_standard_streams(open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
    if (file < 0) incomplete = 1;
    return file;
}

/* Counted in a file that has its place on the disk since before the tests began, because
   there may be no other place left. */
void count_as_lost(void) {
    char path[sizeof record_store + 16];
    snprintf(path, sizeof path, "%s/lost", record_store);
    int file = above_standard_streams(open(path, O_RDWR | O_CLOEXEC));
    if (file < 0) return;
    uint64_t *count = mmap(0, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (count != MAP_FAILED) {
        __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
        munmap(count, sizeof *count);
    }
    close(file);
}

/* Programs can ask what of a file the system has in memory (mincore), and tools for that exist whose tests wait until it has nothing. */
static int is_in_memory(int file) {
    unsigned char has_page = 1;
    void *page = mmap(0, 1, PROT_READ, MAP_SHARED, file, 0);
    if (page == MAP_FAILED) return 1;
    if (mincore(page, 1, &has_page) < 0) has_page = 1;
    munmap(page, 1);
    return has_page & 1;
}

int copy_into(const char *name, int source, off_t offset) {
    static char piece[1 << 16];
    int target = create_in_folder(name);
    if (target < 0) return 0;
    uint64_t total = 0;
    int stays = is_in_memory(source);
    for (;;) {
        ssize_t n = pread(source, piece, sizeof piece, offset + (off_t)total);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0 || total + (uint64_t)n > MAX_FILE_BYTES) break;
        keep(target, piece, (size_t)n);
        total += (uint64_t)n;
    }
    if (!stays) posix_fadvise(source, 0, 0, POSIX_FADV_DONTNEED);
    close(target);
    return 1;
}

int open_unnoticed(const char *path, struct stat *status) {
    char own[64];
    int place = open(path, O_PATH | O_CLOEXEC);
    if (place < 0) return -1;
    int file = -1;
    if (fstat(place, status) == 0 && S_ISREG(status->st_mode)) {
        snprintf(own, sizeof own, "/proc/self/fd/%d", place);
        file = open(own, O_RDONLY | O_CLOEXEC | O_NOATIME);
        if (file < 0 && errno == EPERM) file = open(own, O_RDONLY | O_CLOEXEC);
    }
    close(place);
    if (file < 0) errno = EACCES;
    return file;
}

int begin_record(void) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    snprintf(folder, sizeof folder, "%s/%lld.%09ld.%d.part", record_store, (long long)t.tv_sec, t.tv_nsec, (int)getpid());
    if (mkdir(folder, 0700) < 0) return 0;
    record_events = create_in_folder("events");
    if (record_events < 0) rmdir(folder);
    return record_events >= 0;
}

void end_record(void) {
    char done[sizeof folder];
    close(record_events);
    size_t length = strlen(folder) - strlen(".part");
    memcpy(done, folder, length);
    /* Better no seed than one with half a file. */
    strcpy(done + length, incomplete ? ".lost" : ".done");
    rename(folder, done);
    if (incomplete) count_as_lost();
}
