// Two bits of input on a way that leaves the program's own code and memory, by name; each way gives a number that depends on
// them. What comes back is told in ones and zeros, a branch each (test/end-to-end/feasible-paths.test.ts).
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;
static volatile int kept;

static int by_pipe(int x)
{
    int ends[2], back = 0;
    pipe(ends);
    write(ends[1], &x, sizeof x);
    read(ends[0], &back, sizeof back);
    return back;
}

static int by_writev(int x)
{
    int ends[2];
    char back[8] = { 0 }, first = 'a', second = (char)x;
    struct iovec out[2] = { { &first, 1 }, { &second, 1 } }, in[2] = { { back, 1 }, { back + 4, 4 } };
    pipe(ends);
    writev(ends[1], out, 2);
    readv(ends[0], in, 2);
    return back[4];
}

static int by_named_pipe(int x)
{
    int back = 0;
    mkfifo("fifo", 0600);
    int end = open("fifo", O_RDWR);
    write(end, &x, sizeof x);
    read(end, &back, sizeof back);
    return back;
}

static int by_socketpair(int x)
{
    int ends[2], back = 0;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return 9;
    write(ends[1], &x, sizeof x);
    read(ends[0], &back, sizeof back);
    return back;
}

static int by_file(int x)
{
    int back = 0, file = open("f", O_RDWR | O_CREAT | O_TRUNC, 0644);
    write(file, &x, sizeof x);
    pread(file, &back, sizeof back, 0);
    return back;
}

static int by_renamed_file(int x)
{
    int back = 0, file = open("f", O_RDWR | O_CREAT | O_TRUNC, 0644);
    write(file, &x, sizeof x);
    close(file);
    rename("f", "g");
    file = open("g", O_RDONLY);
    read(file, &back, sizeof back);
    return back;
}

static int by_standard_stream(int x)
{
    int back = -1;
    FILE *file = tmpfile();
    if (file == NULL) return 9;
    fprintf(file, "%d\n", x);
    rewind(file);
    fscanf(file, "%d", &back);
    return back;
}

static int by_file_name(int x)
{
    char name[8] = "way-a";
    name[4] = (char)('a' + x);
    int file = open(name, O_RDWR | O_CREAT, 0644);
    write(file, "abcd", x);
    close(file);
    struct stat status = { 0 };
    stat("way-c", &status);
    return (int)status.st_size + 4 * access("way-b", F_OK);
}

static int by_link(int x)
{
    char target[8] = "way-a", back[8] = { 0 };
    target[4] = (char)('a' + x);
    symlink(target, "to");
    readlink("to", back, sizeof back - 1);
    return back[4];
}

static int by_size(int x)
{
    struct stat status = { 0 };
    int file = open("f", O_RDWR | O_CREAT | O_TRUNC, 0644);
    ftruncate(file, x);
    fstat(file, &status);
    return (int)status.st_size;
}

static int by_seek(int x)
{
    int file = open("f", O_RDWR | O_CREAT | O_TRUNC, 0644);
    lseek(file, x, SEEK_SET);
    return (int)lseek(file, 0, SEEK_CUR);
}

static int by_mapped_file(int x)
{
    int back = 0, file = open("f", O_RDWR | O_CREAT | O_TRUNC, 0644);
    ftruncate(file, 4096);
    int *mapped = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    mapped[3] = x;
    msync(mapped, 4096, MS_SYNC);
    pread(file, &back, sizeof back, 12);
    return back;
}

static int by_unmapped_file(int x)
{
    int back = 0, file = open("f", O_RDWR | O_CREAT | O_TRUNC, 0644);
    ftruncate(file, 4096);
    int *mapped = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    mapped[3] = x;
    munmap(mapped, 4096);
    pread(file, &back, sizeof back, 12);
    return back;
}

static int by_shared_memory(int x)
{
    int file = shm_open("/way", O_RDWR | O_CREAT, 0600), back = 0;
    ftruncate(file, 4096);
    int *mapped = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    *mapped = x;
    munmap(mapped, 4096);
    mapped = mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
    back = *mapped;
    return back;
}

static int by_moved_mapping(int x)
{
    int *mapped = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mapped[5] = x;
    mapped = mremap(mapped, 4096, 8192, MREMAP_MAYMOVE);
    return mapped == MAP_FAILED ? 9 : mapped[5];
}

static int by_heap(int x)
{
    int *moved = malloc(8);
    moved[1] = x;
    moved = realloc(moved, 100000);
    return moved[1];
}

static int by_fork(int x)
{
    int status = 0;
    if (fork() == 0) _exit(x == 2 ? 1 : 0);
    wait(&status);
    return WEXITSTATUS(status);
}

