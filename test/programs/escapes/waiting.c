/* Waits for input that does not come. */
#include <unistd.h>

int main(void) {
    char byte;
    return read(0, &byte, 1) == 1 ? byte : 3;
}
