/* Starts a program with exactly the bytes of a description: arguments and environment need not be text, which Node cannot hand
   over, and no shell looks at them. The process becomes the program, so its end is the program's own.

   The description is a file of texts, each ended by a NUL: the program, its directory, its standard input, how many words
   follow, the words (argv, the name first), then the environment up to the end. Written by src/jobs/start-natively.ts. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* As the test harness of automake has it: trouble of the test's own. */
#define TROUBLE 99

static int fail(const char *what) {
    fprintf(stderr, "tangent: cannot start natively: %s: %s\n", what, strerror(errno));
    return TROUBLE;
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
    size_t words = count < 4 ? 0 : strtoul(list[3], 0, 10);
    if (words == 0 || 4 + words > count) {
        errno = EINVAL;
        return fail("the description");
    }
    /* The words end where the environment begins: a null between them. */
    char **environment = list + 4 + words + 1;
    memmove(environment, environment - 1, (count - 4 - words) * sizeof *list);
    list[4 + words] = 0;
    if (chdir(list[1]) < 0) return fail(list[1]);
    int input = open(list[2], O_RDONLY);
    if (input < 0 || dup2(input, 0) < 0) return fail(list[2]);
    if (input > 0) close(input);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    execve(list[0], list + 4, environment);
    return fail(list[0]);
}
