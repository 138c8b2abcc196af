/* When memory has run out: a slab whose blocks are all dead can serve other sizes, or be part of something large. In normal
   operation slabs keep their class for ever, so malloc and free need not count what is live in them; here they are searched
   through, and all free lists are made anew from what is found. That is slow, hence done only after many frees. */
#include "heap.h"

#define heap __tangent_heap

static int is_live(unsigned slot) {
    unsigned header = BLOCK(slot)->mark == BLOCK_SHIFTED ? slot + BLOCK(slot)->size : slot;
    return BLOCK(header)->mark == BLOCK_LIVE;
}

static int has_live(unsigned slab) {
    unsigned slot = SPAN(slab)->first - HEADER;
    for (unsigned left = SPAN(slab)->carved; left; left--, slot += SPAN(slab)->stride)
        if (is_live(slot)) return 1;
    return 0;
}

static void relist(unsigned slab) {
    unsigned slot = SPAN(slab)->first - HEADER;
    for (unsigned left = SPAN(slab)->carved; left; left--, slot += SPAN(slab)->stride) {
        unsigned class = BLOCK(slot)->home;
        if (is_live(slot)) continue;
        BLOCK(slot)->next = heap.free[class];
        heap.free[class] = slot;
    }
}

/* The slots of a slab that were never used belong to its class, unless the slab goes. */
static void forget(unsigned slab) {
    for (unsigned class = 0; class < CLASSES; class++)
        if (heap.slab[class] == slab) heap.slab[class] = heap.slots[class] = 0;
}

/* Where the walk goes on after a span that is given back: behind the free one it is joined with, if there is one. */
static unsigned after_given(unsigned span, unsigned end) {
    unsigned next = span + (SPAN(span)->pages << PAGE_SHIFT);
    return next < end && SPAN(next)->kind == SPAN_FREE ? next + (SPAN(next)->pages << PAGE_SHIFT) : next;
}

void __tangent_slabs_reclaim(void) {
    for (unsigned class = 0; class < CLASSES; class++) heap.free[class] = 0;
    for (unsigned region = heap.first_region; region; region = REGION(region)->next) {
        unsigned end = region == heap.last_region ? heap.fresh : REGION(region)->end;
        for (unsigned span = region + PAGE_SIZE; span < end;) {
            if (SPAN(span)->kind != SPAN_SLAB || has_live(span)) {
                if (SPAN(span)->kind == SPAN_SLAB) relist(span);
                span += SPAN(span)->pages << PAGE_SHIFT;
            } else {
                unsigned next = after_given(span, end);
                forget(span);
                __tangent_span_give(span);
                span = next;
            }
        }
    }
}
