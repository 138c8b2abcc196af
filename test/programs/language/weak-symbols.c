// Weak definitions, undefined weak references, aliases, sections and visibility.
// stdout: 0 0
// stdout: 21
// stdout: 40
// stdout: 40
// stdout: 6 6 9 13
// stdout: 1
#include <stdio.h>

extern int missing_variable __attribute__((weak));
extern int missing_function(int) __attribute__((weak));

__attribute__((weak)) int hook(int x) { return x + 1; }
int implementation(int x) { return x * 2; }
int alias(int) __attribute__((alias("implementation")));
extern int weak_alias(int) __attribute__((weak, alias("implementation")));

int shared = 5;
extern int other_name __attribute__((alias("shared")));
int tentative;
int tentative;
__attribute__((visibility("hidden"))) int hidden_value = 9;
__attribute__((section("tangent_data"))) int placed = 13;
static int (*const table[])(int) = { hook, alias, weak_alias };

int main(void)
{
    printf("%d %d\n", &missing_variable != NULL, missing_function != NULL);
    if (missing_function)
        printf("%d\n", missing_function(1));
    for (int i = 0; i < 3; i++)
        printf("%d\n", table[i](20));
    other_name++;
    tentative += shared;
    printf("%d %d %d %d\n", shared, tentative, hidden_value, placed);
    printf("%d\n", (void *)alias == (void *)implementation);
    return 0;
}
