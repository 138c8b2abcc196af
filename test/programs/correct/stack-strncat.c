// Limits strncat by the room left.
// stdout: www.example.org
// stdout: archive.subdomain.e
#include <stdio.h>
#include <string.h>

static void describe(const char *host, const char *domain)
{
    char name[20] = "";
    strncat(name, host, sizeof name - 1);
    strncat(name, ".", sizeof name - strlen(name) - 1);
    strncat(name, domain, sizeof name - strlen(name) - 1);
    printf("%s\n", name);
}

int main(void)
{
    describe("www", "example.org");
    describe("archive", "subdomain.example");
    return 0;
}
