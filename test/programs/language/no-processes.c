// Starting processes and connecting to the network may fail, but politely: with an error, not with the end of the run.
// stdout: 1
// stdout: 1
// stdout: 1
// stdout: -1 1
// stdout: 1
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    FILE *p = popen("exit 0", "r");
    if (p)
        pclose(p);
    printf("%d\n", p != NULL || errno != 0);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    if (child > 0)
        waitpid(child, NULL, 0);
    printf("%d\n", child > 0 || errno != 0);
    printf("%d\n", system("exit 0") != 77);
    char *const arguments[] = { "nothing", NULL };
    printf("%d ", execv("/no/such/program", arguments));
    printf("%d\n", errno != 0);
    int s = socket(AF_INET, SOCK_STREAM, 0);
    printf("%d\n", s >= 0 || errno != 0);
    if (s >= 0)
        close(s);
    return 0;
}
