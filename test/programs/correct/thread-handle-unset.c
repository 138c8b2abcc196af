// A thread is joined only if it was created.
// stdout: 0
#include <pthread.h>
#include <stdio.h>

static pthread_t worker;
static int jobs;

static void *work(void *argument)
{
    jobs--;
    return argument;
}

int main(void)
{
    int started = jobs > 0;
    if (started)
        pthread_create(&worker, NULL, work, NULL);
    if (started)
        pthread_join(worker, NULL);
    printf("%d\n", jobs);
    return 0;
}
