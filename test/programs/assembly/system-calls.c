/* System calls by hand, as programs make them that do not trust their libc with it. */
#include <stdio.h>
#include <string.h>
static long raw3(long n, long a, long b, long c) {
    long r;
    __asm__ __volatile__("syscall" : "=a"(r) : "a"(n), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
    return r;
}
static long raw6(long n, long a, long b, long c, long d, long e, long f) {
    long r;
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    __asm__ __volatile__("syscall\n\t"
                         : "=a"(r)
                         : "0"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                         : "rcx", "r11", "memory");
    return r;
}
int main(void) {
    static const char text[] = "written by hand\n";
    long n = raw3(1, 1, (long)text, sizeof text - 1);
    char *page = (char *)raw6(9, 0, 4096, 3, 0x22, -1, 0);
    strcpy(page, "mapped");
    printf("%ld %s %ld\n", n, page, raw3(3, 99, 0, 0));
    long pid;
    __asm__ __volatile__("mov $39, %%eax\n\tsyscall" : "=a"(pid) : : "rcx", "r11", "memory");
    printf("%d\n", pid > 0);
    char got[8] = {0};
    long k = raw3(0, 0, (long)got, 4);
    if (k == 4 && got[0] == 'b' && got[1] == 'u' && got[2] == 'g') __builtin_trap();
    return 0;
}
