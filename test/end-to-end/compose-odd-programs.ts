// Programs with what composition may stumble over: calls that do not return as calls do, memory that nobody made, tests that go wrong. What
// they may be blamed for is marked: a line ends with `// FAILS` if some input of the recorded size fails there. Every other line is
// correct for every input, though its function alone may fail.

import type { ComposeRun } from "./compose-manifest.js";

export interface OddProgram {
  readonly name: string;
  readonly recorded: ComposeRun;
  /** Marked lines must be found: they are near. */
  readonly isFound?: boolean;
  readonly source: string;
}

export const ODD_PROGRAMS: readonly OddProgram[] = [
  {
    name: "direct recursion",
    recorded: { stdin: "(a((((" },
    isFound: true,
    source: `#include <stdio.h>
static int open_at[4];
static int nested(const char *s, int depth) {
  if (*s != '(') return depth;
  open_at[depth] = 1; // FAILS
  return nested(s + 1, depth + 1);
}
int main(void) {
  char line[8] = "";
  if (fread(line, 1, 6, stdin) != 6) return 1;
  return nested(line, 0);
}`,
  },
  {
    name: "mutual recursion, endless for what no caller passes",
    recorded: { stdin: "4" },
    source: `#include <stdio.h>
static int is_odd(int n);
static int is_even(int n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(int n) { return n == 0 ? 0 : is_even(n - 1); }
int main(void) {
  int c = getchar();
  if (c < '0' || c > '9') return 1;
  return is_even(c - '0');
}`,
  },
  {
    name: "variadic functions",
    recorded: { stdin: "2x" },
    source: `#include <stdarg.h>
#include <stdio.h>
static int sum(int count, ...) {
  va_list list;
  int total = 0;
  va_start(list, count);
  for (int i = 0; i < count; i++) total += va_arg(list, int);
  va_end(list);
  return total;
}
static void say(char *out, size_t size, const char *format, ...) {
  va_list list, copy;
  va_start(list, format);
  va_copy(copy, list);
  vsnprintf(out, size, format, list);
  vsnprintf(out, size, format, copy);
  va_end(copy);
  va_end(list);
}
static double mean(const char *what, ...) {
  va_list list;
  va_start(list, what);
  double first = va_arg(list, double);
  const char *name = va_arg(list, const char *);
  va_end(list);
  return first + name[0];
}
int main(void) {
  char text[32];
  int a = getchar(), b = getchar();
  say(text, sizeof text, "%d %c %s", a, b, "end");
  puts(text);
  return a == '2' ? sum(2, a, b) & 1 : sum(3, a, b, 1) + (int)mean("m", 1.5, "n") > 7;
}`,
  },
  {
    name: "functions that nothing calls",
    recorded: { stdin: "a" },
    source: `#include <stdio.h>
struct node { struct node *next; int *values; };
int pick(int *values, int at) { return values[at]; }
int walk(struct node *n) { int sum = 0; while (n) { sum += *n->values; n = n->next; } return sum; }
int apply(int (*f)(int), int n) { return f(n); }
static int ratio(int a, int b) { return a / b; }
int (*kept)(int, int) = ratio;
int main(void) { return getchar() == 'a' ? 0 : 1; }`,
  },
  {
    name: "signals and handlers",
    recorded: { stdin: "u3" },
    source: `#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
static volatile sig_atomic_t seen;
static const int limits[4] = {1, 2, 3, 4};
static int at;
static void handler(int number) { seen = number + limits[at]; }
static void last(void) { if (seen == 0) puts("none"); }
static void stop(int number) { (void)number; _Exit(3); }
static void choose(int c) { at = c & 3; }
int main(void) {
  atexit(last);
  signal(SIGUSR1, handler);
  signal(SIGTERM, stop);
  signal(SIGINT, SIG_IGN);
  int what = getchar();
  choose(getchar());
  if (what == 'u') raise(SIGUSR1);
  if (what == 't') raise(SIGTERM);
  if (what == 'i') raise(SIGINT);
  return seen != 0;
}`,
  },
  {
    name: "callbacks, qsort and bsearch",
    recorded: { stdin: "cab1" },
    source: `#include <stdio.h>
#include <stdlib.h>
struct item { const char *name; int size; };
static const char *names[3] = {"ab", "b", "c"};
static int by_name(const void *a, const void *b) {
  const struct item *x = a, *y = b;
  return x->name[0] - y->name[0];
}
static int by_size(const void *a, const void *b) {
  return ((const struct item *)a)->size - ((const struct item *)b)->size;
}
static void each(struct item *items, int count, void (*visit)(struct item *, void *), void *data) {
  for (int i = 0; i < count; i++) visit(items + i, data);
}
static void add(struct item *one, void *data) { *(int *)data += one->size; }
static void show(struct item *one, void *data) { (void)data; puts(one->name); }
int main(void) {
  struct item items[3];
  int sum = 0;
  for (int i = 0; i < 3; i++) {
    int c = getchar();
    if (c < 'a' || c > 'c') return 1;
    items[i].name = names[c - 'a'];
    items[i].size = c;
  }
  int order = getchar();
  qsort(items, 3, sizeof *items, order == '1' ? by_name : by_size);
  struct item key = {"b", 0};
  struct item *found = order == '1' ? bsearch(&key, items, 3, sizeof *items, by_name) : NULL;
  each(items, 3, order == '2' ? show : add, &sum);
  return found != NULL && found->name[0] != 'b';
}`,
  },
  {
    name: "functions that allocate, which a stub does not",
    recorded: { stdin: "abcd" },
    source: `#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct buffer { char *bytes; size_t size; struct buffer *next; };
static void *need(size_t size) {
  void *p = malloc(size);
  if (p == NULL) exit(2);
  return p;
}
static char *copied(const char *s) { return strcpy(need(strlen(s) + 1), s); }
static void make(struct buffer **out, size_t size) {
  struct buffer *b = need(sizeof *b);
  b->bytes = need(size + 1);
  b->size = size;
  b->next = *out;
  *out = b;
}
static int first_of(struct buffer *b) { return b->bytes[0]; }
static int fill(struct buffer *b, const char *text) {
  size_t n = strlen(text) < b->size ? strlen(text) : b->size;
  memcpy(b->bytes, text, n);
  b->bytes[n] = 0;
  return first_of(b);
}
static void drop(struct buffer *b) {
  while (b) { struct buffer *next = b->next; free(b->bytes); free(b); b = next; }
}
int main(void) {
  char line[5] = "";
  if (fread(line, 1, 4, stdin) != 4) return 1;
  char *mine = copied(line);
  struct buffer *list = NULL;
  for (int i = 0; i < (line[0] & 3); i++) make(&list, 2);
  int result = list ? fill(list, mine) : 0;
  drop(list);
  free(mine);
  return result == 'z';
}`,
  },
  {
    name: "setjmp and longjmp",
    recorded: { stdin: "[a]b" },
    source: `#include <setjmp.h>
#include <stdio.h>
static jmp_buf out;
static const char *at;
static void fail(int code) { longjmp(out, code); }
static void expect(char c) { if (*at++ != c) fail(c == '[' ? 1 : 2); }
static int item(void) {
  expect('[');
  if (*at == 0) fail(3);
  int value = *at++;
  expect(']');
  return value;
}
int main(void) {
  static char line[8];
  if (fread(line, 1, 4, stdin) != 4) return 1;
  at = line;
  switch (setjmp(out)) {
  case 0: return item() == 'q';
  case 1: return 10;
  default: return 11;
  }
}`,
  },
  {
    name: "functions that never return",
    recorded: { stdin: "ab" },
    source: `#include <stdio.h>
#include <stdlib.h>
static void die(int code) { exit(code); }
static void spin(int c) { for (volatile int i = 0; c == '!'; i = 0) {} }
static void forever(const int *p) { for (;;) if (*p > 1000) die(4); }
static int checked(int n) { if (n == 0) die(3); return 100 / n; }
int main(void) {
  int a = getchar(), b = getchar();
  spin(a);
  if (a == '?') forever(&b);
  return checked(b - '0') > 50;
}`,
  },
  {
    name: "a struct by value and a large result",
    recorded: { stdin: "17" },
    isFound: true,
    source: `#include <stdio.h>
struct grid { int cells[40]; char name[12]; };
struct pair { char a; double b; };
static struct grid filled(struct grid g, int value) { for (int i = 0; i < 40; i++) g.cells[i] = value; return g; }
static int cell(struct grid g, int at) {
  return g.cells[at]; // FAILS
}
static struct pair halves(struct pair p) { p.b /= 2; p.a++; return p; }
static int chosen(struct grid g, struct pair p, int c) { return c == '7' ? cell(g, p.a) : cell(g, c & 31); }
int main(void) {
  struct grid g = {{0}, "name"};
  struct pair p = {0, 1.5};
  int a = getchar(), b = getchar();
  p.a = (char)(a & 63);
  p = halves(p);
  g = filled(g, a);
  return chosen(g, p, b) == 3;
}`,
  },
  {
    name: "a program that forks",
    recorded: { stdin: "ok" },
    source: `#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static int in_child(int c) { return c == 'o' ? 0 : 5; }
static int in_parent(pid_t child, int *statuses, int c) {
  int status = 0;
  if (waitpid(child, &status, 0) < 0) return 1;
  statuses[c & 1] = WIFEXITED(status) ? WEXITSTATUS(status) : 9;
  return statuses[0];
}
int main(void) {
  int statuses[2] = {0}, ends[2];
  int c = getchar();
  if (pipe(ends) != 0) return 3;
  pid_t child = fork();
  if (child < 0) return 4;
  if (child == 0) _exit(in_child(c));
  close(ends[0]);
  close(ends[1]);
  return in_parent(child, statuses, c);
}`,
  },
  {
    name: "a test that reads a missing file",
    recorded: { args: ["missing"] },
    source: `#include <stdio.h>
static const int table[4] = {1, 2, 3, 4};
static int looked_up(int c) { return table[c]; }
static int parsed(FILE *f) {
  int c = fgetc(f);
  return c >= 0 && c < 4 ? looked_up(c) : 0;
}
int main(int argc, char **argv) {
  FILE *f = argc > 1 ? fopen(argv[1], "r") : NULL;
  if (f == NULL) { perror("input"); return 1; }
  int result = parsed(f);
  fclose(f);
  return result;
}`,
  },
  {
    name: "main alone",
    recorded: { stdin: "3" },
    source: `#include <stdio.h>
int main(void) {
  int table[8] = {0};
  int c = getchar();
  if (c < 0) return 1;
  return table[c & 15]; // FAILS
}`,
  },
  {
    name: "main that calls itself",
    recorded: { args: ["ab"] },
    source: `#include <stdio.h>
int main(int argc, char **argv) {
  if (argc > 1 && argv[1][0] != 0) { argv[1]++; return main(argc, argv); }
  return 0;
}`,
  },
  {
    name: "a test that crashes already",
    recorded: { stdin: "9z" },
    source: `#include <stdio.h>
static int table[8];
static int get(int at) {
  return table[at]; // FAILS
}
static int other(int c) { return c < 8 ? get(c) : 0; }
int main(void) {
  int c = getchar() - '0';
  int first = get(c);
  return first + other(getchar());
}`,
  },
  {
    name: "a test that ends in abort",
    recorded: { stdin: "5" },
    source: `#include <assert.h>
#include <stdio.h>
static int half(int n) {
  assert(n % 2 == 0); // FAILS
  return n / 2;
}
int main(void) { return half(getchar() - '0'); }`,
  },
  {
    name: "types that are hard to make",
    recorded: { stdin: "abcdefgh" },
    source: `#include <stdint.h>
#include <stdio.h>
#include <string.h>
struct bits { unsigned a : 3, b : 5; signed c : 2; };
union word { uint64_t whole; unsigned char bytes[8]; void *pointer; };
struct ring { struct ring *next; int value; };
struct flexible { int count; int values[]; };
struct nothing {};
typedef int (*operation)(int);
static int bit(struct bits b) { return b.a + b.b + b.c; }
static int byte(union word w, int at) { return w.bytes[at & 7]; }
static int around(struct ring *r, int steps) { while (steps-- > 0) r = r->next; return r->value; }
static int flexibly(struct flexible *f, int at) { return at < f->count ? f->values[at] : 0; }
static int empty(struct nothing n, int c) { (void)n; return c; }
static double real(double d, float f, long double l) { return d / f + (double)l; }
static __int128 wide(__int128 w, int by) { return w / (by | 1); }
static int rows(int n, int (*square)[n]) { return square[n - 1][n - 1]; }
static int called(operation o, int n) { return o(n); }
static int next(int n) { return n + 1; }
static int old(a, b) int a; char b; { return a + b; }
int main(void) {
  unsigned char in[8];
  if (fread(in, 1, 8, stdin) != 8) return 1;
  struct bits b = {in[0] & 7, in[1] & 31, 0};
  union word w;
  memcpy(w.bytes, in, 8);
  struct ring two, one = {&two, 1};
  two.next = &one;
  two.value = 2;
  union { struct flexible f; int room[4]; } flex = {.room = {3, 1, 2, 3}};
  int square[4][4] = {{0}};
  struct nothing none;
  int sum = bit(b) + byte(w, in[2]) + around(&one, in[3] & 3) + flexibly(&flex.f, in[4] & 7) + empty(none, in[5]);
  sum += real(in[6], 2.0f, 1.0L) > 3 ? 1 : 0;
  sum += (int)wide(in[7], in[0]) + rows(4, square) + called(next, in[1]) + old(1, 'c');
  return sum & 1;
}`,
  },
  {
    name: "a test without any input",
    recorded: {},
    source: `#include <stdio.h>
static int table[4];
static int get(int at) { return table[at]; }
int main(void) { return get(2) + get(3); }`,
  },
];
