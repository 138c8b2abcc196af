// Measures an environment variable if it is set.
// stdout: 0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t width_of(const char *variable)
{
    const char *value = getenv(variable);
    return value ? strlen(value) : 0;
}

int main(void)
{
    printf("%zu\n", width_of("TANGENT_TEST_VARIABLE_THAT_IS_NOT_SET"));
    return 0;
}
