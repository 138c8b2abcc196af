// The twin of one-more-record: what has no room is counted and not kept.
// test: people.txt
// file: people.txt = ada 36\ngrace 85\nalan 41\n
// finds: nothing
#include <stdio.h>
#include <string.h>

static struct {
  char name[16];
  int age;
} people[6];

int main(int argc, char **argv) {
  if (argc < 2) return 1;
  FILE *file = fopen(argv[1], "r");
  if (file == NULL) return 1;
  char name[16];
  int age, count = 0;
  while (fscanf(file, "%15s %d", name, &age) == 2) {
    if (count < 6) {
      memcpy(people[count].name, name, sizeof name);
      people[count].age = age;
    }
    count++;
  }
  fclose(file);
  printf("%d people\n", count);
  return 0;
}
