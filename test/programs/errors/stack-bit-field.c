// Packs flags into bit-fields of a structure that is one record behind the last.
#include <stdio.h>

struct flags {
    unsigned kind : 3;
    unsigned urgent : 1;
    unsigned code : 20;
};

int main(void)
{
    struct flags records[5] = { 0 };
    unsigned sum = 0;
    for (int i = 1; i <= 5; i++)
        records[i].code = i * 1000; // expect: stack-buffer-overflow
    for (int i = 0; i < 5; i++) {
        records[i].urgent = i & 1;
        sum += records[i].code + records[i].urgent;
    }
    printf("%u\n", sum);
    return 0;
}
