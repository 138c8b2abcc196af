// The intrinsics of <klee/klee.h> and of verification competitions in a native program: input comes from the test named by
// KTEST_FILE, so a program built by `tangent cc` repeats what an exploration found, under a debugger or with gcov. Without
// that variable all input is zeros. An object is found by its name and how often that name came before, which is
// its identity in an exploration too; KLEE's own order of objects is a special case of that.

#include <klee/klee.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct object {
  char *name;
  unsigned char *bytes;
  uint32_t size;
  int used;
};

static struct object *objects;
static uint32_t object_count;
static int is_loaded;

static _Noreturn void fail(const char *what, const char *detail) {
  fprintf(stderr, "%s: %s\n", what, detail);
  exit(1);
}

// A .ktest file: "KTEST", then numbers as four bytes, the highest first, and texts after their lengths.
struct reader {
  const unsigned char *at, *end;
  const char *path;
};

static const unsigned char *take(struct reader *reader, uint32_t size) {
  if ((size_t)(reader->end - reader->at) < size) fail(reader->path, "this .ktest file is cut short");
  reader->at += size;
  return reader->at - size;
}

static uint32_t take_number(struct reader *reader) {
  const unsigned char *bytes = take(reader, 4);
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static unsigned char *read_all(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) fail(path, "the file named by KTEST_FILE cannot be opened");
  size_t capacity = 0;
  unsigned char *content = NULL;
  *size = 0;
  do {
    capacity += 65536;
    content = realloc(content, capacity);
    if (content == NULL) fail(path, "there is no memory to read it");
    *size += fread(content + *size, 1, capacity - *size, file);
  } while (*size == capacity);
  fclose(file);
  return content;
}

static void load(void) {
  is_loaded = 1;
  const char *path = getenv("KTEST_FILE");
  if (path == NULL) return;
  size_t size;
  unsigned char *content = read_all(path, &size);
  struct reader reader = {content, content + size, path};
  const unsigned char *magic = take(&reader, 5);
  if (memcmp(magic, "KTEST", 5) != 0 && memcmp(magic, "BOUT\n", 5) != 0) fail(path, "this is not a .ktest file");
  uint32_t version = take_number(&reader);
  if (version == 0 || version > 3) fail(path, "this version of .ktest files is unknown");
  for (uint32_t left = take_number(&reader); left > 0; left--) take(&reader, take_number(&reader));
  if (version >= 2) take(&reader, 8);
  uint32_t count = take_number(&reader);
  // Every object takes at least eight bytes of the file.
  if (count > size / 8) fail(path, "this .ktest file is cut short");
  objects = calloc(count + 1, sizeof *objects);
  if (objects == NULL) fail(path, "there is no memory to read it");
  for (; object_count < count; object_count++) {
    struct object *object = &objects[object_count];
    uint32_t length = take_number(&reader);
    const unsigned char *name = take(&reader, length);
    object->name = calloc(length + 1, 1);
    if (object->name == NULL) fail(path, "there is no memory to read it");
    memcpy(object->name, name, length);
    object->size = take_number(&reader);
    object->bytes = (unsigned char *)take(&reader, object->size);
  }
}

// The first unused object of that name; a test may have its second use as name_1, and so on.
static struct object *find(const char *name) {
  size_t length = strlen(name);
  for (int exact = 1; exact >= 0; exact--) {
    for (uint32_t i = 0; i < object_count; i++) {
      struct object *object = &objects[i];
      if (object->used || strncmp(object->name, name, length) != 0) continue;
      const char *rest = object->name + length;
      if (*rest == 0 || (!exact && *rest == '_' && rest[1] != 0 && rest[1 + strspn(rest + 1, "0123456789")] == 0)) return object;
    }
  }
  return NULL;
}

void klee_make_symbolic(void *address, size_t size, const char *name) {
  if (!is_loaded) load();
  if (name == NULL || *name == 0) name = "unnamed";
  memset(address, 0, size);
  struct object *object = find(name);
  if (object == NULL) return;
  object->used = 1;
  memcpy(address, object->bytes, size < object->size ? size : object->size);
}

int klee_int(const char *name) {
  int value;
  klee_make_symbolic(&value, sizeof value, name);
  return value;
}

void klee_assume(uintptr_t condition) {
  if (!condition) fail("klee_assume", "the assumption does not hold for this input");
}

int klee_range(int begin, int end, const char *name) {
  if (begin >= end) fail("klee_range", "the range is empty");
  if ((long)end - begin == 1) return begin;
  int value;
  klee_make_symbolic(&value, sizeof value, name);
  if (getenv("KTEST_FILE") == NULL && (value < begin || value >= end)) return begin;
  klee_assume(value >= begin && value < end);
  return value;
}

void klee_prefer_cex(void *object, uintptr_t condition) { (void)object, (void)condition; }
void klee_posix_prefer_cex(void *object, uintptr_t condition) { (void)object, (void)condition; }
void klee_silent_exit(int status) { exit(status); }
void klee_abort(void) { abort(); }

void klee_report_error(const char *file, int line, const char *message, const char *suffix) {
  (void)suffix;
  fprintf(stderr, "%s:%d: %s\n", file, line, message);
  abort();
}

unsigned klee_is_symbolic(uintptr_t value) {
  (void)value;
  return 0;
}

unsigned klee_is_replay(void) { return 1; }
float klee_get_value_f(float expression) { return expression; }
double klee_get_value_d(double expression) { return expression; }
long klee_get_value_l(long expression) { return expression; }
long long klee_get_value_ll(long long expression) { return expression; }
int32_t klee_get_value_i32(int32_t expression) { return expression; }
int64_t klee_get_value_i64(int64_t expression) { return expression; }

// Nobody keeps the sizes of native objects.
size_t klee_get_obj_size(void *pointer) {
  (void)pointer;
  fail("klee_get_obj_size", "a native program does not know the sizes of its objects");
}

void klee_check_memory_access(const void *address, size_t size) {
  const volatile char *bytes = address;
  if (size > 0) (void)bytes[0], (void)bytes[size - 1];
}

void klee_print_expr(const char *message, ...) {
  va_list arguments;
  va_start(arguments, message);
  fprintf(stderr, "%s: %lld\n", message, va_arg(arguments, long long));
  va_end(arguments);
}

void klee_print_range(const char *name, int value) { fprintf(stderr, "%s: %d\n", name, value); }
void klee_warning(const char *message) { fprintf(stderr, "warning: %s\n", message); }

void klee_warning_once(const char *message) {
  static const char *remembered[64];
  static unsigned count;
  for (unsigned i = 0; i < count; i++)
    if (remembered[i] == message) return;
  if (count < 64) remembered[count++] = message;
  klee_warning(message);
}

void klee_stack_trace(void) {}
void klee_open_merge(void) {}
void klee_close_merge(void) {}
void klee_merge(void) {}
void klee_set_forking(unsigned enable) { (void)enable; }
void klee_mark_global(void *object) { (void)object; }
