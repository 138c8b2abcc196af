// Threads that are made and joined: arguments, results, locks, errno and thread-local variables of their own, names,
// attributes, keys with destructors, cleanup handlers, exit from within, cancellation.
// stdout: sum 60, results 10 77 30
// stdout: thread-local 9 main, errno 33
// stdout: 0 wrong, prepared 1
// stdout: named 1, equal 0, name worker
// stdout: stack 262144, detached 1
// stdout: destructor key of 4
// stdout: cleanup 2 then 1
// stdout: cancelled 1, cleanup cancelled
// stdout: join of itself 1
// stdout: depth 3
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Thread_local int own = 5;
static __thread char title[20] = "fresh";
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int sum, wrong, prepared;

static void prepare(void)
{
    prepared++;
}

static void *add(void *argument)
{
    int n = *(int *)argument;
    if (own != 5 || strcmp(title, "fresh") != 0 || errno != 0) wrong++;
    own = n;
    errno = n;
    strcpy(title, "changed");
    pthread_once(&once, prepare);
    pthread_mutex_lock(&lock);
    sum += own;
    pthread_mutex_unlock(&lock);
    if (n == 20) pthread_exit((void *)77L);
    return (void *)(long)own;
}

static void *same(void *argument)
{
    return (void *)(long)pthread_equal(pthread_self(), *(pthread_t *)argument);
}

static void *is_named(void *argument)
{
    char name[16];
    pthread_mutex_lock(&lock);
    pthread_getname_np(pthread_self(), name, sizeof name);
    pthread_mutex_unlock(&lock);
    return (void *)(long)(strcmp(name, argument) == 0);
}

static pthread_key_t key;
static char *left;

static void destroy(void *value)
{
    asprintf(&left, "key of %s", (char *)value);
}

static void *with_key(void *argument)
{
    pthread_setspecific(key, argument);
    return pthread_getspecific(key);
}

static char order[100];

static void note(void *text)
{
    strcat(order, text);
}

static void *with_cleanup(void *argument)
{
    pthread_cleanup_push(note, " then 1");
    pthread_cleanup_push(note, "cleanup 2");
    if (argument) pthread_exit(argument);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return 0;
}

static void *sleeps(void *argument)
{
    pthread_cleanup_push(note, "cleanup cancelled");
    for (;;) sleep(1000);
    pthread_cleanup_pop(1);
    return argument;
}

static void *deeper(void *argument)
{
    long depth = (long)argument;
    if (depth == 3) return argument;
    pthread_t next;
    void *result;
    pthread_create(&next, NULL, deeper, (void *)(depth + 1));
    pthread_join(next, &result);
    return result;
}

int main(void)
{
    pthread_t thread[3], one, self = pthread_self();
    int numbers[3] = {10, 20, 30};
    void *result[3];
    own = 9;
    strcpy(title, "main");
    errno = 33;
    for (int n = 0; n < 3; n++) {
        if (pthread_create(&thread[n], NULL, add, &numbers[n]) != 0) abort();
    }
    for (int n = 0; n < 3; n++) pthread_join(thread[n], &result[n]);
    printf("sum %d, results %ld %ld %ld\n", sum, (long)result[0], (long)result[1], (long)result[2]);
    printf("thread-local %d %s, errno %d\n", own, title, errno);
    printf("%d wrong, prepared %d\n", wrong, prepared);

    void *named, *equal;
    char name[16] = "";
    pthread_mutex_lock(&lock);
    pthread_create(&one, NULL, is_named, "worker");
    pthread_setname_np(one, "worker");
    pthread_getname_np(one, name, sizeof name);
    pthread_mutex_unlock(&lock);
    pthread_join(one, &named);
    pthread_create(&one, NULL, same, &self);
    pthread_join(one, &equal);
    printf("named %ld, equal %ld, name %s\n", (long)named, (long)equal, name);

    pthread_attr_t attributes;
    size_t stack;
    int state;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 262144);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_getstacksize(&attributes, &stack);
    pthread_attr_getdetachstate(&attributes, &state);
    printf("stack %zu, detached %d\n", stack, state == PTHREAD_CREATE_DETACHED);
    pthread_attr_destroy(&attributes);

    pthread_key_create(&key, destroy);
    pthread_create(&one, NULL, with_key, "4");
    pthread_join(one, NULL);
    printf("destructor %s\n", left);
    free(left);
    pthread_key_delete(key);

    pthread_create(&one, NULL, with_cleanup, "");
    pthread_join(one, NULL);
    printf("%s\n", order);
    order[0] = '\0';

    pthread_create(&one, NULL, sleeps, NULL);
    pthread_cancel(one);
    pthread_join(one, result);
    printf("cancelled %d, %s\n", result[0] == PTHREAD_CANCELED, order);

    printf("join of itself %d\n", pthread_join(self, NULL) == EDEADLK);

    pthread_create(&one, NULL, deeper, (void *)1);
    pthread_join(one, result);
    printf("depth %ld\n", (long)result[0]);
    return 0;
}
