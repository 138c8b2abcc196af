// A value of the wrong alternative is written through a union pointer to a smaller variable.
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
    case ADDRESS: v->address = (uint32_t)number; break; // expect: stack-buffer-overflow write
    case RATIO: v->ratio = number; break;
    }
}

int main(void)
{
    uint16_t port;
    store((union value *)&port, PORT, 8080);
    printf("%u\n", port);
    store((union value *)&port, ADDRESS, 65536);
    printf("%u\n", port);
    return 0;
}
