// What was dropped is shown: no test does that. Commands are told apart by a hash, so no question leads from one to another, nor
// from one name to another; a word of the same test in the place of another one does.
// test: first.txt
// test: second.txt
// file: first.txt = make alpha\nshow alpha\nmake beta\nshow beta\n
// file: second.txt = make gamma\ndrop gamma\nmake delta\nshow delta\n
// finds: heap-use-after-free
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct thing { char name[16]; int *value; int dropped; };
static struct thing things[8];
static int count;

static unsigned hash(const char *word) {
  unsigned sum = 5381;
  while (*word) sum = (sum * 33u) ^ (unsigned char)*word++;
  return sum % 8191u * 65521u % 4093u;
}

static struct thing *find(const char *name) {
  for (int i = 0; i < count; i++)
    if (hash(things[i].name) == hash(name)) return &things[i];
  return NULL;
}

int main(int argc, char **argv) {
  FILE *file = argc < 2 ? NULL : fopen(argv[1], "r");
  char command[16], name[16];
  if (file == NULL) return 1;
  unsigned make = hash("make"), show = hash("show"), drop = hash("drop");
  while (fscanf(file, "%15s %15s", command, name) == 2) {
    unsigned what = hash(command);
    struct thing *thing = find(name);
    if (what == make && thing == NULL && count < 8) {
      strcpy(things[count].name, name);
      things[count].value = malloc(sizeof(int));
      *things[count].value = count;
      count++;
    } else if (what == show && thing != NULL) {
      printf("%d\n", *thing->value);
    } else if (what == drop && thing != NULL && !thing->dropped) {
      free(thing->value);
      thing->dropped = 1;
    } else {
      return 1;
    }
  }
  return 0;
}
