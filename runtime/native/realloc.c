// realloc for native programs. The one in zig's libc gives NULL for a size of zero, also when there was no block: programs
// take that for exhausted memory. musl, and glibc for a null pointer, give a block. The original remains under another
// name (src/frontend/cc-libraries.ts renames it) and does all the work.

#include <errno.h>
#include <stddef.h>

void *malloc(size_t size);
void free(void *block);
void *__tangent_original_realloc(void *block, size_t size);

__attribute__((weak)) void *realloc(void *block, size_t size) {
  if (block == NULL) return malloc(size);
  return __tangent_original_realloc(block, size == 0 ? 1 : size);
}

__attribute__((weak)) void *reallocarray(void *block, size_t count, size_t size) {
  size_t total;
  if (__builtin_mul_overflow(count, size, &total)) {
    errno = ENOMEM;
    return NULL;
  }
  return realloc(block, total);
}
