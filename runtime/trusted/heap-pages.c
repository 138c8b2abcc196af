/* The page heap: spans of pages cut from regions, joined again with their free neighbours when they come back. Free spans
   hang in bins by the logarithm of their length; a bitmap finds the next bin that has one. A bump allocator with exact
   size lists would be shorter, but a buffer that grows step by step would then leave every length it ever had behind.
   Invariant: two free spans are never neighbours, and fresh pages (zero, never handed out) are in no span. */
#include "heap.h"

struct heap __tangent_heap;
#define heap __tangent_heap

/* What is asked from the host at once: small enough for small programs, which are run thousands of times and have all of it cleared each
   time; an eighth of the heap for large ones. */
#define SMALLEST_REGION 0x20000u
#define HOST_UNIT 0x10000u
/* Spans looked at in the one bin whose members may be too short. */
#define SEARCH_LIMIT 16

static inline unsigned bin_of(unsigned pages) {
    return 31 - (unsigned)__builtin_clz(pages);
}

static inline unsigned end_of(unsigned span) {
    return span + (SPAN(span)->pages << PAGE_SHIFT);
}

/* The span after this one, or 0. */
static inline unsigned after(unsigned span) {
    unsigned end = end_of(span);
    return SPAN(span)->last || end == heap.fresh ? 0 : end;
}

static void insert(unsigned span) {
    unsigned bin = bin_of(SPAN(span)->pages), first = heap.bins[bin];
    SPAN(span)->kind = SPAN_FREE;
    SPAN(span)->previous = 0;
    SPAN(span)->next = first;
    if (first) SPAN(first)->previous = span;
    heap.bins[bin] = span;
    heap.bin_mask |= 1u << bin;
}

static void extract(unsigned span) {
    unsigned bin = bin_of(SPAN(span)->pages), next = SPAN(span)->next, previous = SPAN(span)->previous;
    if (next) SPAN(next)->previous = previous;
    if (previous) {
        SPAN(previous)->next = next;
    } else {
        heap.bins[bin] = next;
        if (!next) heap.bin_mask &= ~(1u << bin);
    }
}

/* The span's length changed: tell the one after it. */
static void announce(unsigned span) {
    unsigned next = after(span);
    if (next)
        SPAN(next)->previous_pages = SPAN(span)->pages;
    else if (!SPAN(span)->last)
        heap.fresh_previous = SPAN(span)->pages;
}

static unsigned find(unsigned pages) {
    unsigned bin = bin_of(pages), tries = SEARCH_LIMIT;
    for (unsigned span = heap.bins[bin]; span && tries; span = SPAN(span)->next, tries--)
        if (SPAN(span)->pages >= pages) return span;
    unsigned larger = heap.bin_mask & ~((2u << bin) - 1);
    return larger ? heap.bins[__builtin_ctz(larger)] : 0;
}

/* Leaves the first `pages` in the span and makes the rest a free span. */
static void split(unsigned span, unsigned pages) {
    unsigned rest = span + (pages << PAGE_SHIFT), rest_pages = SPAN(span)->pages - pages;
    if (rest_pages == 0) return;
    SPAN(rest)->pages = rest_pages;
    SPAN(rest)->previous_pages = pages;
    SPAN(rest)->last = SPAN(span)->last;
    SPAN(span)->pages = pages;
    SPAN(span)->last = 0;
    announce(rest);
    insert(rest);
}

/* The last region is at its end for ever: what is fresh in it becomes a free span. */
static void close_region(void) {
    if (!heap.last_region) return;
    if (heap.fresh_pages) {
        unsigned rest = heap.fresh;
        SPAN(rest)->pages = heap.fresh_pages;
        SPAN(rest)->previous_pages = heap.fresh_previous;
        SPAN(rest)->last = 1;
        heap.fresh_pages = 0;
        heap.fresh = 0;
        __tangent_span_give(rest);
    } else {
        SPAN(heap.fresh - (heap.fresh_previous << PAGE_SHIFT))->last = 1;
    }
}

