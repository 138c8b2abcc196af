/* What the processor says of itself: in the VM it can what every x86-64 can, and nothing more. */
#include <cpuid.h>
#include <stdio.h>
int main(void) {
  unsigned a, b, c, d;
  printf("%d\n", __get_cpuid(0, &a, &b, &c, &d)); printf("%u %.4s%.4s%.4s\n", a, (char *)&b, (char *)&d, (char *)&c);
  printf("%d ", __get_cpuid(1, &a, &b, &c, &d)); printf("%x %x %x %x\n", a, b, c, d);
  printf("%d\n", __get_cpuid_count(7, 0, &a, &b, &c, &d));
  __cpuid(0x80000001, a, b, c, d); printf("%x %x %x %x\n", a, b, c, d);
  __asm__("cpuid" : "=a"(a), "=b"(b), "=c"(c), "=d"(d) : "0"(1), "2"(0)); printf("%x %x\n", a, d);
  __asm__(".ifnc %%ebx, %1; mov %%ebx, %1; .endif; cpuid; .ifnc %%ebx, %1; xchg %%ebx, %1; .endif"
          : "=a"(a), "=r"(b), "=c"(c), "=d"(d) : "0"(0), "2"(0)); printf("%u %.4s\n", a, (char *)&b);
  __asm__(".ifnc %%ebx, %1; mov %%ebx, %1; .endif; cpuid; .ifnc %%ebx, %1; xchg %%ebx, %1; .endif"
          : "=a"(a), "=b"(b), "=c"(c), "=d"(d) : "0"(0), "2"(0)); printf("%u %.4s\n", a, (char *)&b);
  unsigned lo, hi; __asm__ volatile("rdtsc" : "=a"(lo), "=d"(hi)); printf("%u %u\n", lo, hi);
  return 0;
}
