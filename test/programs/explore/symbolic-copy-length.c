// memcpy of a symbolic length: what lies behind the copied part stays.
// run: explore --sym-stdin 1
// twin: -DFIXED
// witness: stdin "\x03"
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char text[8] = "-------";
    int length = getchar();
    if (length < 0 || length > 6)
        return 1;
    memcpy(text, "abcdef", (size_t)length);
#ifdef FIXED
    assert(text[length] == '-');
    assert(length == 0 || text[length - 1] == "abcdef"[length - 1]);
#else
    assert(text[2] != 'c' || text[3] != '-'); // expect: assertion-failure
#endif
    return 0;
}
