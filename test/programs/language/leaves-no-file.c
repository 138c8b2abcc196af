// Writes a file and leaves it behind: inside the machine it exists, on the disk it must not.
// stdout: 3
// stdout: 0 12
// stdout: 0 3
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
    FILE *f = fopen("tangent-left-behind.txt", "w");
    fputs("left behind\n", f);
    fclose(f);
    mkdir("tangent-left-directory", 0755);
    int fd = open("tangent-left-directory/inner", O_CREAT | O_WRONLY | O_TRUNC, 0644);
    printf("%d\n", (int)write(fd, "abc", 3));
    close(fd);
    struct stat st;
    printf("%d ", stat("tangent-left-behind.txt", &st));
    printf("%d\n", (int)st.st_size);
    printf("%d ", stat("tangent-left-directory/inner", &st));
    printf("%d\n", (int)st.st_size);
    return 0;
}