static int by_fork_and_pipe(int x)
{
    int ends[2], back = 0;
    pipe(ends);
    if (fork() == 0) {
        write(ends[1], &x, sizeof x);
        _exit(0);
    }
    wait(NULL);
    read(ends[0], &back, sizeof back);
    return back;
}

static int by_system(int x)
{
    char command[16];
    snprintf(command, sizeof command, "exit %d", x);
    return WEXITSTATUS(system(command));
}

static int by_popen(int x)
{
    char command[16];
    int back = 9;
    snprintf(command, sizeof command, "echo %d", x);
    FILE *file = popen(command, "r");
    if (file == NULL) return 8;
    fscanf(file, "%d", &back);
    pclose(file);
    return back;
}

static int by_spawn(int x)
{
    char *words[] = { "false", NULL };
    pid_t child = 0;
    int status = 0;
    if (posix_spawn(&child, x == 1 ? "/bin/true" : "/bin/false", NULL, NULL, words, environ) != 0) return 9;
    waitpid(child, &status, 0);
    return WEXITSTATUS(status);
}

static int by_exec(int x)
{
    char word[8] = "a";
    word[0] = (char)('a' + x);
    char *words[] = { "true", word, NULL };
    execv("/bin/true", words);
    return x;
}

static void *thread(void *given)
{
    *(int *)given += 1;
    return given;
}

static int by_thread(int x)
{
    pthread_t other;
    pthread_create(&other, NULL, thread, &x);
    pthread_join(other, NULL);
    return x;
}

static void handle(int signal) { kept = signal == SIGUSR1 ? 1 : 2; }
static void handle_with_value(int signal, siginfo_t *information, void *context)
{
    kept = information->si_value.sival_int + (signal != 0) + (context != NULL);
}

static int by_raised(int x)
{
    signal(SIGUSR1, handle);
    signal(SIGUSR2, handle);
    raise(x == 1 ? SIGUSR1 : SIGUSR2);
    return kept;
}

static int by_signal_value(int x)
{
    struct sigaction action = { .sa_sigaction = handle_with_value, .sa_flags = SA_SIGINFO };
    sigaction(SIGUSR1, &action, NULL);
    sigqueue(getpid(), SIGUSR1, (union sigval){ .sival_int = x });
    return kept;
}

static int by_mask(int x)
{
    sigset_t mask, back;
    sigemptyset(&mask);
    sigaddset(&mask, x + 10);
    sigprocmask(SIG_SETMASK, &mask, NULL);
    sigprocmask(SIG_BLOCK, NULL, &back);
    return sigismember(&back, 12);
}

static int deep(int n, int x) { return n == 0 ? x : deep(n - 1, x) + (kept < 0 ? n * deep(n / 2, x) : 0); }

static int by_interrupted_recursion(int x)
{
    signal(SIGALRM, handle);
    struct itimerval often = { { 0, 1 }, { 0, 1 } };
    setitimer(ITIMER_REAL, &often, NULL);
    int sum = 0;
    for (int n = 0; n < 400; n++) sum = deep(200, x);
    return sum;
}

static int by_alarm(int x)
{
    alarm((unsigned)x + 5);
    return (int)alarm(0);
}

static int by_sleep(int x)
{
    struct timespec wanted = { x, 0 }, before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    nanosleep(&wanted, NULL);
    clock_gettime(CLOCK_MONOTONIC, &after);
    return (int)(after.tv_sec - before.tv_sec);
}

static jmp_buf place;

static int by_longjmp(int x)
{
    int back = setjmp(place);
    if (back == 0) longjmp(place, x + 1);
    return back;
}

static int by_environment(int x)
{
    char value[8];
    snprintf(value, sizeof value, "%d", x);
    setenv("WAY", value, 1);
    return atoi(getenv("WAY"));
}

static int by_umask(int x)
{
    umask((mode_t)x);
    return (int)umask(0);
}

static int by_flags(int x)
{
    int ends[2];
    pipe(ends);
    fcntl(ends[0], F_SETFL, x == 2 ? O_NONBLOCK : 0);
    return fcntl(ends[0], F_GETFL) & O_NONBLOCK;
}

static int by_ioctl(int x)
{
    int ends[2], other = x & 1;
    pipe(ends);
    ioctl(ends[0], FIONBIO, &other);
    return fcntl(ends[0], F_GETFL) & O_NONBLOCK;
}

static int by_pending(int x)
{
    int ends[2], back = 0;
    pipe(ends);
    write(ends[1], "abc", (size_t)x);
    ioctl(ends[0], FIONREAD, &back);
    return back;
}

static int by_window(int x)
{
    struct winsize window = { (unsigned short)x, 3, 0, 0 }, back = { 0 };
    ioctl(0, TIOCSWINSZ, &window);
    return ioctl(0, TIOCGWINSZ, &back) == 0 ? back.ws_row : 9;
}

