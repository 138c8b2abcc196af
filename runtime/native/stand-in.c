/* The stand-in for a program under test (ZESTI, make test-zesti IV): records one invocation and becomes the real program.

   The process that the test started executes the real program itself, so process id, parent, signals, terminal, exit
   status and timing are what they always were. What has to be observed (what it looks at, looks.c, and bytes delivered by a pipe) a
   second process sees, which traces the first one and is nobody's child. If tracing is not permitted, the record says so
   and lacks what only tracing shows; the program runs all the same. Nothing here may ever make a test fail.

   Alternatives: a preloaded library (programs may be static), relaying standard input (would read more than the program
   does), a seccomp filter (children would inherit it and break without a tracer).

   What is written is in record.h. */
#define _GNU_SOURCE
#include <dirent.h>
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
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "looks.h"
#include "record.h"
#include "streams.h"

extern char **environ;

#define MAGIC "TANGENT-STAND-IN"
/* Stays when somebody strips us: so restore-programs.ts knows us all the same. */
__attribute__((used)) static const char trace_of_us[] = "TANGENT-STAND-IN-CODE";
/* Where `tangent cc` tells of what it has linked while tests are recorded (recorded-link.ts): not the program's business. */
#define RECORDING "TANGENT_RECORDING"
/* Of hidden places of programs: restore-programs.ts has the same. */
#define MOVED_PREFIX ".tangent-moved-"
/* A program that makes more is let go: each costs some microseconds, and what it opens that late is too far along its path to
   be of use. tar makes millions when it reads a sparse file of gigabytes. */
#define MAX_CALLS 100000

static char real_program[PATH_MAX], kept_program[PATH_MAX];
/* Where the stand-in lies, and the program always did. */
static char own_place[PATH_MAX];

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
    at = take_text(at, tail + length, record_store);
    return take_text(at, tail + length, kept_program) != 0;
}

/* Without a configuration, because a build has stripped what it had just linked: the program is in the hidden folder beside us, the one
   whose name matches. It runs, and nothing is recorded. */
static int find_program_beside(void) {
    char *name;
    ssize_t length = readlink("/proc/self/exe", own_place, sizeof own_place - 1);
    if (length <= 0) return 0;
    own_place[length] = 0;
    name = strrchr(own_place, '/');
    *name++ = 0;
    DIR *folder = opendir(*own_place ? own_place : "/");
    struct dirent *entry;
    int found = 0;
    while (folder && !found && (entry = readdir(folder))) {
        if (strncmp(entry->d_name, MOVED_PREFIX, sizeof MOVED_PREFIX - 1)) continue;
        int written = snprintf(real_program, sizeof real_program, "%s/%s/%s", own_place, entry->d_name, name);
        found = written < (int)sizeof real_program && access(real_program, X_OK) == 0;
    }
    if (folder) closedir(folder);
    return found;
}

static long long now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000ll + t.tv_nsec / 1000000;
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

