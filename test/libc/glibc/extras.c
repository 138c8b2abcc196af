/* What only glibc has: stacks of objects, stable sorting, its random numbers, streams with functions of one's own. */
#define _GNU_SOURCE
#include <argz.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <langinfo.h>
#include <libgen.h>
#include <malloc.h>
#include <obstack.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define obstack_chunk_alloc malloc
#define obstack_chunk_free free

struct pair {
    int key, order;
};
static int by_key(const void *a, const void *b) {
    return ((const struct pair *)a)->key - ((const struct pair *)b)->key;
}
static int by_key_with(const void *a, const void *b, void *argument) {
    ++*(int *)argument;
    return by_key(b, a);
}

static ssize_t cookie_write(void *cookie, const char *text, size_t size) {
    printf("<%s:%.*s>", (char *)cookie, (int)size, text);
    return (ssize_t)size;
}

static int visit(const char *path, const struct stat *s, int kind, struct FTW *place) {
    printf("%d %d\n", kind, place->level);
    return 0;
}

/* What gnulib's tests ask of a libc. */
static void asked_by_gnulib(void) {
    posix_spawn_file_actions_t actions;
    unsigned short word = 0;
    puts(realpath("//.", NULL));
    puts(canonicalize_file_name("//"));
    posix_spawn_file_actions_init(&actions);
    printf("%d", posix_spawn_file_actions_addclose(&actions, -5));
    printf(" %d", posix_spawn_file_actions_addopen(&actions, 1 << 30, "x", O_RDONLY, 0));
    printf(" %d", posix_spawn_file_actions_adddup2(&actions, 1, -1));
    printf(" %d\n", posix_spawn_file_actions_adddup2(&actions, 1, 2));
    posix_spawn_file_actions_destroy(&actions);
    for (int category = 7; category < 13; category++) puts(nl_langinfo((category << 16) | 0xffff));
    __asm__ __volatile__("fnstcw %0" : "=m"(word));
    printf("%x\n", word);
    __asm__ __volatile__("fldcw %0" : : "m"(word));
}

int main(void) {
    asked_by_gnulib();
    struct obstack stack;
    obstack_init(&stack);
    char *first = obstack_copy0(&stack, "first", 5);
    for (int k = 0; k < 2000; k++) obstack_grow(&stack, "xyz", 3);
    obstack_1grow(&stack, 0);
    char *large = obstack_finish(&stack);
    obstack_printf(&stack, "%s-%d", "made", 3);
    obstack_1grow(&stack, 0);
    char *made = obstack_finish(&stack);
    printf("%s %zu %s\n", first, strlen(large), made);
    obstack_free(&stack, large);
    char *again = obstack_copy0(&stack, "again", 5);
    printf("%d %s\n", again == large, again);
    obstack_free(&stack, 0);

    struct pair pairs[300];
    int calls = 0;
    for (int k = 0; k < 300; k++) pairs[k] = (struct pair){k * 7 % 5, k};
    qsort(pairs, 300, sizeof *pairs, by_key);
    for (int k = 0; k < 300; k += 17) printf("%d:%d ", pairs[k].key, pairs[k].order);
    qsort_r(pairs, 300, sizeof *pairs, by_key_with, &calls);
    printf("%d %d %d\n", calls, pairs[0].key, pairs[0].order);

    for (int k = 0; k < 40; k++) printf("%d ", rand());
    srand(42);
    printf("%d\n", rand());
    srandom(7);
    for (int k = 0; k < 40; k++) printf("%ld ", random());
    unsigned seed = 3;
    printf("%d\n", rand_r(&seed));
    char state[64], *old = initstate(5, state, sizeof state);
    for (int k = 0; k < 40; k++) printf("%ld ", random());
    setstate(old);
    printf("%ld\n", random());
    struct random_data data = {0};
    int32_t number;
    char other[128];
    initstate_r(9, other, sizeof other, &data);
    random_r(&data, &number);
    printf("%d\n", number);

    printf("%s %s\n", basename("a/b/c.txt"), (char *)rawmemchr("find x", 'x'));
    char *argz;
    size_t length;
    argz_create_sep("a:b:c", ':', &argz, &length);
    printf("%zu %zu %s\n", argz_count(argz, length), length, argz_next(argz, length, argz));
    argz_stringify(argz, length, ',');
    printf("%s\n", argz);
    free(argz);

    cookie_io_functions_t functions = {.write = cookie_write};
    FILE *f = fopencookie("cookie", "w", functions);
    fputs("through a cookie", f);
    fclose(f);
    putchar('\n');

    char folder[] = "/tmp/tangent-glibc-XXXXXX", path[60];
    mkdtemp(folder);
    snprintf(path, sizeof path, "%s/sub", folder);
    mkdir(path, 0700);
    nftw(folder, visit, 5, FTW_PHYS | FTW_DEPTH);
    char *real = canonicalize_file_name(path);
    printf("%d\n", strcmp(real, path));
    free(real);
    rmdir(path);
    rmdir(folder);
    errno = 0;
    printf("%g", strtod("4.9e-324", 0));
    printf(" %d\n", errno == ERANGE);
    char *told;
    size_t told_size;
    FILE *usual = stdout;
    fflush(stdout);
    stdout = open_memstream(&told, &told_size);
    printf("%d ", 1);
    puts("elsewhere");
    putchar('x');
    fclose(stdout);
    stdout = usual;
    printf("[%s]\n", told);
    free(told);
    printf("%d %s\n", rpmatch("yes"), secure_getenv("NOT_THERE") ? "there" : "absent");
    return 0;
}
