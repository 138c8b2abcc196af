/* musl's door to the kernel. Every system call is a call of one function that hands it to the host; there is no vDSO. */
#define __SYSCALL_LL_E(x) (x)
#define __SYSCALL_LL_O(x) (x)
#define IPC_64 0

long __tangent_syscall(long, long, long, long, long, long, long);

static __inline long __syscall0(long n) {
    return __tangent_syscall(n, 0, 0, 0, 0, 0, 0);
}
static __inline long __syscall1(long n, long a) {
    return __tangent_syscall(n, a, 0, 0, 0, 0, 0);
}
static __inline long __syscall2(long n, long a, long b) {
    return __tangent_syscall(n, a, b, 0, 0, 0, 0);
}
static __inline long __syscall3(long n, long a, long b, long c) {
    return __tangent_syscall(n, a, b, c, 0, 0, 0);
}
static __inline long __syscall4(long n, long a, long b, long c, long d) {
    return __tangent_syscall(n, a, b, c, d, 0, 0);
}
static __inline long __syscall5(long n, long a, long b, long c, long d, long e) {
    return __tangent_syscall(n, a, b, c, d, e, 0);
}
static __inline long __syscall6(long n, long a, long b, long c, long d, long e, long f) {
    return __tangent_syscall(n, a, b, c, d, e, f);
}
