// Polls a device that may never answer, then checks what it said.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

static int poll_device(void) {
  int answer;
  do answer = __VERIFIER_nondet_int();
  while (answer == 0);
  return answer;
}

int main(void) {
  int first = poll_device();
  int second = poll_device();
  if (first == 31337 && second == first + 1) reach_error();
  return 0;
}
