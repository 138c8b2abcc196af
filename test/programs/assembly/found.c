/* A condition on input behind assembly. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  uint32_t x, product, high;
  if (fread(&x, 1, 4, stdin) != 4) return 0;
  __asm__("bswap %0" : "+r"(x));
  __asm__("mull %3" : "=a"(product), "=d"(high) : "0"(x), "r"(0x10001u) : "cc");
  if (product == 0xbe011234u && high == 0xabcdu) abort();
  return 0;
}
