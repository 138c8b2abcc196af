/* Inline assembly that only computes: the same numbers natively and in the VM. */
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>
typedef uint64_t u64; typedef uint32_t u32;
static u32 rol32(u32 x, unsigned char n) { __asm__("roll %%cl,%0" : "=r"(x) : "0"(x), "c"(n)); return x; }
static u64 ror64c(u64 x) { __asm__("rorq $13,%0" : "+r"(x)); return x; }
static u32 bsr(u32 x) { u32 r; __asm__("bsrl %1,%0" : "=r"(r) : "rm"(x) : "cc"); return r; }
static u64 bsf(u64 x) { u64 r; __asm__("bsfq %1,%0" : "=r"(r) : "r"(x) : "cc"); return r; }
static u64 mulhi(u64 a, u64 b) { u64 lo, hi; __asm__("mulq %3" : "=a"(lo), "=d"(hi) : "0"(a), "rm"(b) : "cc"); return hi ^ lo; }
static void add128(u64 *h, u64 *l, u64 bh, u64 bl) { __asm__("addq %3,%1\n\tadcq %5,%0" : "=r"(*h), "=&r"(*l) : "1"(*l), "r"(bl), "0"(*h), "r"(bh) : "cc"); }
static void sub128(u64 *h, u64 *l, u64 bh, u64 bl) { __asm__("subq %3,%1; sbbq %5,%0" : "=r"(*h), "=&r"(*l) : "1"(*l), "r"(bl), "0"(*h), "r"(bh) : "cc"); }
static u64 divq(u64 h, u64 l, u64 d, u64 *r) { u64 q; __asm__("divq %4" : "=a"(q), "=d"(*r) : "0"(l), "1"(h), "r"(d) : "cc"); return q; }
static int xadd(int *p, int v) { __asm__ __volatile__("lock; xaddl %0,%1" : "+r"(v), "+m"(*p) : : "memory"); return v; }
static int cas(int *p, int old, int new) { unsigned char ok; __asm__ __volatile__("lock; cmpxchgl %3,%1; sete %0" : "=q"(ok), "+m"(*p), "+a"(old) : "r"(new) : "memory", "cc"); return ok * 1000 + old; }
static int cas2(int *p, int old, int new) { int prev; __asm__ __volatile__("lock; cmpxchgl %1,%2" : "=a"(prev) : "r"(new), "m"(*p), "0"(old) : "memory"); return prev; }
static int xchg(int *p, int v) { __asm__ __volatile__("xchgl %0,%1" : "=r"(v) : "m"(*p), "0"(v) : "memory"); return v; }
static u64 bsw(u64 x) { __asm__("bswapq %0" : "=r"(x) : "0"(x)); return x; }
static u32 bsw32(u32 x) { __asm__("bswap %0" : "=r"(x) : "0"(x)); return x; }
static unsigned short bsw16(unsigned short x) { __asm__("rorw $8,%w0" : "=r"(x) : "0"(x) : "cc"); return x; }
static u64 popc(u64 x) { u64 r; __asm__("popcntq %1,%0" : "=r"(r) : "r"(x) : "cc"); return r; }
static int carry(u32 a, u32 b) { unsigned char c; __asm__("addl %2,%1; setc %0" : "=q"(c), "+r"(a) : "r"(b) : "cc"); return c; }
static int max(int a, int b) { __asm__("cmpl %1,%0; cmovl %1,%0" : "+r"(a) : "r"(b) : "cc"); return a; }
static int flagout(int a, int b) { int z; __asm__("cmpl %2,%1" : "=@ccl"(z) : "r"(a), "r"(b)); return z; }
static u64 sar(long x, int n) { __asm__("sarq %%cl,%0" : "+r"(x) : "c"(n) : "cc"); return x; }
static void inc(int *p) { __asm__ __volatile__("lock; incl %0" : "+m"(*p) : : "memory", "cc"); }
static int dec(int *p) { unsigned char c; __asm__ __volatile__("lock; decl %0; sete %1" : "+m"(*p), "=qm"(c) : : "memory", "cc"); return c; }
static int imul(int a) { int r; __asm__("imull $7,%1,%0" : "=r"(r) : "r"(a) : "cc"); return r; }
static int clr(void) { int r; __asm__("xorl %0,%0" : "=r"(r) : : "cc"); return r; }
static u32 zx(unsigned char c) { u32 r; __asm__("movzbl %1,%0" : "=r"(r) : "q"(c)); return r; }
static int bt(u32 v, int n) { unsigned char c; __asm__("btl %2,%1; setc %0" : "=q"(c) : "r"(v), "r"(n) : "cc"); return c; }
int main(int argc, char **argv) {
  u64 s = argc > 1 ? strtoull(argv[1], 0, 0) : 88172645463325252ull;
  for (int i = 0; i < 40; i++) {
    s ^= s << 13; s ^= s >> 7; s ^= s << 17;
    u64 t = s * 2685821657736338717ull, h = s, l = t, r; int m = (int)s;
    printf("%x %llx %u %llu %llx ", rol32(s, t), (long long)ror64c(s), bsr(s | 1), (long long)bsf(t | 1ull << 63), (long long)mulhi(s, t));
    add128(&h, &l, t, s); printf("%llx %llx ", (long long)h, (long long)l);
    sub128(&h, &l, s, ~t); printf("%llx %llx ", (long long)h, (long long)l);
    u64 q = divq(s % (t | 1), t, t | 1, &r); printf("%llx %llx ", (long long)q, (long long)r);
    int k = xadd(&m, 7); printf("%d %d ", k, m); k = cas(&m, m - (i & 1), 5); printf("%d %d ", k, m); k = cas2(&m, 5, i); printf("%d %d ", k, m);
    k = xchg(&m, i * 3); printf("%d %d ", k, m); inc(&m); k = dec(&m); printf("%d %d ", k, m);
    printf("%llx %x %x %llu %d %d %d ", (long long)bsw(s), bsw32(s), bsw16(s), (long long)popc(s), carry(s, t), max(s, t), flagout(s, t));
    printf("%llx %d %d %u %d\n", (long long)sar(s, i), imul(s), clr(), zx(s), bt(s, i));
  }
  return 0;
}
