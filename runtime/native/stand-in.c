/* The stand-in for a program under test (ZESTI, make test-zesti IV): records one invocation and becomes the real program.

   The process that the test started executes the real program itself, so process id, parent, signals, terminal, exit
   status and timing are what they always were. What has to be observed (files opened for reading, bytes delivered by a pipe) a
   second process sees, which traces the first one and is nobody's child. If tracing is not permitted, the record says so
   and lacks what only tracing shows; the program runs all the same. Nothing here may ever make a test fail.

   Alternatives: a preloaded library (our programs are static), relaying standard input (would read more than the program
   does), a seccomp filter (children would inherit it and break without a tracer).

   A record is a folder: `events` (lines of key, length, bytes), `stdin`, and the contents of files by number. It is
   named .part until the program has ended; one that stays so was cut short. If it could not be written, it is named .lost and
   counted. Written by C, read by src/project/. */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/ptrace.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

#define MAGIC "TANGENT-STAND-IN"
#define MAX_FILE_BYTES (64u << 20)
#define MAX_FILES 4096
/* A program that makes more is let go: each costs some microseconds, and what it opens that late is too far along its path to
   be of use. tar makes millions when it reads a sparse file of gigabytes. */
#define MAX_CALLS 100000

static char real_program[PATH_MAX], store[PATH_MAX], kept_program[PATH_MAX], folder[PATH_MAX + 64];
static int events = -1;
/* Something of the record could not be written: a full disk, most likely. */
static int incomplete;

/* ---------------------------------------------------------------- configuration: appended to the executable itself */

static const char *take_text(const char *from, const char *end, char into[PATH_MAX]) {
    size_t length = from ? strnlen(from, (size_t)(end - from)) : 0;
    if (!from || from + length == end || length >= PATH_MAX) return 0;
    memcpy(into, from, length + 1);
    return from + length + 1;
}

/* "<real program>\0<store>\0<copy of the program>\0", then its length (8 bytes, little-endian) and MAGIC without its NUL. */
static int read_configuration(void) {
    static char tail[3 * PATH_MAX];
    unsigned char footer[8 + sizeof MAGIC - 1];
    int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    off_t end = lseek(file, 0, SEEK_END);
    if (end < (off_t)sizeof footer || pread(file, footer, sizeof footer, end - (off_t)sizeof footer) != sizeof footer ||
        memcmp(footer + 8, MAGIC, sizeof MAGIC - 1)) {
        close(file);
        return 0;
    }
    uint64_t length = 0;
    for (int i = 7; i >= 0; i--) length = length << 8 | footer[i];
    int good = length < sizeof tail && pread(file, tail, length, end - (off_t)sizeof footer - (off_t)length) == (ssize_t)length;
    close(file);
    if (!good) return 0;
    const char *at = take_text(tail, tail + length, real_program);
    at = take_text(at, tail + length, store);
    return take_text(at, tail + length, kept_program) != 0;
}

/* ---------------------------------------------------------------- writing the record */