static int grow(unsigned pages) {
    unsigned wanted = (heap.high - heap.low) / 8;
    unsigned needed = (pages + 1) << PAGE_SHIFT;
    if (needed >> PAGE_SHIFT <= pages || (heap.refused && needed >= heap.refused)) return 0;
    if (wanted < SMALLEST_REGION) wanted = SMALLEST_REGION;
    if (wanted < needed) wanted = needed;
    wanted = (wanted + HOST_UNIT - 1) & -HOST_UNIT;
    if (wanted < needed) return 0;
    unsigned piece = __tangent_host_grow(wanted);
    if (!piece) {
        wanted = (needed + HOST_UNIT - 1) & -HOST_UNIT;
        piece = __tangent_host_grow(wanted);
        if (!piece) {
            heap.refused = needed;
            return 0;
        }
    }
    if (heap.last_region && REGION(heap.last_region)->end == piece) {
        heap.fresh_pages += wanted >> PAGE_SHIFT;
        REGION(heap.last_region)->end = piece + wanted;
    } else {
        close_region();
        REGION(piece)->next = 0;
        REGION(piece)->end = piece + wanted;
        if (heap.last_region)
            REGION(heap.last_region)->next = piece;
        else
            heap.first_region = heap.low = piece;
        heap.last_region = piece;
        heap.fresh = piece + PAGE_SIZE;
        heap.fresh_pages = (wanted >> PAGE_SHIFT) - 1;
        heap.fresh_previous = 0;
        TANGENT_U32(TANGENT_CONTROL_HEAP) = (unsigned)(uintptr_t)&heap;
    }
    if (heap.high < piece + wanted) heap.high = piece + wanted;
    return 1;
}

unsigned __tangent_span_take(unsigned pages, int *fresh) {
    unsigned span = find(pages);
    *fresh = span == 0;
    if (span) {
        extract(span);
        split(span, pages);
        return span;
    }
    /* Two rounds may be needed: the host's next piece may not touch the last one. */
    while (heap.fresh_pages < pages)
        if (!grow(pages)) return 0;
    span = heap.fresh;
    SPAN(span)->pages = pages;
    SPAN(span)->previous_pages = heap.fresh_previous;
    SPAN(span)->last = 0;
    heap.fresh += pages << PAGE_SHIFT;
    heap.fresh_pages -= pages;
    heap.fresh_previous = pages;
    return span;
}

void __tangent_span_give(unsigned span) {
    unsigned next = after(span);
    if (next && SPAN(next)->kind == SPAN_FREE) {
        extract(next);
        SPAN(span)->pages += SPAN(next)->pages;
        SPAN(span)->last = SPAN(next)->last;
    }
    if (SPAN(span)->previous_pages) {
        unsigned previous = span - (SPAN(span)->previous_pages << PAGE_SHIFT);
        if (SPAN(previous)->kind == SPAN_FREE) {
            extract(previous);
            SPAN(previous)->pages += SPAN(span)->pages;
            SPAN(previous)->last = SPAN(span)->last;
            span = previous;
        }
    }
    announce(span);
    insert(span);
}

/* Makes a span longer if what follows it is free. */
int __tangent_span_extend(unsigned span, unsigned pages) {
    unsigned more = pages - SPAN(span)->pages, next = after(span);
    if (next) {
        if (SPAN(next)->kind != SPAN_FREE || SPAN(next)->pages < more) return 0;
        extract(next);
        SPAN(span)->pages += SPAN(next)->pages;
        SPAN(span)->last = SPAN(next)->last;
        announce(span);
        split(span, pages);
        return 1;
    }
    if (SPAN(span)->last || (heap.fresh_pages < more && !grow(more))) return 0;
    /* The host's new piece may have been elsewhere. */
    if (end_of(span) != heap.fresh || heap.fresh_pages < more) return 0;
    SPAN(span)->pages = pages;
    heap.fresh += more << PAGE_SHIFT;
    heap.fresh_pages -= more;
    heap.fresh_previous = pages;
    return 1;
}
