/* malloc and free. A small block's slot comes from its class's free list, else from the end of the class's slab; a freed
   block goes to the end of its quarantine and pushes the oldest ones out of it, back to their lists. Each class has a
   quarantine of its own, and large blocks have one together: a block is forgotten only for blocks of its kind, so that the
   use of a freed session is found behind any number of freed strings and buffers. One allocation writes a header and one
   word of states per 64 bytes; nothing is searched.
   Invariant: only the bytes of live blocks are addressable, each block to the byte. */
#include "heap-blocks.h"

/* Freed bytes kept from reuse in one quarantine. More finds older dangling pointers; less keeps the heap in the processor's
   cache (measured: a program that builds and frees trees takes 1.8 times as long with 16 MiB as with 1). So a program gets
   much at first, and little once it has freed so often that its speed depends on it, or much of many classes. */
#define QUARANTINE_MOST 0x1000000u
#define QUARANTINE_LATER 0x100000u
#define EARLY_FREES 100000u
/* Searching all slabs is slow: not again before it may have become worth it. */
#define FREES_PER_RECLAIM 1000u

/* No object is larger: sizes are converted to and from signed 32-bit numbers everywhere. */
#define LARGEST 0x7fff0000u
#define LARGEST_SMALL 8192u
#define SLAB_PAGES 16u
/* The slab's own header, and room that a slot's last word of states may reach into. */
#define SLAB_LEAD 64u
#define SLAB_TAIL 64u

/* By class: how many bytes fit, and the redzone before them (the header is its end). A redzone grows with the block, as
   strides of larger elements overshoot by more. Slots follow each other so that a word of states (64 bytes) that begins
   inside one block never reaches the next one's bytes. */
static const struct size_class {
    uint16_t capacity;
    uint16_t redzone;
} classes[CLASSES] = {
    {32, 32},     {48, 32},     {64, 32},     {96, 32},     {128, 32},    {160, 64},    {192, 64},    {224, 64},
    {256, 64},    {320, 64},    {384, 64},    {448, 64},    {512, 64},    {640, 128},   {768, 128},   {896, 128},
    {1024, 128},  {1280, 128},  {1536, 128},  {1792, 128},  {2048, 128},  {2560, 128},  {3072, 128},  {3584, 128},
    {4096, 128},  {5120, 256},  {6144, 256},  {7168, 256},  {8192, 256},
};

#define C4(c) c, c, c, c
#define C8(c) C4(c), C4(c)
#define C16(c) C8(c), C8(c)
#define C32(c) C16(c), C16(c)
/* The class of a size, by the size in units of 16 bytes, rounded up. */
static const unsigned char class_of[LARGEST_SMALL / 16 + 1] = {
    0,       0,       0,       1,       2,       3,       3,       4,       4,       5,       5,       6,
    6,       7,       7,       8,       8,       C4(9),   C4(10),  C4(11),  C4(12),  C8(13),  C8(14),  C8(15),
    C8(16),  C16(17), C16(18), C16(19), C16(20), C32(21), C32(22), C32(23), C32(24), C32(25), C32(25), C32(26),
    C32(26), C32(27), C32(27), C32(28), C32(28),
};

static inline unsigned class_stride(unsigned class) {
    return (unsigned)classes[class].capacity + classes[class].redzone;
}

static void *no_memory(void) {
    *__errno_location() = TANGENT_ENOMEM;
    return 0;
}

/* Back to where new blocks come from. The header stays: it still answers who the block was. */
static void evict_oldest(struct quarantine *from) {
    unsigned header = from->head, home = BLOCK(header)->home;
    from->head = BLOCK(header)->next;
    if (!from->head) from->tail = 0;
    if (home & LARGE) {
        from->bytes -= (home & ~LARGE) << PAGE_SHIFT;
        __tangent_span_give(header + HEADER - LARGE_LEAD - BLOCK(header)->shift);
    } else {
        unsigned slot = header - BLOCK(header)->shift, stride = class_stride(home);
        from->bytes -= stride;
        heap.small_bytes -= stride;
        BLOCK(slot)->next = heap.free[home];
        heap.free[home] = slot;
    }
}

static void evict_all(struct quarantine *from) {
    while (from->head) evict_oldest(from);
}

/* A span even if all that is in quarantine has to be given up for it, large blocks first, and after that the slabs that
   are empty. */
static unsigned take_span(unsigned pages, int *fresh) {
    unsigned span = __tangent_span_take(pages, fresh);
    if (span) return span;
    evict_all(&heap.quarantines[CLASSES]);
    span = __tangent_span_take(pages, fresh);
    if (span) return span;
    for (unsigned class = 0; class < CLASSES; class++) evict_all(&heap.quarantines[class]);
    if (heap.free_serial - heap.reclaimed_at >= FREES_PER_RECLAIM) {
        heap.reclaimed_at = heap.free_serial;
        __tangent_slabs_reclaim();
    }
    return __tangent_span_take(pages, fresh);
}

