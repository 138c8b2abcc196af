/* The thread-local variables of the thread that runs lie at one place, whichever thread it is (src/jit/globals.ts). A
   thread that begins finds them as the program's image has them; meanwhile those of the thread before are kept apart.
   The gaps between the variables move too: nobody may look at them. Shadows of symbolic bytes go with the bytes. */
#include "state.h"

static void copy(unsigned to, unsigned from) {
    unsigned size = __tangent_thread_locals_size();
    __tangent_memory_copy(to, from, size);
    __tangent_host_copy_bytes(to, from, size);
}

/* `kept` has room for __tangent_thread_locals_size() bytes. */
void __tangent_thread_locals_begin(void *kept) {
    copy((unsigned)(uintptr_t)kept, __tangent_thread_locals());
    copy(__tangent_thread_locals(), __tangent_thread_locals_image());
}

void __tangent_thread_locals_end(void *kept) {
    copy(__tangent_thread_locals(), (unsigned)(uintptr_t)kept);
}
