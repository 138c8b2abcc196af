// Measures an environment variable that is not set.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t width_of(const char *variable)
{
    const char *value = getenv(variable);
    return strlen(value); // expect: null-dereference read
}

int main(void)
{
    printf("%zu\n", width_of("TANGENT_TEST_VARIABLE_THAT_IS_NOT_SET"));
    return 0;
}