static int write_all(int file, const void *bytes, size_t size) {
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
static void keep(int file, const void *bytes, size_t size) {
    if (!write_all(file, bytes, size)) incomplete = 1;
}

static void tell(const char *key, const void *bytes, size_t size) {
    char head[96];
    if (events < 0) return;
    /* One write for what is short, so that a record cut short is cut between lines. */
    char line[PATH_MAX + 128];
    int n = snprintf(head, sizeof head, "%s %zu ", key, size);
    if ((size_t)n + size + 1 <= sizeof line) {
        memcpy(line, head, (size_t)n);
        memcpy(line + n, bytes, size);
        line[(size_t)n + size] = '\n';
        keep(events, line, (size_t)n + size + 1);
        return;
    }
    keep(events, head, (size_t)n);
    keep(events, bytes, size);
    keep(events, "\n", 1);
}
static void tell_text(const char *key, const char *text) {
    tell(key, text, strlen(text));
}
static void tell_number(const char *key, long long number) {
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

static int create_in_folder(const char *name) {
    char path[sizeof folder + 80];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int file = above_standard_streams(open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
    if (file < 0) incomplete = 1;
    return file;
}

/* This invocation has no record of use. Counted in a file that has its place on the disk since before the tests began, because
   there may be no other place left. */
static void count_as_lost(void) {
    char path[sizeof store + 16];
    snprintf(path, sizeof path, "%s/lost", store);
    int file = above_standard_streams(open(path, O_RDWR | O_CLOEXEC));
    if (file < 0) return;
    uint64_t *count = mmap(0, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (count != MAP_FAILED) {
        __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
        munmap(count, sizeof *count);
    }
    close(file);
}

/* Copies from the source's offset; the source's own offset stays as it is. */
static int copy_into(const char *name, int source, off_t offset) {
    static char piece[1 << 16];
    int target = create_in_folder(name);
    if (target < 0) return 0;
    uint64_t total = 0;
    for (;;) {
        ssize_t n = pread(source, piece, sizeof piece, offset + (off_t)total);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0 || total + (uint64_t)n > MAX_FILE_BYTES) break;
        keep(target, piece, (size_t)n);
        total += (uint64_t)n;
    }
    close(target);
    return 1;
}

static long long now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000ll + t.tv_nsec / 1000000;
}

static int begin_record(void) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    snprintf(folder, sizeof folder, "%s/%lld.%09ld.%d.part", store, (long long)t.tv_sec, t.tv_nsec, (int)getpid());
    if (mkdir(folder, 0700) < 0) return 0;
    events = create_in_folder("events");
    if (events < 0) rmdir(folder);
    return events >= 0;
}

/* A file's content as it is read by nobody: what is not a regular file is left alone (opening one end of a named pipe would wake
   the other), and the time of the last access stays as it is where that is permitted. Otherwise -1, and why in errno. */
static int open_unnoticed(const char *path, struct stat *status) {
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

/* ---------------------------------------------------------------- standard input */

enum input { INPUT_NONE, INPUT_DELIVERED };

static enum input record_input(void) {
    struct stat status;
    if (fstat(0, &status) < 0) {
        tell_text("stdin", "closed");
        return INPUT_NONE;
    }
    if (S_ISREG(status.st_mode)) {
        off_t offset = lseek(0, 0, SEEK_CUR);
        int own = open_unnoticed("/proc/self/fd/0", &status);
        tell_text("stdin", own >= 0 && copy_into("stdin", own, offset < 0 ? 0 : offset) ? "file" : "empty");
        if (own >= 0) close(own);
        return INPUT_NONE;
    }
    if (S_ISCHR(status.st_mode)) {
        tell_text("stdin", isatty(0) ? "terminal" : "empty");
        return INPUT_NONE;
    }
    tell_text("stdin", "pipe");
    return INPUT_DELIVERED;
}

/* ---------------------------------------------------------------- the tracer */

static pid_t traced;

static size_t read_memory(uint64_t address, void *into, size_t size) {
    struct iovec local = {into, size}, remote = {(void *)(uintptr_t)address, size};
    ssize_t n = process_vm_readv(traced, &local, 1, &remote, 1, 0);
    return n < 0 ? 0 : (size_t)n;
}

/* A string of the program, in pieces that do not cross pages. */
static int read_text(uint64_t address, char *into, size_t size) {
    size_t done = 0;
    while (done < size) {
        size_t piece = 4096 - ((address + done) & 4095);
        if (piece > size - done) piece = size - done;
        size_t got = read_memory(address + done, into + done, piece);
        if (memchr(into + done, 0, got)) return 1;
        if (got < piece) return 0;
        done += got;
    }
    return 0;
}

static char *seen[MAX_FILES];
static int seen_count;

static int first_time(const char *path) {
    for (int i = 0; i < seen_count; i++)
        if (!strcmp(seen[i], path)) return 0;
    if (seen_count == MAX_FILES) return 0;
    seen[seen_count++] = strdup(path);
    return 1;
}

static int starts_with(const char *text, const char *prefix) {
    return !strncmp(text, prefix, strlen(prefix));
}

/* The path as the program means it, made absolute. Links stay: the program sees them too. */
static int absolute(int directory, const char *path, char *into, size_t size) {
    char link[64], base[PATH_MAX];
    if (path[0] == '/') return (size_t)snprintf(into, size, "%s", path) < size;
    if (directory == AT_FDCWD) snprintf(link, sizeof link, "/proc/%d/cwd", (int)traced);
    else snprintf(link, sizeof link, "/proc/%d/fd/%d", (int)traced, directory);
    ssize_t n = readlink(link, base, sizeof base - 1);
    if (n < 0) return 0;
    base[n] = 0;
    return (size_t)snprintf(into, size, "%s/%s", base, path) < size;
}

/* Before the program opens it, so that what it writes itself is not taken for input. */
static void record_opening(int directory, uint64_t path_address, uint64_t flags) {
    static char path[PATH_MAX], whole[2 * PATH_MAX];
    if (!read_text(path_address, path, sizeof path) || !path[0] || !absolute(directory, path, whole, sizeof whole)) return;
    if (starts_with(whole, "/dev/") || starts_with(whole, "/proc/") || starts_with(whole, "/sys/")) return;
    if (!first_time(whole)) return;
    if ((flags & O_ACCMODE) == O_WRONLY || flags & (O_TRUNC | O_DIRECTORY | O_PATH)) return;
    struct stat status;
    int file = open_unnoticed(whole, &status);
    if (file < 0) {
        if (errno == ENOENT || errno == ENOTDIR) tell_text("missing", whole);
        return;
    }
    char name[32];
    snprintf(name, sizeof name, "file%d", seen_count);
    if (status.st_size > MAX_FILE_BYTES) tell_text("large", whole);
    else if (copy_into(name, file, 0)) {
        tell_number("mode", status.st_mode & 07777);
        tell_text("content", name);
        tell_text("file", whole);
    }
    close(file);
}

static void record_delivery(uint64_t address, uint64_t size) {
    static char piece[1 << 16];
    static int target = -1;
    static uint64_t total;
    if (target < 0) target = create_in_folder("stdin");
    if (target < 0) return;
    while (size > 0 && total < MAX_FILE_BYTES) {
        size_t got = read_memory(address, piece, size < sizeof piece ? size : sizeof piece);
        if (!got) break;
        keep(target, piece, got);
        address += got;
        size -= got;
        total += got;
    }
}

static void record_vector(uint64_t list, uint64_t count, uint64_t size) {
    for (uint64_t i = 0; i < count && size > 0; i++) {
        struct iovec part;
        if (read_memory(list + i * sizeof part, &part, sizeof part) != sizeof part) return;
        uint64_t n = part.iov_len < size ? part.iov_len : size;
        record_delivery((uint64_t)(uintptr_t)part.iov_base, n);
        size -= n;
    }
}

/* Processor time of the program so far, or -1. The number of a process's clock is made of its id (CPUCLOCK_SCHED is 2). */
static long long processor_us(void) {
    struct timespec t;
    if (clock_gettime((clockid_t)(~(unsigned)traced << 3 | 2), &t) < 0) return -1;
    return t.tv_sec * 1000000ll + t.tv_nsec / 1000;
}
static long long processor_at_start = -1;

static void record_processor_time(void) {
    long long now = processor_us();
    if (processor_at_start >= 0 && now >= 0) tell_number("processor", now - processor_at_start);
}

/* A system call begins, or ends. */
static void look_at_call(enum input input) {
    static struct ptrace_syscall_info entry;
    struct ptrace_syscall_info info;
    if (ptrace(PTRACE_GET_SYSCALL_INFO, traced, (void *)sizeof info, &info) < 0) return;
    if (info.op == PTRACE_SYSCALL_INFO_ENTRY) {
        entry = info;
        const __u64 *a = info.entry.args;
        if (info.entry.nr == SYS_open) record_opening(AT_FDCWD, a[0], a[1]);
        else if (info.entry.nr == SYS_openat) record_opening((int)a[0], a[1], a[2]);
        else if (info.entry.nr == SYS_exit_group) record_processor_time();
        else if (info.entry.nr == SYS_openat2) {
            uint64_t flags = 0;
            if (read_memory(a[2], &flags, sizeof flags) == sizeof flags) record_opening((int)a[0], a[1], flags);
        }
        return;
    }
    if (info.op != PTRACE_SYSCALL_INFO_EXIT || entry.op != PTRACE_SYSCALL_INFO_ENTRY) return;
    const __u64 *a = entry.entry.args;
    entry.op = 0;
    if (input != INPUT_DELIVERED || a[0] != 0 || info.exit.is_error || info.exit.rval <= 0) return;
    if (entry.entry.nr == SYS_read) record_delivery(a[1], (uint64_t)info.exit.rval);
    else if (entry.entry.nr == SYS_readv) record_vector(a[1], a[2], (uint64_t)info.exit.rval);
}

static void end_record(void) {
    char done[sizeof folder];
    close(events);
    size_t length = strlen(folder) - strlen(".part");
    memcpy(done, folder, length);
    /* Better no seed than one with half a file. */
    strcpy(done + length, incomplete ? ".lost" : ".done");
    rename(folder, done);
    if (incomplete) count_as_lost();
}

static void trace(enum input input, int ready) {
    int status;
    /* Signals of the terminal are the program's business, and so is its directory, which it may want to unmount. */
    setsid();
    if (chdir("/") < 0) tell_text("note", "the tracer stays in the test's directory");
    for (int signal = 1; signal < 32; signal++)
        if (signal != SIGCHLD) sigaction(signal, &(struct sigaction){.sa_handler = SIG_IGN}, 0);
    /* Where it is permitted: what limits the test's files must not cut the record short. */
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){RLIM_INFINITY, RLIM_INFINITY});
    long long started = now_ms();
    int traces = ptrace(PTRACE_SEIZE, traced, 0, (void *)(long)(PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC)) == 0 &&
                 ptrace(PTRACE_INTERRUPT, traced, 0, 0) == 0 && waitpid(traced, &status, __WALL) == traced;
    if (!traces) tell_text("untraced", strerror(errno));
    write_all(ready, "", 1);
    close(ready);
    if (!traces) {
        end_record();
        return;
    }
    int images = 0;
    long stops = 0;
    ptrace(PTRACE_SYSCALL, traced, 0, 0);
    for (;;) {
        pid_t got = waitpid(traced, &status, __WALL);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) break;
        if (WIFEXITED(status)) {
            tell_number("exit", WEXITSTATUS(status));
            break;
        }
        if (WIFSIGNALED(status)) {
            tell_number("signal", WTERMSIG(status));
            break;
        }
        int signal = WSTOPSIG(status), event = status >> 16;
        if (event == PTRACE_EVENT_EXEC) {
            signal = 0;
            if (++images == 1) processor_at_start = processor_us();
            if (images == 2) {
                /* Something else now runs in this process: it is no part of the test. */
                tell_text("replaced", "");
                ptrace(PTRACE_DETACH, traced, 0, 0);
                break;
            }
        } else if (event == PTRACE_EVENT_STOP) {
            /* Job control: stay stopped as the shell wishes. */
            if (signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU) {
                ptrace(PTRACE_LISTEN, traced, 0, 0);
                continue;
            }
            signal = 0;
        } else if (signal == (SIGTRAP | 0x80)) {
            signal = 0;
            if (images == 1) look_at_call(input);
            if (++stops > 2l * MAX_CALLS) {
                tell_text("cut", "too many system calls");
                ptrace(PTRACE_DETACH, traced, 0, 0);
                break;
            }
        }
        ptrace(PTRACE_SYSCALL, traced, 0, (void *)(long)signal);
    }
    tell_number("milliseconds", now_ms() - started);
    end_record();
}