/* The header of a slot of that class never used before, or 0. */
static unsigned carve(unsigned class) {
    unsigned slab = heap.slab[class], stride = class_stride(class);
    if (!heap.slots[class]) {
        int fresh;
        slab = take_span(SLAB_PAGES, &fresh);
        if (!slab) return heap.free[class] ? pop_free(class) : 0;
        SPAN(slab)->kind = SPAN_SLAB;
        SPAN(slab)->stride = stride;
        SPAN(slab)->first = slab + SLAB_LEAD + classes[class].redzone;
        SPAN(slab)->carved = 0;
        heap.slab[class] = slab;
        heap.slots[class] = ((SLAB_PAGES << PAGE_SHIFT) - SLAB_LEAD - SLAB_TAIL) / stride;
    }
    heap.slots[class]--;
    unsigned header = SPAN(slab)->first + SPAN(slab)->carved++ * stride - HEADER;
    BLOCK(header)->home = class;
    return header;
}

static unsigned take_small(unsigned class) {
    return heap.free[class] ? pop_free(class) : carve(class);
}

/* The header of a block of more than LARGEST_SMALL bytes, or 0. */
static unsigned take_large(unsigned size, int *fresh) {
    unsigned pages = (LARGE_LEAD + size + LARGE_TAIL + PAGE_SIZE - 1) >> PAGE_SHIFT;
    unsigned span = take_span(pages, fresh);
    if (!span) return 0;
    SPAN(span)->kind = SPAN_LARGE;
    BLOCK(span + LARGE_LEAD - HEADER)->home = LARGE | pages;
    return span + LARGE_LEAD - HEADER;
}

/* `slack` more bytes could be had later without moving the block. Its bytes are as they were: `fresh` ones are zero. */
static void *take_block(uint64_t size, unsigned slack, int *fresh) {
    unsigned header = size > LARGEST ? 0 : take_large((unsigned)size + slack, fresh);
    if (!header) return no_memory();
    begin_block(header, (unsigned)size);
    __tangent_state_allow(header + HEADER, (unsigned)size);
    __tangent_settle();
    return (void *)(uintptr_t)(header + HEADER);
}

static void *allocate_large(uint64_t size, unsigned slack) {
    int fresh;
    void *block = take_block(size, slack, &fresh);
    if (block) perturb((unsigned)(uintptr_t)block, (unsigned)size);
    return block;
}

void *malloc(size_t size) {
    if (size > LARGEST_SMALL) return allocate_large(size, 0);
    unsigned header = take_small(class_of[(size + 15) >> 4]);
    if (!header) return no_memory();
    begin_block(header, (unsigned)size);
    allow_small(header + HEADER, (unsigned)size);
    perturb(header + HEADER, (unsigned)size);
    return (void *)(uintptr_t)(header + HEADER);
}

void *calloc(size_t count, size_t each) {
    size_t size;
    int fresh = 0;
    if (__builtin_mul_overflow(count, each, &size)) return no_memory();
    void *block = size > LARGEST_SMALL ? take_block(size, 0, &fresh) : malloc(size);
    if (block && !fresh) clear((unsigned)(uintptr_t)block, (unsigned)size);
    if (block && __tangent_definedness()) __tangent_state_define((unsigned)(uintptr_t)block, (unsigned)size);
    if (size > LARGEST_SMALL) __tangent_settle();
    return block;
}

static void quarantine(unsigned header) {
    unsigned home = BLOCK(header)->home, large = home & LARGE;
    unsigned bytes = large ? (home & ~LARGE) << PAGE_SHIFT : class_stride(home);
    struct quarantine *own = &heap.quarantines[large ? CLASSES : home];
    BLOCK(header)->next = 0;
    if (own->tail)
        BLOCK(own->tail)->next = header;
    else
        own->head = header;
    own->tail = header;
    own->bytes += bytes;
    if (!large) heap.small_bytes += bytes;
    /* The block just freed always stays, however large. Going from much to little, two blocks leave for one that comes. */
    while (own->bytes > QUARANTINE_MOST && own->head != header) evict_oldest(own);
    if (heap.free_serial < EARLY_FREES && heap.small_bytes <= QUARANTINE_MOST) return;
    for (unsigned tries = 2; tries && own->bytes > QUARANTINE_LATER && own->head != header; tries--) evict_oldest(own);
}

void free(void *pointer) {
    if (!pointer) return;
    unsigned header = live_header((uint64_t)(uintptr_t)pointer);
    end_block(header);
    int large = BLOCK(header)->home & LARGE || BLOCK(header)->shift;
    if (large)
        __tangent_state_forbid(header + HEADER, BLOCK(header)->size);
    else
        forbid_small(header + HEADER, BLOCK(header)->size);
    quarantine(header);
    if (large) __tangent_settle();
}

/* How many bytes a block could have without moving. */
static unsigned capacity(unsigned header) {
    unsigned home = BLOCK(header)->home;
    unsigned whole = home & LARGE ? ((home & ~LARGE) << PAGE_SHIFT) - LARGE_LEAD - LARGE_TAIL : classes[home].capacity;
    return whole - BLOCK(header)->shift;
}

