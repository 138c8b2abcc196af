// Nothing to find: a format of a variadic function must stay as it is, and what this test does itself on other literals is its own affair.
#include "../src/pair.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static void own_trouble(const char *text) {
    char small[4];
    strcpy(small, text[0] == 'Z' ? "much too long" : "ok");
    puts(small);
}

int main(void) {
    pair_log("%d and %s\n", 3, "text");
    own_trouble("fine");
    puts(__func__);
    return 0;
}
