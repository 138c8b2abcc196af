// C11 atomics and the older builtins, as one thread sees them.
// stdout: 5
// stdout: 8
// stdout: 11
// stdout: 0 11
// stdout: 1 99
// stdout: 99
// stdout: 10000000002
// stdout: 100000000f2
// stdout: 0
// stdout: 1
// stdout: 0
// stdout: 3 4
// stdout: 7
// stdout: 17
// stdout: 1
// stdout: 1
// stdout: -3
// stdout: 4 -5
// stdout: 8 1
// stdout: 1.5 4.5
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

static atomic_int counter = 5;
static _Atomic(uint64_t) wide;
static atomic_flag lock = ATOMIC_FLAG_INIT;
struct pair { int a, b; };
static _Atomic struct pair both;

int main(void)
{
    printf("%d\n", atomic_fetch_add(&counter, 3));
    printf("%d\n", atomic_load(&counter));
    counter += 2;
    counter++;
    printf("%d\n", counter);
    int expected = 10;
    bool done = atomic_compare_exchange_strong(&counter, &expected, 99);
    printf("%d %d\n", done, expected);
    done = atomic_compare_exchange_strong_explicit(&counter, &expected, 99, memory_order_acq_rel, memory_order_relaxed);
    printf("%d %d\n", done, counter);
    printf("%d\n", atomic_exchange(&counter, 1));
    atomic_store(&wide, 1ull << 40);
    atomic_fetch_or(&wide, 3);
    atomic_fetch_and_explicit(&wide, ~1ull, memory_order_release);
    printf("%llx\n", (unsigned long long)atomic_fetch_xor(&wide, 0xf0));
    printf("%llx\n", (unsigned long long)wide);
    printf("%d\n", atomic_flag_test_and_set(&lock));
    printf("%d\n", atomic_flag_test_and_set(&lock));
    atomic_flag_clear(&lock);
    printf("%d\n", atomic_flag_test_and_set(&lock));
    atomic_store(&both, ((struct pair){ 3, 4 }));
    struct pair p = atomic_load(&both);
    printf("%d %d\n", p.a, p.b);
    long old = 7;
    printf("%ld\n", __sync_fetch_and_add(&old, 5));
    printf("%ld\n", __sync_add_and_fetch(&old, 5));
    printf("%d\n", __sync_bool_compare_and_swap(&old, 17, 1));
    printf("%ld\n", old);
    printf("%ld\n", __atomic_sub_fetch(&old, 4, __ATOMIC_SEQ_CST));
    unsigned char byte = 250;
    __atomic_fetch_add(&byte, 10, __ATOMIC_RELAXED);
    short number = 5;
    __atomic_nand_fetch(&number, 4, __ATOMIC_RELAXED);
    printf("%d %d\n", byte, number);
    atomic_thread_fence(memory_order_seq_cst);
    __sync_synchronize();
    int *slots[2] = { 0 }, value = 8;
    __atomic_store_n(&slots[1], &value, __ATOMIC_RELEASE);
    printf("%d %d\n", *__atomic_load_n(&slots[1], __ATOMIC_ACQUIRE), atomic_is_lock_free(&counter));
    _Atomic double real = 1.5;
    double before = atomic_exchange(&real, 4.5);
    printf("%g %g\n", before, (double)real);
    return 0;
}
