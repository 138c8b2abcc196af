// Strings that grow; but not where their size stands beside them, in a call or in a table, or where so many bytes are copied.
#include "../src/tag.h"

#include <assert.h>
#include <string.h>

static const struct {
    const char *text;
    unsigned long size;
} table[] = {
    {"one two", 7},
    {"three", 5},
};

int main(void) {
    struct tag tag;
    assert(tag_read("color:red", &tag) == 1);
    assert(tag_words("a b", 3) == 2);
    for (unsigned n = 0; n < 2; n++) assert(tag_words(table[n].text, table[n].size) == 2 - (int)n);
    char copy[] = "x y z";
    assert(tag_words(copy, strlen(copy)) == 3);
    return 0;
}
