/* Threads as only glibc has them: initialisers of other kinds of mutexes, waits by any clock, whether there are threads. */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/single_threaded.h>
#include <time.h>

static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void note(void *text)
{
    puts(text);
}

static void *worker(void *argument)
{
    pthread_cleanup_push(note, "outer");
    pthread_cleanup_push(note, "inner");
    pthread_testcancel();
    pthread_cleanup_pop(1);
    if (argument) pthread_exit(argument);
    pthread_cleanup_pop(0);
    return NULL;
}

int main(void)
{
    int first = pthread_mutex_lock(&recursive);
    printf("recursive %d %d\n", first, pthread_mutex_lock(&recursive));
    first = pthread_mutex_lock(&checking);
    printf("checking %d %d\n", first, pthread_mutex_lock(&checking));
    struct timespec past;
    clock_gettime(CLOCK_MONOTONIC, &past);
    past.tv_sec--;
    pthread_mutex_lock(&plain);
    printf("condition %d\n", pthread_cond_clockwait(&changed, &plain, CLOCK_MONOTONIC, &past));
    printf("mutex %d\n", pthread_mutex_clocklock(&plain, CLOCK_MONOTONIC, &past));
    sem_t semaphore;
    sem_init(&semaphore, 0, 0);
    printf("semaphore %d\n", sem_clockwait(&semaphore, CLOCK_MONOTONIC, &past));
    printf("single %d\n", __libc_single_threaded);
    for (int n = 0; n < 2; n++) {
        pthread_t thread;
        void *result;
        pthread_create(&thread, NULL, worker, n == 0 ? NULL : "ended early");
        pthread_join(thread, &result);
        printf("%s\n", result ? (char *)result : "ended");
    }
    printf("single %d\n", __libc_single_threaded);
    return 0;
}
