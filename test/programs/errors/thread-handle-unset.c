// A thread is joined that was never created: there was nothing for it to do.
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
    if (jobs > 0)
        pthread_create(&worker, NULL, work, NULL);
    pthread_join(worker, NULL); // expect: null-dereference read
    printf("%d\n", jobs);
    return 0;
}
