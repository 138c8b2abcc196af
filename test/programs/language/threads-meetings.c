// Threads that wait for each other where one stack is enough: a queue that is filled before its readers begin, results
// that are waited for, semaphores, read-write locks, barriers, spin locks, waits that time out, a pipe between threads.
// stdout: queue: 100 taken, sum 4950
// stdout: ready 42
// stdout: both woken 2
// stdout: semaphore 0, posted 3
// stdout: written 7
// stdout: barriers: serial 1, met 1
// stdout: timed out 1 1, it took its time 1
// stdout: spun 2
// stdout: through the pipe: hello
// stdout: owner dead 1
// stdout: yielded 1
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int queue[100], filled, taken, sum, closed;

static void *reader(void *argument)
{
    pthread_mutex_lock(&lock);
    for (;;) {
        while (taken == filled && !closed) pthread_cond_wait(&changed, &lock);
        if (taken == filled) break;
        sum += queue[taken++];
    }
    pthread_mutex_unlock(&lock);
    return argument;
}

static void queues(void)
{
    pthread_t readers[3];
    for (int n = 0; n < 3; n++) pthread_create(&readers[n], NULL, reader, NULL);
    for (int n = 0; n < 100; n++) {
        pthread_mutex_lock(&lock);
        queue[filled++] = n;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
    }
    pthread_mutex_lock(&lock);
    closed = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    for (int n = 0; n < 3; n++) pthread_join(readers[n], NULL);
    printf("queue: %d taken, sum %d\n", taken, sum);
}

static int ready;

static void *makes_ready(void *argument)
{
    pthread_mutex_lock(&lock);
    ready = 42;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return argument;
}

static int woken;

static void *waits_too(void *argument)
{
    pthread_mutex_lock(&lock);
    while (ready != 43) pthread_cond_wait(&changed, &lock);
    woken++;
    pthread_mutex_unlock(&lock);
    return argument;
}

static void *wakes_all(void *argument)
{
    pthread_mutex_lock(&lock);
    ready = 43;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return argument;
}

static void conditions(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, makes_ready, NULL);
    pthread_mutex_lock(&lock);
    while (ready != 42) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    pthread_join(one, NULL);
    printf("ready %d\n", ready);
    pthread_create(&one, NULL, waits_too, NULL);
    pthread_create(&two, NULL, wakes_all, NULL);
    waits_too(NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    printf("both woken %d\n", woken);
}

static sem_t items;
static int posted;

static void *posts(void *argument)
{
    for (; posted < 3; posted++) sem_post(&items);
    return argument;
}

static void semaphores(void)
{
    pthread_t one;
    int value;
    sem_init(&items, 0, 0);
    pthread_create(&one, NULL, posts, NULL);
    for (int n = 0; n < 3; n++) sem_wait(&items);
    pthread_join(one, NULL);
    sem_getvalue(&items, &value);
    printf("semaphore %d, posted %d\n", value, posted);
    sem_destroy(&items);
}

static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static int written;

static void *writes(void *argument)
{
    pthread_rwlock_wrlock(&shared);
    written = 7;
    pthread_rwlock_unlock(&shared);
    return argument;
}

static void read_write_locks(void)
{
    pthread_t one;
    pthread_create(&one, NULL, writes, NULL);
    pthread_rwlock_rdlock(&shared);
    pthread_rwlock_unlock(&shared);
    pthread_join(one, NULL);
    pthread_rwlock_rdlock(&shared);
    printf("written %d\n", written);
    pthread_rwlock_unlock(&shared);
}

static pthread_barrier_t alone, together;
static atomic_int serials, met;

static void *meets(void *argument)
{
    serials += pthread_barrier_wait(&together) == PTHREAD_BARRIER_SERIAL_THREAD;
    return argument;
}

static void barriers(void)
{
    pthread_t one, two;
    pthread_barrier_init(&alone, NULL, 1);
    pthread_barrier_init(&together, NULL, 3);
    met = pthread_barrier_wait(&alone) == PTHREAD_BARRIER_SERIAL_THREAD;
    pthread_create(&one, NULL, meets, NULL);
    pthread_create(&two, NULL, meets, NULL);
    meets(NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    printf("barriers: serial %d, met %d\n", serials, met);
    pthread_barrier_destroy(&alone);
    pthread_barrier_destroy(&together);
}

static void times(void)
{
    struct timespec before, end, after;
    clock_gettime(CLOCK_REALTIME, &before);
    end = before;
    end.tv_sec += end.tv_nsec / 950000000;
    end.tv_nsec = (end.tv_nsec + 50000000) % 1000000000;
    pthread_mutex_lock(&lock);
    int waited = pthread_cond_timedwait(&changed, &lock, &end);
    pthread_mutex_unlock(&lock);
    sem_init(&items, 0, 0);
    int semaphore = sem_timedwait(&items, &end);
    clock_gettime(CLOCK_REALTIME, &after);
    long passed = (after.tv_sec - before.tv_sec) * 1000 + (after.tv_nsec - before.tv_nsec) / 1000000;
    printf("timed out %d %d, it took its time %d\n", waited == ETIMEDOUT, semaphore == -1 && errno == ETIMEDOUT,
           passed >= 49);
}

static pthread_spinlock_t spin;
static int spun;

static void *spins(void *argument)
{
    pthread_spin_lock(&spin);
    spun++;
    pthread_spin_unlock(&spin);
    return argument;
}

static void spin_locks(void)
{
    pthread_t one;
    pthread_spin_init(&spin, 0);
    pthread_create(&one, NULL, spins, NULL);
    spins(NULL);
    pthread_join(one, NULL);
    printf("spun %d\n", spun);
}

static int ends[2];

static void *sends(void *argument)
{
    return (void *)(long)write(ends[1], argument, strlen(argument) + 1);
}

static void pipes(void)
{
    pthread_t one;
    char text[20] = "";
    if (pipe(ends) != 0) return;
    pthread_create(&one, NULL, sends, "hello");
    if (read(ends[0], text, sizeof text) < 0) return;
    pthread_join(one, NULL);
    printf("through the pipe: %s\n", text);
}

static pthread_mutex_t robust;

static void *dies_with_it(void *argument)
{
    pthread_mutex_lock(&robust);
    return argument;
}

static void robust_mutexes(void)
{
    pthread_t one;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&robust, &attributes);
    pthread_create(&one, NULL, dies_with_it, NULL);
    pthread_join(one, NULL);
    printf("owner dead %d\n", pthread_mutex_lock(&robust) == EOWNERDEAD);
}

static atomic_int seen;

static void *shows(void *argument)
{
    seen = 1;
    return argument;
}

static void yields(void)
{
    pthread_t one;
    pthread_create(&one, NULL, shows, NULL);
    while (!seen) sched_yield();
    pthread_detach(one);
    printf("yielded %d\n", seen);
}

int main(void)
{
    queues();
    conditions();
    semaphores();
    read_write_locks();
    barriers();
    times();
    spin_locks();
    pipes();
    robust_mutexes();
    yields();
    return 0;
}
