// A list whose last node may point back: walking it then never ends.
#include <assert.h>
#include <stddef.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

struct node {
  int value;
  struct node *next;
};

int main(void) {
  struct node nodes[5];
  for (int i = 0; i < 5; i++) {
    nodes[i].value = __VERIFIER_nondet_int();
    nodes[i].next = i < 4 ? &nodes[i + 1] : NULL;
  }
  int back = __VERIFIER_nondet_int();
  if (back >= 0 && back < 5) nodes[4].next = &nodes[back];
  int found = 0;
  for (struct node *at = nodes; at != NULL; at = at->next) {
    if (at->value == 1009) found++;
  }
  if (found == 2) reach_error();
  return 0;
}
