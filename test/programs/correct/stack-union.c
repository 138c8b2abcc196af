// A value is written through a union pointer to a whole union.
// stdout: 8080
// stdout: 65536
#include <stdint.h>
#include <stdio.h>

union value {
    uint8_t flag;
    uint16_t port;
    uint32_t address;
    double ratio;
};
enum kind { FLAG, PORT, ADDRESS, RATIO };

static void store(union value *v, enum kind kind, double number)
{
    switch (kind) {
    case FLAG: v->flag = number != 0; break;
    case PORT: v->port = (uint16_t)number; break;
    case ADDRESS: v->address = (uint32_t)number; break;
    case RATIO: v->ratio = number; break;
    }
}

int main(void)
{
    union value v;
    store(&v, PORT, 8080);
    printf("%u\n", v.port);
    store(&v, ADDRESS, 65536);
    printf("%u\n", v.address);
    return 0;
}