/* A fork whose end sends no SIGCHLD: one that is blocked would stay pending and reach the program. */
static pid_t quiet_fork(void) {
    return (pid_t)syscall(SYS_clone, 0, 0, 0, 0, 0);
}

/* Whoever waits for the end of a pipe must not wait for us. */
static void close_all_but(int first, int second) {
    int low = first < second ? first : second, high = first < second ? second : first;
    if ((low == 0 || syscall(SYS_close_range, 0, low - 1, 0) == 0) &&
        (low + 1 == high || syscall(SYS_close_range, low + 1, high - 1, 0) == 0) &&
        syscall(SYS_close_range, high + 1, ~0u, 0) == 0)
        return;
    for (int file = 0; file < 1024; file++)
        if (file != first && file != second) close(file);
}

/* Two forks, so that the program never meets a child it did not make. */
static void start_tracer(enum input input) {
    int ready[2];
    if (pipe2(ready, O_CLOEXEC) < 0) return;
    traced = getpid();
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    pid_t middle = quiet_fork();
    if (middle == 0) {
        if (fork() != 0) _exit(0);
        close_all_but(events, ready[1]);
        trace(input, ready[1]);
        _exit(0);
    }
    close(ready[1]);
    if (middle > 0) {
        char byte;
        while (waitpid(middle, 0, __WALL) < 0 && errno == EINTR) {}
        while (read(ready[0], &byte, 1) < 0 && errno == EINTR) {}
    }
    close(ready[0]);
    prctl(PR_SET_PTRACER, 0, 0, 0, 0);
}