static int by_directory(int x)
{
    char name[8] = "d-a", back[256] = { 0 };
    name[2] = (char)('a' + x);
    mkdir(name, 0700);
    chdir(name);
    getcwd(back, sizeof back);
    return back[strlen(back) - 1];
}

static int by_times(int x)
{
    struct timespec times[2] = { { x, 0 }, { x + 5, 0 } };
    struct stat status = { 0 };
    close(open("f", O_RDWR | O_CREAT, 0644));
    utimensat(AT_FDCWD, "f", times, 0);
    stat("f", &status);
    return (int)status.st_mtime;
}

static int second(int a, int b) { return a * 4 + b; }
static int by_other_type(int x)
{
    int (*volatile call)() = (int (*)())second;
    long (*volatile as_long)(long, int, int) = (long (*)(long, int, int))call;
    return (int)as_long(x, x, 1) + call(x, 1);
}

static int add(int count, ...)
{
    va_list list;
    va_start(list, count);
    int sum = 0;
    while (count-- > 0) sum += va_arg(list, int);
    va_end(list);
    return sum;
}
static int by_variadic_of_other_type(int x)
{
    int (*volatile call)(int, int, int) = (int (*)(int, int, int))(void *)add;
    return call(2, x, 1);
}

static int by_atomic(int x)
{
    static int word;
    __atomic_store_n(&word, x, __ATOMIC_SEQ_CST);
    __atomic_fetch_add(&word, x, __ATOMIC_SEQ_CST);
    int expected = 4;
    __atomic_compare_exchange_n(&word, &expected, 77, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return word;
}

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int by_sorting(int x)
{
    int list[3] = { 1, x, 2 };
    qsort(list, 3, sizeof *list, compare);
    return list[1] * 4 + list[2];
}

static int by_long_double(int x)
{
    long double value = x;
    value = value * 3.0L / 2.0L;
    return (int)value;
}

static int by_format(int x)
{
    char text[16];
    return snprintf(text, sizeof text, "%*d", x + 1, 3) * 16 + text[x];
}

static int by_command_line(int x)
{
    char text[256] = { 0 };
    int file = open("/proc/self/cmdline", O_RDONLY);
    int size = (int)read(file, text, sizeof text - 1);
    return size > 2 ? text[size - 2] : x;
}

static int by_limit(int x)
{
    struct rlimit limit = { (rlim_t)x + 10, 100 };
    setrlimit(RLIMIT_NOFILE, &limit);
    getrlimit(RLIMIT_NOFILE, &limit);
    return (int)limit.rlim_cur;
}

static int by_priority(int x)
{
    prctl(PR_SET_NAME, x == 1 ? "one" : "other");
    char name[16] = { 0 };
    prctl(PR_GET_NAME, name);
    return name[1];
}

static int at_exit_value;
static void leave(void) { if (at_exit_value == 2) write(1, "two\n", 4); }
static int by_exit(int x)
{
    at_exit_value = x;
    atexit(leave);
    exit(0);
}

static int by_message(int x)
{
    struct { long type; char text[8]; } given = { 1, { (char)x } }, back = { 0 };
    int queue = msgget(IPC_PRIVATE, 0600 | IPC_CREAT);
    if (queue < 0) return 9;
    msgsnd(queue, &given, sizeof given.text, 0);
    msgrcv(queue, &back, sizeof back.text, 0, 0);
    return back.text[0];
}

static int by_segment(int x)
{
    int segment = shmget(IPC_PRIVATE, 4096, 0600 | IPC_CREAT);
    if (segment < 0) return 9;
    int *one = shmat(segment, NULL, 0);
    one[2] = x;
    shmdt(one);
    int *other = shmat(segment, NULL, 0);
    return other[2];
}

static int by_semaphore(int x)
{
    int set = semget(IPC_PRIVATE, 2, 0600 | IPC_CREAT);
    if (set < 0) return 9;
    union { int value; unsigned short *list; } all;
    unsigned short values[2] = { (unsigned short)x, 1 };
    all.list = values;
    semctl(set, 0, SETALL, all);
    struct sembuf more = { 1, (short)x, 0 };
    semop(set, &more, 1);
    return semctl(set, 0, GETVAL) * 8 + semctl(set, 1, GETVAL);
}

static int by_lock(int x)
{
    int file = open("f", O_RDWR | O_CREAT | O_TRUNC, 0644);
    struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = x, .l_len = 1 };
    int set = fcntl(file, F_SETLK, &lock);
    fcntl(file, F_GETLK, &lock);
    return set * 16 + lock.l_type * 8 + (int)lock.l_start;
}