size_t read_memory(uint64_t address, void *into, size_t size) {
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

/* The program has read where it lies itself (/proc/self/exe), to find what lies beside it: that is where it always was. The name of the hidden
   place is longer, so there is room for it. */
static void correct_own_place(uint64_t address, uint64_t length) {
    static char found[PATH_MAX], hidden[PATH_MAX];
    struct user_regs_struct registers;
    size_t size = strlen(own_place);
    /* As the system tells it: without symbolic links. */
    if (!hidden[0] && !realpath(real_program, hidden)) return;
    if (!size || size > strlen(hidden) || length > strlen(hidden)) return;
    if (read_memory(address, found, length) != length || memcmp(found, hidden, length)) return;
    /* Cut short, as the program's buffer is. */
    if (size > length) size = length;
    struct iovec local = {own_place, size}, remote = {(void *)(uintptr_t)address, size};
    if (process_vm_writev(traced, &local, 1, &remote, 1, 0) != (ssize_t)size) return;
    if (ptrace(PTRACE_GETREGS, traced, 0, &registers) < 0) return;
    registers.rax = size;
    ptrace(PTRACE_SETREGS, traced, 0, &registers);
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

/* Calls that name one thing: where the directory's descriptor is (-1: none), where the path, where flags (-1: none), and how it is
   looked at without them. */
static const struct named_call {
    int number;
    signed char directory, path, flags;
    unsigned char how;
} named_calls[] = {
    {SYS_stat, -1, 0, -1, LOOK_FOLLOWS},
    {SYS_lstat, -1, 0, -1, 0},
    {SYS_newfstatat, 0, 1, 3, LOOK_FOLLOWS},
    {SYS_statx, 0, 1, 2, LOOK_FOLLOWS},
    {SYS_access, -1, 0, -1, LOOK_FOLLOWS},
    {SYS_faccessat, 0, 1, -1, LOOK_FOLLOWS},
    {SYS_faccessat2, 0, 1, 3, LOOK_FOLLOWS},
    {SYS_readlink, -1, 0, -1, 0},
    {SYS_readlinkat, 0, 1, -1, 0},
    {SYS_chdir, -1, 0, -1, LOOK_FOLLOWS},
    {SYS_statfs, -1, 0, -1, LOOK_FOLLOWS},
    {SYS_chmod, -1, 0, -1, LOOK_FOLLOWS},
    {SYS_fchmodat, 0, 1, -1, LOOK_FOLLOWS},
    {SYS_chown, -1, 0, -1, LOOK_FOLLOWS},
    {SYS_lchown, -1, 0, -1, 0},
    {SYS_fchownat, 0, 1, 4, LOOK_FOLLOWS},
    {SYS_utime, -1, 0, -1, LOOK_FOLLOWS},
    {SYS_utimes, -1, 0, -1, LOOK_FOLLOWS},
    {SYS_futimesat, 0, 1, -1, LOOK_FOLLOWS},
    {SYS_utimensat, 0, 1, 3, LOOK_FOLLOWS},
    {SYS_truncate, -1, 0, -1, LOOK_FOLLOWS | LOOK_CHANGES},
    {SYS_creat, -1, 0, -1, LOOK_FOLLOWS | LOOK_CHANGES},
    {SYS_mkdir, -1, 0, -1, LOOK_CHANGES | LOOK_NAMES},
    {SYS_mkdirat, 0, 1, -1, LOOK_CHANGES | LOOK_NAMES},
    {SYS_mknod, -1, 0, -1, LOOK_CHANGES | LOOK_NAMES},
    {SYS_mknodat, 0, 1, -1, LOOK_CHANGES | LOOK_NAMES},
    {SYS_rmdir, -1, 0, -1, LOOK_CHANGES | LOOK_NAMES},
    {SYS_unlink, -1, 0, -1, LOOK_CHANGES | LOOK_NAMES},
    {SYS_unlinkat, 0, 1, -1, LOOK_CHANGES | LOOK_NAMES},
    {SYS_symlink, -1, 1, -1, LOOK_CHANGES | LOOK_NAMES},
    {SYS_symlinkat, 1, 2, -1, LOOK_CHANGES | LOOK_NAMES},
    {SYS_link, -1, 0, -1, 0},
    {SYS_link, -1, 1, -1, LOOK_CHANGES | LOOK_NAMES},
    {SYS_linkat, 0, 1, -1, 0},
    {SYS_linkat, 2, 3, -1, LOOK_CHANGES | LOOK_NAMES},
};

static void record_named(uint64_t number, const __u64 *a) {
    static char path[PATH_MAX];
    for (size_t i = 0; i < sizeof named_calls / sizeof *named_calls; i++) {
        const struct named_call *call = &named_calls[i];
        if ((uint64_t)call->number != number || !read_text(a[call->path], path, sizeof path)) continue;
        int how = call->how;
        if (call->flags >= 0 && a[(int)call->flags] & AT_SYMLINK_NOFOLLOW) how &= ~LOOK_FOLLOWS;
        look(call->directory < 0 ? AT_FDCWD : (int)a[(int)call->directory], path, how);
    }
}

/* Before the program opens it, so that what it writes itself is not taken for input. */
static void record_opening(int directory, uint64_t path_address, uint64_t flags) {
    static char path[PATH_MAX];
    if (!read_text(path_address, path, sizeof path)) return;
    int writes = (flags & O_ACCMODE) != O_RDONLY || flags & O_TRUNC, follows = !(flags & O_NOFOLLOW);
    if (flags & O_CREAT && flags & O_EXCL) follows = 0;
    int reads = (flags & O_ACCMODE) != O_WRONLY && !(flags & (O_TRUNC | O_DIRECTORY | O_PATH));
    look(directory, path, (follows ? LOOK_FOLLOWS : 0) | (reads ? LOOK_CONTENT : 0) | (writes ? LOOK_CHANGES : 0));
}

static int is_rename(uint64_t number) {
    return number == SYS_rename || number == SYS_renameat || number == SYS_renameat2;
}

static void record_renaming(uint64_t number, const __u64 *a) {
    static char from[PATH_MAX], to[PATH_MAX];
    int at = number != SYS_rename;
    if (!read_text(a[at ? 1 : 0], from, sizeof from) || !read_text(a[at ? 3 : 1], to, sizeof to)) return;
    look_renaming(at ? (int)a[0] : AT_FDCWD, from, at ? (int)a[2] : AT_FDCWD, to);
}

/* The dynamic loader, where it lies in the program's memory: what it looks at (libraries, their cache) is how the program comes to be, not
   its input. Only glibc's: musl's loader is libc itself. */
static uint64_t loader_start, loader_end;

static void find_loader(void) {
    char path[64], line[PATH_MAX + 128], name[PATH_MAX] = "";
    uint64_t pair[2], base = 0;
    loader_start = loader_end = 0;
    snprintf(path, sizeof path, "/proc/%d/auxv", (int)traced);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    while (read(file, pair, sizeof pair) == sizeof pair && pair[0] != AT_NULL)
        if (pair[0] == AT_BASE) base = pair[1];
    close(file);
    snprintf(path, sizeof path, "/proc/%d/maps", (int)traced);
    FILE *maps = base ? fopen(path, "re") : 0;
    if (!maps) return;
    while (fgets(line, sizeof line, maps)) {
        unsigned long long start, end;
        static char mapped[PATH_MAX];
        mapped[0] = 0;
        if (sscanf(line, "%llx-%llx %*s %*s %*s %*s %4095[^\n]", &start, &end, mapped) < 2) continue;
        if (start == base) {
            const char *slash = strrchr(mapped, '/');
            if (slash && !strncmp(slash, "/ld-", 4) && !strstr(slash, "musl")) strcpy(name, mapped);
        }
        if (!name[0] || strcmp(name, mapped)) continue;
        if (!loader_start) loader_start = start;
        loader_end = end;
    }
    fclose(maps);
}

/* A system call begins, or ends. */
static void look_at_call(enum input input) {
    static struct ptrace_syscall_info entry;
    struct ptrace_syscall_info info;
    if (ptrace(PTRACE_GET_SYSCALL_INFO, traced, (void *)sizeof info, &info) < 0) return;
    if (info.op == PTRACE_SYSCALL_INFO_ENTRY) {
        entry = info;
        const __u64 *a = info.entry.args;
        uint64_t number = info.entry.nr;
        if (info.instruction_pointer >= loader_start && info.instruction_pointer < loader_end) return;
        if (number == SYS_open) record_opening(AT_FDCWD, a[0], a[1]);
        else if (number == SYS_openat) record_opening((int)a[0], a[1], a[2]);
        else if (number == SYS_exit_group) record_processor_time();
        else if (number == SYS_getdents64 || number == SYS_getdents) look_into((int)a[0]);
        else if (is_rename(number)) record_renaming(number, a);
        else if (number == SYS_openat2) {
            uint64_t flags = 0;
            if (read_memory(a[2], &flags, sizeof flags) == sizeof flags) record_opening((int)a[0], a[1], flags);
        } else record_named(number, a);
        return;
    }
    if (info.op != PTRACE_SYSCALL_INFO_EXIT || entry.op != PTRACE_SYSCALL_INFO_ENTRY) return;
    const __u64 *a = entry.entry.args;
    entry.op = 0;
    if (is_rename(entry.entry.nr) && !info.exit.is_error) look_renamed();
    record_writing(entry.entry.nr, a[0], info.exit.rval);
    if (entry.entry.nr == SYS_open || entry.entry.nr == SYS_openat) record_pipe(info.exit.rval);
    if (entry.entry.nr == SYS_close) record_pipe_closing((int)a[0]);
    if (entry.entry.nr == SYS_read && !info.exit.is_error && info.exit.rval > 0)
        record_pipe_delivery((int)a[0], a[1], (uint64_t)info.exit.rval);
    if (!info.exit.is_error && info.exit.rval > 0) {
        if (entry.entry.nr == SYS_readlink) correct_own_place(a[1], (uint64_t)info.exit.rval);
        else if (entry.entry.nr == SYS_readlinkat) correct_own_place(a[2], (uint64_t)info.exit.rval);
    }
    if (input != INPUT_DELIVERED || a[0] != 0 || info.exit.is_error || info.exit.rval <= 0) return;
    if (entry.entry.nr == SYS_read) record_delivery(a[1], (uint64_t)info.exit.rval);
    else if (entry.entry.nr == SYS_readv) record_vector(a[1], a[2], (uint64_t)info.exit.rval);
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
            if (++images == 1) {
                processor_at_start = processor_us();
                find_loader();
            }
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
    tell_pipes();
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
        close_all_but(record_events, ready[1]);
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

/* Under valgrind nothing is traced: our processes would be valgrind's too, and write into its logs. */
static int under_valgrind(void) {
    const char *preload = getenv("LD_PRELOAD");
    return preload && strstr(preload, "/vgpreload_");
}

int main(int argc, char **argv) {
    (void)argc;
    unsetenv(RECORDING);
    if (!read_configuration()) {
        if (find_program_beside()) execv(real_program, argv);
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
        static char directory[PATH_MAX], program[PATH_MAX];
        tell_text("program", real_program);
        tell_number("process", getpid());
        tell_number("parent", getppid());
        for (char **word = argv; *word; word++) tell_text("argument", *word);
        for (char **variable = environ; *variable; variable++) tell_text("environment", *variable);
        if (!getcwd(directory, sizeof directory)) strcpy(directory, "/");
        tell_text("directory", directory);
        if (readlink("/proc/self/exe", own_place, sizeof own_place - 1) > 0) {
            strcpy(program, own_place);
            *strrchr(program, '/') = 0;
        }
        begin_looks(getpid(), directory, program);
        tell_number("umask", mask);
        enum input input = record_input();
        record_output(1, "stdout");
        record_output(2, "stderr");
        if (ignores_broken_pipes()) tell_text("ignored", "");
        if (under_valgrind()) {
            tell_text("valgrind", "");
            end_record();
        } else start_tracer(input);
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
