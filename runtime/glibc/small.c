/* Small functions that only glibc has. */
#define _GNU_SOURCE
#include <errno.h>
#include <grp.h>
#include <malloc.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "glibc.h"

void *glibc_rawmemchr(const void *memory, int byte) {
    const unsigned char *at = memory;
    while (*at != (unsigned char)byte) at++;
    return (void *)at;
}

const char *glibc_gnu_get_libc_version(void) {
    return "2.36";
}
const char *glibc_gnu_get_libc_release(void) {
    return "stable";
}

/* Numbers that no open file can have are refused at once. */
static int is_file(int file) {
    return file >= 0 && file < sysconf(_SC_OPEN_MAX);
}
int glibc_posix_spawn_file_actions_addclose(posix_spawn_file_actions_t *actions, int file) {
    return is_file(file) ? posix_spawn_file_actions_addclose(actions, file) : EBADF;
}
int glibc_posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *actions, int file, int new_file) {
    return is_file(file) && is_file(new_file) ? posix_spawn_file_actions_adddup2(actions, file, new_file) : EBADF;
}
int glibc_posix_spawn_file_actions_addopen(
    posix_spawn_file_actions_t *restrict actions, int file, const char *restrict path, int flags, mode_t mode) {
    return is_file(file) ? posix_spawn_file_actions_addopen(actions, file, path, flags, mode) : EBADF;
}

/* True until a second thread is made (threads.c). */
char glibc___libc_single_threaded = 1;
int glibc___libc_enable_secure = 0;

/* Stacks are not for the program to see. */
int glibc_backtrace(void **buffer, int size) {
    return 0;
}
char **glibc_backtrace_symbols(void *const *buffer, int size) {
    return malloc(sizeof(char *));
}
void glibc_backtrace_symbols_fd(void *const *buffer, int size, int file) {
}

unsigned glibc_gnu_dev_major(unsigned long device) {
    return major(device);
}
unsigned glibc_gnu_dev_minor(unsigned long device) {
    return minor(device);
}
unsigned long glibc_gnu_dev_makedev(unsigned high, unsigned low) {
    return makedev(high, low);
}

/* ------------------------------------------------------------ numbers so small that they lost digits are told */

#define SMALLEST 2.2250738585072014e-308
#define SMALLEST_FLOAT 1.17549435e-38f

double glibc_strtod(const char *text, char **end) {
    double value = strtod(text, end);
    if (value != 0 && value < SMALLEST && value > -SMALLEST) errno = ERANGE;
    return value;
}
float glibc_strtof(const char *text, char **end) {
    float value = strtof(text, end);
    if (value != 0 && value < SMALLEST_FLOAT && value > -SMALLEST_FLOAT) errno = ERANGE;
    return value;
}

/* ------------------------------------------------------------ sets of processors */

cpu_set_t *glibc___sched_cpualloc(size_t count) {
    return malloc((count + 63) / 64 * 8);
}
void glibc___sched_cpufree(cpu_set_t *set) {
    free(set);
}
int glibc___sched_cpucount(size_t size, const cpu_set_t *set) {
    int count = 0;
    for (size_t k = 0; k < size / 8; k++) count += __builtin_popcountl(((const unsigned long *)set)[k]);
    return count;
}

/* ------------------------------------------------------------ the heap's figures: there is nothing to tell */

struct mallinfo2 {
    size_t figures[10];
};
struct mallinfo_old {
    int figures[10];
};
struct mallinfo2 glibc_mallinfo2(void) {
    return (struct mallinfo2){0};
}
struct mallinfo_old glibc_mallinfo(void) {
    return (struct mallinfo_old){0};
}
int glibc_mallopt(int what, int value) {
    return 1;
}
int glibc_malloc_trim(size_t kept) {
    return 0;
}
void glibc_malloc_stats(void) {
}
int glibc_malloc_info(int options, FILE *stream) {
    fputs("<malloc version=\"1\">\n</malloc>\n", stream);
    return 0;
}
void glibc_mtrace(void) {
}
void glibc_muntrace(void) {
}
int glibc_mcheck(void (*handler)(int)) {
    return 0;
}
int glibc_mcheck_pedantic(void (*handler)(int)) {
    return 0;
}
void glibc_mcheck_check_all(void) {
}
int glibc_mprobe(void *block) {
    return 0;
}
void *glibc_pvalloc(size_t size) {
    return memalign(4096, (size + 4095) & ~(size_t)4095);
}
void glibc_cfree(void *block) {
    free(block);
}

