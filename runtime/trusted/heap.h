/* The heap's structures, which src/vm/heap.ts reads as well (a test keeps the offsets equal).

   Memory comes from the host in regions; a region is a row of spans of pages; a span is free, or a slab of equal slots for
   small blocks, or one large block. A block is a header and the program's bytes right after it. All that is not a live
   block's bytes is forbidden by the address states, headers too, so the program cannot destroy them unnoticed; that is why
   they may lie between its blocks, where they serve as redzones. Freed blocks wait in queues, the quarantines, before they
   are used again; their headers still tell who they were. */
#ifndef TANGENT_HEAP_H
#define TANGENT_HEAP_H

#include "state.h"

#define PAGE_SIZE 4096u
#define PAGE_SHIFT 12

/* The mark of a block. */
#define BLOCK_LIVE 0x4c495645u
#define BLOCK_FREED 0x46524545u
/* At the slot's own place for a header, when alignment moved the block: `size` is the distance to the real header. */
#define BLOCK_SHIFTED 0x53484946u
/* check == address of the program's bytes ^ CHECK */
#define CHECK 0x9e3779b9u

/* 32 bytes, right before the program's. */
struct block {
    uint32_t mark;
    uint32_t size;
    /* The next block in the quarantine or in its class's free list. */
    uint32_t next;
    /* The size class, or LARGE | number of pages. */
    uint32_t home;
    uint32_t allocation_serial;
    uint32_t free_serial;
    /* How far alignment moved the block from its slot's own place. */
    uint32_t shift;
    uint32_t check;
};
#define HEADER 32u
#define LARGE 0x80000000u

#define SPAN_FREE 1u
#define SPAN_SLAB 2u
#define SPAN_LARGE 3u

/* At the start of each span. */
struct span {
    uint32_t kind;
    uint32_t pages;
    /* Length of the span before it in the region, 0 if it is the first. */
    uint32_t previous_pages;
    /* Whether it is the last of a region that does not grow any more. */
    uint32_t last;
    /* A free span's neighbours in its bin. */
    uint32_t next;
    uint32_t previous;
    /* A slab's slots: distance from one to the next, address of the first block's bytes, how many were ever used. */
    uint32_t stride;
    uint32_t first;
    uint32_t carved;
};
/* Where a large block's bytes begin in its span, and what is kept free after them. */
#define LARGE_LEAD 256u
#define LARGE_TAIL 64u

struct region {
    uint32_t next;
    uint32_t end;
};

#define CLASSES 29
#define BINS 20

/* Freed blocks, the oldest first. */
struct quarantine {
    uint32_t head;
    uint32_t tail;
    uint32_t bytes;
};

struct heap {
    uint32_t first_region;
    uint32_t last_region;
    /* Never used pages at the end of the last region, and the length of the span before them. */
    uint32_t fresh;
    uint32_t fresh_pages;
    uint32_t fresh_previous;
    uint32_t low;
    uint32_t high;
    uint32_t allocation_serial;
    uint32_t free_serial;
    /* One for each class, and the last for large blocks; how much is in those of the classes. */
    struct quarantine quarantines[CLASSES + 1];
    uint32_t small_bytes;
    /* Bit b: bins[b] is not empty. */
    uint32_t bin_mask;
    uint32_t bins[BINS];
    uint32_t free[CLASSES];
    /* The slab new slots of a class are taken from, and how many are left in it. */
    uint32_t slab[CLASSES];
    uint32_t slots[CLASSES];
    /* The number of frees when slabs were last reclaimed. */
    uint32_t reclaimed_at;
    /* The fewest bytes the host has refused; it will not change its mind. 0: none. */
    uint32_t refused;
};
extern struct heap __tangent_heap;

#define BLOCK(address) ((struct block *)(uintptr_t)(unsigned)(address))
#define SPAN(address) ((struct span *)(uintptr_t)(unsigned)(address))
#define REGION(address) ((struct region *)(uintptr_t)(unsigned)(address))

/* A span of that many pages, or 0. *fresh says whether its memory is zero. */
unsigned __tangent_span_take(unsigned pages, int *fresh);
void __tangent_span_give(unsigned span);
/* Makes a span that many pages long without moving it, or returns 0. */
int __tangent_span_extend(unsigned span, unsigned pages);
/* Memory has run out: slabs without a live block become free spans. Nothing may be in quarantine. */
void __tangent_slabs_reclaim(void);

#endif
