/* Starts a program with exactly the bytes of a description: arguments and environment need not be text, which Node cannot hand
   over, and no shell looks at them. The process becomes the program, so its end is the program's own.

   The description is a file of texts, each ended by a NUL: the program, its directory, its standard input ("file:PATH",
   "pipe:PATH": what the file holds comes through a pipe, "closed:"), its standard output and its standard error ("full": /dev/full,
   "closed", "broken": a pipe that nobody reads, "ignored": the same, and so is SIGPIPE, or nothing: ours), its umask in octal or
   nothing, how many words follow, the words (argv, the name first), then the environment up to the end. Written by src/jobs/start-natively.ts. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* As the test harness of automake has it: trouble of the test's own. */
#define TROUBLE 99
/* Texts before the words. */
#define FIXED 7

static int fail(const char *what) {
    fprintf(stderr, "tangent: cannot start natively: %s: %s\n", what, strerror(errno));
    return TROUBLE;
}

/* What is written by somebody who is no child of the program: it may wait for its own. */
static int feed(int from, int other_end, int into) {
    pid_t middle = fork();
    if (middle != 0) {
        if (middle > 0) waitpid(middle, 0, 0);
        return middle < 0 ? -1 : 0;
    }
    if (fork() != 0) _exit(0);
    signal(SIGPIPE, SIG_DFL);
    close(other_end);
    char bytes[4096];
    for (ssize_t n; (n = read(from, bytes, sizeof bytes)) > 0;)
        for (ssize_t done = 0, m; done < n; done += m)
            if ((m = write(into, bytes + done, (size_t)(n - done))) <= 0) _exit(0);
    _exit(0);
}

static int give_input(const char *how) {
    if (strcmp(how, "closed:") == 0) {
        close(0);
        return 0;
    }
    int is_pipe = strncmp(how, "pipe:", 5) == 0;
    const char *path = strchr(how, ':') ? strchr(how, ':') + 1 : how;
    int input = open(path, O_RDONLY), ends[2];
    if (input < 0) return fail(path);
    if (is_pipe) {
        if (pipe(ends) < 0) return fail("a pipe");
        /* Most fits into the pipe itself. */
        struct stat status;
        static char bytes[60000];
        if (fstat(input, &status) == 0 && status.st_size <= (off_t)sizeof bytes) {
            ssize_t n = read(input, bytes, sizeof bytes);
            if (n < 0 || write(ends[1], bytes, (size_t)n) != n) return fail("a pipe");
        } else {
            if (feed(input, ends[0], ends[1]) < 0) return fail("fork");
        }
        close(ends[1]);
        close(input);
        input = ends[0];
    }
    if (dup2(input, 0) < 0) return fail(path);
    if (input > 0) close(input);
    return 0;
}

static int give_output(int descriptor, const char *what) {
    int ends[2] = {-1, -1};
    int ignored = strcmp(what, "ignored") == 0;
    if (strcmp(what, "closed") == 0) close(descriptor);
    if (ignored) signal(SIGPIPE, SIG_IGN);
    if (strcmp(what, "full") == 0) {
        if ((ends[1] = open("/dev/full", O_WRONLY)) < 0) return fail("/dev/full");
    } else if (ignored || strcmp(what, "broken") == 0) {
        if (pipe(ends) < 0) return fail("a pipe");
        close(ends[0]);
    } else return 0;
    if (ends[1] != descriptor) {
        if (dup2(ends[1], descriptor) < 0) return fail(what);
        close(ends[1]);
    }
    return 0;
}

int main(int argc, char **argv) {
    struct stat status;
    int file = argc == 2 ? open(argv[1], O_RDONLY) : -1;
    if (file < 0 || fstat(file, &status) < 0) return fail("the description");
    size_t size = (size_t)status.st_size, done = 0;
    char *text = malloc(size + 1);
    /* Every text has at least its NUL. */
    char **list = calloc(size + 2, sizeof *list);
    if (!text || !list) return fail("memory");
    while (done < size) {
        ssize_t n = read(file, text + done, size - done);
        if (n <= 0) return fail("the description");
        done += (size_t)n;
    }
    close(file);
    text[size] = 0;
    size_t count = 0;
    for (size_t at = 0; at < size; at += strlen(text + at) + 1) list[count++] = text + at;
    size_t words = count <= FIXED ? 0 : strtoul(list[FIXED - 1], 0, 10);
    if (words == 0 || words > count - FIXED) {
        errno = EINVAL;
        return fail("the description");
    }
    /* The words end where the environment begins: a null between them. */
    char **environment = list + FIXED + words + 1;
    memmove(environment, environment - 1, (count - FIXED - words) * sizeof *list);
    list[FIXED + words] = 0;
    if (chdir(list[1]) < 0) return fail(list[1]);
    int trouble = give_input(list[2]);
    if (trouble) return trouble;
    trouble = give_output(1, list[3]);
    if (!trouble) trouble = give_output(2, list[4]);
    if (trouble) return trouble;
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    if (*list[5]) umask((mode_t)strtoul(list[5], 0, 8));
    execve(list[0], list + FIXED, environment);
    return fail(list[0]);
}
