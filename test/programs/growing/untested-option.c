// Nobody tests -t: the distance between tabs is what is divided by.
// test: -v 12
// test: 40
// finds: division-by-zero
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int verbose = 0, tabs = 8, option;
  while ((option = getopt(argc, argv, "vt:")) != -1) {
    if (option == 'v') verbose = 1;
    else if (option == 't') tabs = atoi(optarg);
    else return 2;
  }
  if (optind >= argc) return 1;
  int column = atoi(argv[optind]) & 0xfff;
  if (verbose) printf("tabs %d\n", tabs);
  printf("%d\n", column + tabs - column % tabs);
  return 0;
}
