// An argument beside a literal: started with a short one, only another literal reaches the mistake.
#include "../src/pair.h"

int main(int argc, char **argv) {
    struct pair out;
    if (argc > 1 && pair_parse(argv[1], &out) == 0) return 1;
    return pair_parse("q=rs", &out);
}
