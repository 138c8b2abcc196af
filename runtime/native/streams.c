/* See streams.h. */
#define _GNU_SOURCE
#include "streams.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "looks.h"
#include "record.h"

/* Where writing fails: the program will say so, and end otherwise. */
void record_output(int descriptor, const char *key) {
    struct stat status;
    if (fstat(descriptor, &status) < 0) tell_text(key, "closed");
    else if (S_ISCHR(status.st_mode) && status.st_rdev == makedev(1, 7)) tell_text(key, "full");
}

/* With it ignored, a pipe that nobody reads is an error like any other. */
int ignores_broken_pipes(void) {
    struct sigaction action;
    return sigaction(SIGPIPE, 0, &action) == 0 && action.sa_handler == SIG_IGN;
}

/* A write to standard output or error has ended: what was read of it before its reader left is all that the program could get rid of. */
void record_writing(uint64_t number, uint64_t descriptor, int64_t result) {
    static uint64_t written[2];
    static int broken[2];
    if ((number != SYS_write && number != SYS_writev) || descriptor < 1 || descriptor > 2) return;
    int which = (int)descriptor - 1;
    if (result > 0) written[which] += (uint64_t)result;
    if (result != -EPIPE || broken[which]) return;
    broken[which] = 1;
    tell_number(which == 0 ? "stdoutbroken" : "stderrbroken", (long long)written[which]);
}

/* Named pipes that the program reads from: what came out of each, as long as its descriptor is open. */
#define MAX_PIPES 16
static struct {
    const char *path;
    unsigned mode;
    /* The program's, -1 when it is closed; and ours. */
    int descriptor, copy;
    uint64_t total;
} pipes[MAX_PIPES];
static int pipe_count;

/* An opening has ended. */
void record_pipe(int64_t descriptor) {
    unsigned mode;
    const char *path = pipe_looked_at(&mode);
    if (!path || descriptor < 0 || pipe_count == MAX_PIPES) return;
    char name[32];
    snprintf(name, sizeof name, "pipe%d", pipe_count);
    int copy = create_in_folder(name);
    if (copy < 0) return;
    pipes[pipe_count].path = path;
    pipes[pipe_count].mode = mode;
    pipes[pipe_count].descriptor = (int)descriptor;
    pipes[pipe_count++].copy = copy;
}

void record_pipe_delivery(int descriptor, uint64_t address, uint64_t size) {
    static char piece[1 << 16];
    for (int i = 0; i < pipe_count; i++) {
        if (pipes[i].descriptor != descriptor) continue;
        while (size > 0 && pipes[i].total < MAX_FILE_BYTES) {
            size_t got = read_memory(address, piece, size < sizeof piece ? size : sizeof piece);
            if (!got) return;
            keep(pipes[i].copy, piece, got);
            address += got;
            size -= got;
            pipes[i].total += got;
        }
    }
}

void record_pipe_closing(int descriptor) {
    for (int i = 0; i < pipe_count; i++)
        if (pipes[i].descriptor == descriptor) pipes[i].descriptor = -1;
}

void tell_pipes(void) {
    for (int i = 0; i < pipe_count; i++) {
        char name[32];
        snprintf(name, sizeof name, "pipe%d", i);
        close(pipes[i].copy);
        tell_number("mode", pipes[i].mode);
        tell_text("content", name);
        tell_text("file", pipes[i].path);
    }
}
