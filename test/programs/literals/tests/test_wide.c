// Inputs in wide strings: a literal, an array, a local array, a table, and one of 16 bits.
#include "../src/wide.h"

#include <assert.h>

static const wchar_t named[] = L"abc";
static const wchar_t *table[] = {L"xa", L"yb"};
static const int numbers[] = {97, 98, 0};

int main(void) {
    wchar_t local[] = L"cab";
    assert(wide_class(L"bcd") == 2);
    assert(wide_class(named) + wide_class(local) == 6);
    assert(wide_class(table[0]) + wide_class(table[1]) == 2);
    assert(wide_class((const wchar_t *)numbers) == 2);
    return wide_units(u"hi") == 2 ? 0 : 1;
}
