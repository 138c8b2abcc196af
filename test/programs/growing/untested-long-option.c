// Nobody tests --prefix, and the prefix is copied into 12 bytes: an option more, and then a longer value.
// test: --count one two
// finds: stack-buffer-overflow
#include <getopt.h>
#include <stdio.h>
#include <string.h>

static const struct option OPTIONS[] = {
    {"count", no_argument, NULL, 'c'},
    {"prefix", required_argument, NULL, 'p'},
    {NULL, 0, NULL, 0},
};

int main(int argc, char **argv) {
  char prefix[12] = "";
  int counts = 0, option;
  while ((option = getopt_long(argc, argv, "cp:", OPTIONS, NULL)) != -1) {
    switch (option) {
      case 'c': counts = 1; break;
      case 'p': strcpy(prefix, optarg); break;
      default: return 2;
    }
  }
  for (int i = optind; i < argc; i++) printf("%s%s\n", prefix, argv[i]);
  if (counts) printf("%d\n", argc - optind);
  return 0;
}
