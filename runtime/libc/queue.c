/* The doubly linked queues of search.h. */
#define _XOPEN_SOURCE 700
#include <search.h>

struct link {
    struct link *next;
    struct link *previous;
};

void insque(void *element, void *predecessor) {
    struct link *e = element, *p = predecessor;
    if (!p) {
        e->next = e->previous = 0;
        return;
    }
    e->next = p->next;
    e->previous = p;
    p->next = e;
    if (e->next) e->next->previous = e;
}

void remque(void *element) {
    struct link *e = element;
    if (e->next) e->next->previous = e->previous;
    if (e->previous) e->previous->next = e->next;
}