/* ------------------------------------------------------------ processes and users */

int glibc___register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void), void *object) {
    return 0;
}
int glibc_group_member(gid_t group) {
    gid_t groups[64];
    int count = getgroups(64, groups);
    if (group == getegid()) return 1;
    for (int k = 0; k < count; k++)
        if (groups[k] == group) return 1;
    return 0;
}
int glibc_sigsetmask(int mask) {
    sigset_t new, old;
    int result = 0;
    sigemptyset(&new);
    for (int k = 1; k <= 31; k++)
        if (mask & 1u << (k - 1)) sigaddset(&new, k);
    if (sigprocmask(SIG_SETMASK, &new, &old) < 0) return -1;
    for (int k = 1; k <= 31; k++)
        if (sigismember(&old, k)) result |= 1u << (k - 1);
    return result;
}
int glibc_sigblock(int mask) {
    sigset_t new;
    sigemptyset(&new);
    for (int k = 1; k <= 31; k++)
        if (mask & 1u << (k - 1)) sigaddset(&new, k);
    return sigprocmask(SIG_BLOCK, &new, 0);
}

/* ------------------------------------------------------------ the program's start, for what calls it itself */

void glibc___libc_start_main(int (*start)(int, char **, char **), int count, char **arguments) {
    extern char **__environ;
    exit(start(count, arguments, __environ));
}
void glibc___libc_freeres(void) {
}
_Noreturn void glibc___libc_fatal(const char *message) {
    write(2, message, strlen(message));
    abort();
}

/* ------------------------------------------------------------ vectors of strings, with their zeros, in one block */

int glibc_argz_create_sep(const char *text, int separator, char **argz, size_t *length) {
    size_t size = strlen(text) + 1;
    *argz = 0;
    *length = 0;
    if (size == 1) return 0;
    char *out = malloc(size), *to = out;
    if (!out) return ENOMEM;
    for (; *text; text++) {
        if (*text != separator)
            *to++ = *text;
        else if (to > out && to[-1])
            *to++ = 0;
    }
    if (to > out && to[-1]) *to++ = 0;
    *argz = out;
    *length = (size_t)(to - out);
    return 0;
}
void glibc_argz_stringify(char *argz, size_t length, int separator) {
    for (size_t k = 0; k + 1 < length; k++)
        if (!argz[k]) argz[k] = (char)separator;
}
int glibc_argz_append(char **argz, size_t *length, const char *text, size_t size) {
    char *larger = realloc(*argz, *length + size);
    if (!larger) return ENOMEM;
    memcpy(larger + *length, text, size);
    *argz = larger;
    *length += size;
    return 0;
}
int glibc_argz_add(char **argz, size_t *length, const char *text) {
    return glibc_argz_append(argz, length, text, strlen(text) + 1);
}
size_t glibc_argz_count(const char *argz, size_t length) {
    size_t count = 0;
    for (size_t k = 0; k < length; k++) count += !argz[k];
    return count;
}
char *glibc_argz_next(const char *argz, size_t length, const char *entry) {
    if (!entry) return length ? (char *)argz : 0;
    entry += strlen(entry) + 1;
    return entry < argz + length ? (char *)entry : 0;
}
int glibc_argz_insert(char **argz, size_t *length, char *before, const char *text) {
    if (!before) return glibc_argz_add(argz, length, text);
    size_t offset = (size_t)(before - *argz), size = strlen(text) + 1;
    if (offset > *length) return EINVAL;
    while (offset > 0 && (*argz)[offset - 1]) offset--;
    char *larger = realloc(*argz, *length + size);
    if (!larger) return ENOMEM;
    memmove(larger + offset + size, larger + offset, *length - offset);
    memcpy(larger + offset, text, size);
    *argz = larger;
    *length += size;
    return 0;
}
