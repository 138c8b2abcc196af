// A server: most requests start services that never return; one unusual request after two harmless ones is the error.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

static volatile unsigned ticks;
static void serve(void) {
  for (;;) ticks++;
}
static void wait_for(int what) {
  while (__VERIFIER_nondet_int() != what) ticks++;
}

int main(void) {
  int harmless = 0;
  for (;;) {
    int request = __VERIFIER_nondet_int();
    switch (request) {
      case 1: wait_for(11); break;
      case 2: harmless++; break;
      case 3: if (harmless == 2) reach_error(); break;
      case 4: wait_for(44); harmless = 0; break;
      default: serve();
    }
  }
}
