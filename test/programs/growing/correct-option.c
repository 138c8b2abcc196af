// The twin of untested-option: a distance of nothing is refused.
// test: -v 12
// finds: nothing
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
  if (optind >= argc || tabs < 1 || tabs > 100) return 1;
  int column = atoi(argv[optind]) & 0xfff;
  if (verbose) printf("tabs %d\n", tabs);
  printf("%d\n", column + tabs - column % tabs);
  return 0;
}
