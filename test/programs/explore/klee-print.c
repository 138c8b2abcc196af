// Expressions and warnings can be looked at; the path is not changed by that.
// run: explore
// paths: 2
// says: cents: 
#include <klee/klee.h>

int main(void)
{
    int amount;
    klee_make_symbolic(&amount, sizeof amount, "amount");
    klee_print_expr("cents", amount * 100);
    klee_print_range("amount", amount);
    klee_warning("a warning");
    for (int i = 0; i < 3; i++)
        klee_warning_once("only once");
    klee_assert(klee_is_replay() || klee_is_symbolic(amount));
    if (amount == 12)
        return 1;
    return 0;
}
