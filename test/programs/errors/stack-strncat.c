// Limits strncat by the size of the whole buffer instead of the room left.
#include <stdio.h>
#include <string.h>

static void describe(const char *host, const char *domain)
{
    char name[20] = "";
    strncat(name, host, sizeof name - 1);
    strncat(name, ".", sizeof name - strlen(name) - 1);
    strncat(name, domain, sizeof name - 1); // expect: stack-buffer-overflow write
    printf("%s\n", name);
}

int main(void)
{
    describe("www", "example.org");
    describe("archive", "subdomain.example");
    return 0;
}