/* Whether a large block can have that many bytes where it is; takes the pages after it if it needs and can. */
static int has_room(unsigned header, size_t size) {
    if (size <= capacity(header)) return 1;
    if (size > LARGEST) return 0;
    unsigned lead = LARGE_LEAD + BLOCK(header)->shift;
    unsigned pages = (lead + (unsigned)size + LARGE_TAIL + PAGE_SIZE - 1) >> PAGE_SHIFT;
    if (!__tangent_span_extend(header + HEADER - lead, pages)) return 0;
    BLOCK(header)->home = LARGE | pages;
    return 1;
}

static void resize_in_place(unsigned header, unsigned size) {
    unsigned bytes = header + HEADER, old = BLOCK(header)->size, whole = (size < old ? size : old) & ~7u;
    /* The bytes that share a granule with what changes keep their shadow. */
    unsigned shared = (size < old ? size : old) - whole;
    int symbolic = shared && TANGENT_U8(tangent_state_of(bytes + whole)) & TANGENT_STATE_SYMBOLIC;
    unsigned shadow = symbolic ? __tangent_host_load_bytes(bytes + whole, shared) : 0;
    if (size < old) __tangent_state_forbid(bytes + whole, old - whole);
    __tangent_state_allow(bytes + whole, size - whole);
    if (symbolic || (shared && __tangent_definedness())) __tangent_host_store_bytes(bytes + whole, shared, shadow);
    BLOCK(header)->size = size;
    if (size > old) perturb(bytes + old, size - old);
}

/* A block that had to move because it grew will grow again. */
static void *allocate_growing(size_t size) {
    if (size <= LARGEST_SMALL || size > LARGEST / 2) return malloc(size);
    return allocate_large(size, (unsigned)size / 4);
}

void *realloc(void *pointer, size_t size) {
    if (!pointer) return malloc(size);
    unsigned header = live_header((uint64_t)(uintptr_t)pointer), old = BLOCK(header)->size;
    /* Small blocks always move, so that the use of an old pointer is found. A large one moves only if it must: a program
       may enlarge a buffer byte by byte. */
    if (BLOCK(header)->home & LARGE && size > LARGEST_SMALL && size >= old / 2 && has_room(header, size)) {
        resize_in_place(header, (unsigned)size);
        __tangent_settle();
        return pointer;
    }
    void *moved = BLOCK(header)->home & LARGE && size > old ? allocate_growing(size) : malloc(size);
    if (!moved) return 0;
    unsigned kept = size < old ? (unsigned)size : old;
    __tangent_memory_copy((unsigned)(uintptr_t)moved, header + HEADER, kept);
    if (tangent_any_symbolic(header + HEADER, kept) || __tangent_definedness())
        __tangent_host_copy_bytes((unsigned)(uintptr_t)moved, header + HEADER, kept);
    free(pointer);
    return moved;
}

void *reallocarray(void *pointer, size_t count, size_t each) {
    size_t size;
    if (__builtin_mul_overflow(count, each, &size)) return no_memory();
    return realloc(pointer, size);
}

size_t malloc_usable_size(void *pointer) {
    return pointer ? BLOCK(live_header((uint64_t)(uintptr_t)pointer))->size : 0;
}

/* A block whose address is a multiple of `alignment`, a power of two: a larger slot, in which the block is moved up. */
static void *allocate_aligned(uint64_t alignment, uint64_t size) {
    int fresh;
    if (alignment <= 16) return malloc(size);
    if (size > LARGEST || alignment > LARGEST || size + alignment > LARGEST) return 0;
    unsigned room = (unsigned)(size + alignment - 16);
    unsigned slot = room > LARGEST_SMALL ? take_large(room, &fresh) : take_small(class_of[(room + 15) >> 4]);
    if (!slot) return 0;
    unsigned bytes = (slot + HEADER + (unsigned)alignment - 1) & -(unsigned)alignment;
    unsigned header = bytes - HEADER;
    if (header != slot) {
        BLOCK(header)->home = BLOCK(slot)->home;
        BLOCK(slot)->mark = BLOCK_SHIFTED;
        BLOCK(slot)->size = header - slot;
    }
    begin_block(header, (unsigned)size);
    BLOCK(header)->shift = header - slot;
    __tangent_state_allow(bytes, (unsigned)size);
    perturb(bytes, (unsigned)size);
    return (void *)(uintptr_t)bytes;
}

void *memalign(size_t alignment, size_t size) {
    if (alignment & (alignment - 1)) {
        *__errno_location() = TANGENT_EINVAL;
        return 0;
    }
    void *block = allocate_aligned(alignment, size);
    return block ? block : no_memory();
}

void *aligned_alloc(size_t alignment, size_t size) {
    return memalign(alignment, size);
}

void *valloc(size_t size) {
    return memalign(PAGE_SIZE, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    if (alignment < sizeof(void *) || alignment & (alignment - 1)) return TANGENT_EINVAL;
    void *block = allocate_aligned(alignment, size);
    if (!block) return TANGENT_ENOMEM;
    __tangent_check_write((uint64_t)(uintptr_t)result, sizeof *result);
    *result = block;
    return 0;
}