/* The file "in" is input, too: what becomes of it. */
static int read_in(const char *name)
{
    char text[8] = { 0 };
    int file = open(name, O_RDONLY);
    int size = (int)read(file, text, sizeof text);
    return size * 4 + (text[0] & 3) + (text[1] == 'b') * 64;
}
static int of_file(int x) { return read_in("in") + 0 * x; }
static int of_renamed(int x) { return rename("in", "out") + read_in("out") + 0 * x; }
static int of_link(int x) { return link("in", "out") + read_in("out") + 0 * x; }
static int of_symbolic_link(int x) { return symlink("in", "out") + read_in("out") + 0 * x; }
static int of_cut_and_grown(int x) { return truncate("in", 1) + truncate("in", 2) + read_in("in") + 0 * x; }
static int of_replaced(int x)
{
    int file = open("other", O_RDWR | O_CREAT, 0644);
    write(file, "xy", 2);
    close(file);
    return rename("other", "in") + read_in("in") + 0 * x;
}
static int of_overwritten(int x)
{
    int file = open("in", O_RDWR);
    char text[4] = { 0 };
    read(file, text, 1);
    pwrite(file, text, 1, 1);
    close(file);
    return read_in("in") + 0 * x;
}
static int of_overwritten_link(int x)
{
    link("in", "out");
    int file = open("out", O_RDWR);
    pwrite(file, "z", 1, 0);
    close(file);
    return read_in("in") + 0 * x;
}
static int of_removed(int x)
{
    unlink("in");
    close(open("in", O_RDWR | O_CREAT, 0644));
    truncate("in", 2);
    return read_in("in") + 0 * x;
}
static int of_mapped(int x)
{
    int file = open("in", O_RDWR);
    char *mapped = mmap(NULL, 2, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    mapped[1] = mapped[0];
    munmap(mapped, 2);
    return read_in("in") + 0 * x;
}
static int of_stream_of_descriptor(int x)
{
    char name[32], text[4] = { 0 };
    snprintf(name, sizeof name, "/proc/self/fd/%d", open("in", O_RDONLY));
    int file = open(name, O_RDONLY);
    return (int)read(file, text, 2) + text[0] + 0 * x;
}

#define WAY(name) { #name, name }
static const struct { const char *name; int (*way)(int); } ways[] = {
    WAY(by_pipe), WAY(by_writev), WAY(by_named_pipe), WAY(by_socketpair), WAY(by_file), WAY(by_renamed_file),
    WAY(by_standard_stream), WAY(by_file_name), WAY(by_link), WAY(by_size), WAY(by_seek), WAY(by_mapped_file),
    WAY(by_unmapped_file), WAY(by_shared_memory), WAY(by_moved_mapping), WAY(by_heap), WAY(by_fork),
    WAY(by_fork_and_pipe), WAY(by_system), WAY(by_popen), WAY(by_spawn), WAY(by_exec), WAY(by_thread), WAY(by_raised),
    WAY(by_signal_value), WAY(by_mask), WAY(by_interrupted_recursion), WAY(by_alarm), WAY(by_sleep), WAY(by_longjmp),
    WAY(by_environment), WAY(by_umask), WAY(by_flags), WAY(by_ioctl), WAY(by_pending), WAY(by_window),
    WAY(by_directory), WAY(by_times), WAY(by_other_type), WAY(by_variadic_of_other_type), WAY(by_atomic),
    WAY(by_sorting), WAY(by_long_double), WAY(by_format), WAY(by_command_line), WAY(by_limit), WAY(by_priority),
    WAY(by_exit), WAY(by_message), WAY(by_segment), WAY(by_semaphore), WAY(by_lock), WAY(of_file), WAY(of_renamed), WAY(of_link), WAY(of_symbolic_link), WAY(of_cut_and_grown),
    WAY(of_replaced), WAY(of_overwritten), WAY(of_overwritten_link), WAY(of_removed), WAY(of_mapped),
    WAY(of_stream_of_descriptor),
};

static char told[40];
static int length;
__attribute__((noinline)) static void zero(void) { told[length++] = '0'; }
__attribute__((noinline)) static void one(void) { told[length++] = '1'; }

int main(int argc, char **argv)
{
    if (argc < 2) {
        for (size_t n = 0; n < sizeof ways / sizeof *ways; n++) printf("%s\n", ways[n].name);
        return 0;
    }
    unsigned char in = 0;
    if (read(0, &in, 1) != 1) return 9;
    int result = -1;
    for (size_t n = 0; n < sizeof ways / sizeof *ways; n++)
        if (strcmp(argv[1], ways[n].name) == 0) result = ways[n].way(in & 3);
    for (int bit = 0; bit < 20; bit++)
        if ((unsigned)result >> bit & 1)
            one();
        else
            zero();
    write(1, told, length);
    _exit(0);
}
