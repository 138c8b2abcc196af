// C11's threads: results, locks, conditions, storage with destructors, exit from within, call_once.
// stdout: results 11 22
// stdout: signalled 5
// stdout: timed out 1
// stdout: destroyed 3
// stdout: once 1, equal 1
// stdout: busy 1, recursive 1
#include <stdio.h>
#include <threads.h>
#include <time.h>

static mtx_t lock;
static cnd_t changed;
static int value, destroyed, calls;
static tss_t store;
static once_flag flag = ONCE_FLAG_INIT;
static _Thread_local int own = 1;

static void count(void)
{
    calls++;
}

static int returns(void *argument)
{
    call_once(&flag, count);
    return *(int *)argument + own++;
}

static int exits(void *argument)
{
    call_once(&flag, count);
    thrd_exit(*(int *)argument + 2);
}

static int signals(void *argument)
{
    mtx_lock(&lock);
    value = *(int *)argument;
    cnd_signal(&changed);
    mtx_unlock(&lock);
    return 0;
}

static void destroy(void *address)
{
    destroyed += *(int *)address;
}

static int stores(void *argument)
{
    return tss_set(store, argument);
}

static int tries(void *argument)
{
    (void)argument;
    return mtx_trylock(&lock);
}

int main(void)
{
    thrd_t one, two;
    int a = 10, b = 20, c = 5, d = 3, first, second, busy;
    thrd_create(&one, returns, &a);
    thrd_create(&two, exits, &b);
    thrd_join(one, &first);
    thrd_join(two, &second);
    printf("results %d %d\n", first, second);

    mtx_init(&lock, mtx_plain);
    cnd_init(&changed);
    thrd_create(&one, signals, &c);
    mtx_lock(&lock);
    while (value == 0) cnd_wait(&changed, &lock);
    mtx_unlock(&lock);
    thrd_join(one, NULL);
    printf("signalled %d\n", value);

    struct timespec now;
    timespec_get(&now, TIME_UTC);
    mtx_lock(&lock);
    printf("timed out %d\n", cnd_timedwait(&changed, &lock, &now) == thrd_timedout);
    thrd_create(&one, tries, NULL);
    thrd_join(one, &busy);
    mtx_unlock(&lock);

    tss_create(&store, destroy);
    thrd_create(&one, stores, &d);
    thrd_join(one, NULL);
    printf("destroyed %d\n", destroyed);
    printf("once %d, equal %d\n", calls, thrd_equal(thrd_current(), thrd_current()) != 0);
    mtx_destroy(&lock);
    mtx_init(&lock, mtx_recursive);
    mtx_lock(&lock);
    printf("busy %d, recursive %d\n", busy == thrd_busy, mtx_lock(&lock) == thrd_success);
    return 0;
}
