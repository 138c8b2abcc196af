// Inputs in a table, beside what is expected.
#include "../src/pair.h"

#include <assert.h>
#include <string.h>

static const struct {
    const char *text;
    const char *key;
} table[] = {
    {"a=bc", "a"},
    {"key=val", "key"},
};

int main(void) {
    struct pair out;
    for (unsigned n = 0; n < sizeof table / sizeof table[0]; n++) {
        assert(pair_parse(table[n].text, &out) == 0);
        assert(strcmp(out.key, table[n].key) == 0);
    }
    return 0;
}
