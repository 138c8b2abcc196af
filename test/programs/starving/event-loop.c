// A reactive system: it reads events for ever; three of them in this order lead to the error.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

int main(void) {
  int state = 0;
  for (;;) {
    int event = __VERIFIER_nondet_int();
    if (state == 0 && event == 5) state = 1;
    else if (state == 1 && event == 77) state = 2;
    else if (state == 2 && event == -3) reach_error();
    else if (event == 9) state = 0;
  }
}