int main(int argc, char **argv) {
    (void)argc;
    if (!read_configuration()) {
        static const char message[] = "tangent: this stand-in has lost its program; run `tangent record --restore`\n";
        write_all(2, message, sizeof message - 1);
        return 127;
    }
    /* Neither the test's limit on the size of files nor its mask is meant for the record. */
    struct sigaction too_large;
    struct rlimit sizes;
    sigaction(SIGXFSZ, &(struct sigaction){.sa_handler = SIG_IGN}, &too_large);
    int limited = getrlimit(RLIMIT_FSIZE, &sizes) == 0 && sizes.rlim_cur != RLIM_INFINITY;
    /* Without the right to more, as much as may be. */
    if (limited && setrlimit(RLIMIT_FSIZE, &(struct rlimit){RLIM_INFINITY, RLIM_INFINITY}) < 0)
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){sizes.rlim_max, sizes.rlim_max});
    mode_t mask = umask(0);
    if (begin_record()) {
        char directory[PATH_MAX];
        tell_text("program", real_program);
        for (char **word = argv; *word; word++) tell_text("argument", *word);
        for (char **variable = environ; *variable; variable++) tell_text("environment", *variable);
        tell_text("directory", getcwd(directory, sizeof directory) ? directory : "/");
        tell_number("umask", mask);
        start_tracer(record_input());
    } else count_as_lost();
    umask(mask);
    if (limited) setrlimit(RLIMIT_FSIZE, &sizes);
    sigaction(SIGXFSZ, &too_large, 0);
    execv(real_program, argv);
    int error = errno;
    /* A test has removed it; the copy is as good, for those who may reach it. */
    if (error == ENOENT || error == ENOTDIR) execv(kept_program, argv);
    char message[PATH_MAX + 128];
    int n = snprintf(message, sizeof message, "tangent: %s cannot be executed: %s\n", real_program, strerror(error));
    write_all(2, message, (size_t)n);
    return error == ENOENT ? 127 : 126;
}
