// File descriptors: open flags, pread and pwrite, lseek past the end, dup, truncation, links, permissions, vectors.
// stdout: 1 1
// stdout: 10
// stdout: 4 3456
// stdout: 2 10
// stdout: 20 1
// stdout: 21 01234XY789 0 !
// stdout: 3 234
// stdout: 0
// stdout: 8 640
// stdout: 01234XY7
// stdout: -1 1
// stdout: 0
// stdout: 400
// stdout: 0
// stdout: tangent-low-level
// stdout: 1
// stdout: 6 01 234X
// stdout: 1
// stdout: 0 0
// stdout: 0 0 1
// stdout: 1
// stdout: 1
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define NAME "tangent-low-level"

int main(void)
{
    int fd = open(NAME, O_RDWR | O_CREAT | O_TRUNC, 0640);
    printf("%d %d\n", fd >= 0, open(NAME, O_CREAT | O_EXCL | O_RDWR, 0600) == -1 && errno == EEXIST);
    printf("%d\n", (int)write(fd, "0123456789", 10));
    char buffer[32] = "";
    printf("%d ", (int)pread(fd, buffer, 4, 3));
    printf("%.4s\n", buffer);
    printf("%d ", (int)pwrite(fd, "XY", 2, 5));
    printf("%d\n", (int)lseek(fd, 0, SEEK_CUR));
    printf("%d ", (int)lseek(fd, 20, SEEK_SET));
    printf("%d\n", (int)write(fd, "!", 1));
    lseek(fd, 0, SEEK_SET);
    int n = (int)read(fd, buffer, sizeof buffer);
    printf("%d %.10s %d %c\n", n, buffer, buffer[15], buffer[20]);
    int copy = dup(fd);
    lseek(copy, 2, SEEK_SET);
    n = (int)read(fd, buffer, 3);
    printf("%d %.3s\n", n, buffer);
    printf("%d\n", ftruncate(fd, 8));
    struct stat st;
    fstat(fd, &st);
    printf("%lld %o\n", (long long)st.st_size, st.st_mode & 0777);
    char *map = mmap(NULL, 8, PROT_READ, MAP_PRIVATE, fd, 0);
    printf("%.8s\n", map);
    munmap(map, 8);
    close(copy);
    close(fd);
    printf("%d ", (int)read(fd, buffer, 1));
    printf("%d\n", errno == EBADF);
    printf("%d\n", chmod(NAME, 0400));
    stat(NAME, &st);
    printf("%o\n", st.st_mode & 0777);
    printf("%d\n", symlink(NAME, NAME ".link"));
    n = (int)readlink(NAME ".link", buffer, sizeof buffer);
    printf("%.*s\n", n, buffer);
    lstat(NAME ".link", &st);
    printf("%d\n", S_ISLNK(st.st_mode));
    fd = open(NAME ".link", O_RDONLY);
    struct iovec parts[2] = { { buffer, 2 }, { buffer + 10, 4 } };
    printf("%d", (int)readv(fd, parts, 2));
    printf(" %.2s %.4s\n", buffer, buffer + 10);
    fd_set set;
    FD_ZERO(&set);
    FD_SET(fd, &set);
    printf("%d\n", select(fd + 1, &set, NULL, NULL, &(struct timeval){ 0, 0 }));
    printf("%d %d\n", isatty(fd), fcntl(fd, F_GETFL) & O_ACCMODE);
    close(fd);
    printf("%d ", unlink(NAME ".link"));
    printf("%d ", unlink(NAME));
    printf("%d\n", unlink(NAME) == -1 && errno == ENOENT);
    printf("%d\n", open("/", O_WRONLY) == -1 && errno == EISDIR);
    printf("%d\n", (int)write(99, "x", 1) == -1 && errno == EBADF);
    return 0;
}
