// Locks on a file, seen by another process, by another open file, and gone when they should be.
// stdout: child: 11 11
// stdout: child sees a write lock of 10 bytes at 5, of its parent: 1
// stdout: after the parent closed one of two descriptors: 2
// stdout: open file: 11, then 0
// stdout: flock: 11, then 0
// stdout: child waited: 0
// stdout: statuses 0 0 0
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

static int lock(int file, int command, int type, long start, long length)
{
    struct flock wanted = {.l_type = (short)type, .l_whence = SEEK_SET, .l_start = start, .l_len = length};
    return fcntl(file, command, &wanted) == 0 ? 0 : errno;
}

static int in_child(void (*what)(int), int file)
{
    int status;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        what(file);
        fflush(stdout);
        _exit(0);
    }
    waitpid(child, &status, 0);
    return status;
}

static void try_locks(int file)
{
    printf("child: %d %d\n", lock(file, F_SETLK, F_WRLCK, 0, 6), lock(file, F_SETLK, F_RDLCK, 14, 0));
    struct flock found = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
    fcntl(file, F_GETLK, &found);
    printf("child sees a %s lock of %ld bytes at %ld, of its parent: %d\n", found.l_type == F_WRLCK ? "write" : "read",
           (long)found.l_len, (long)found.l_start, found.l_pid == getppid());
}

static void look(int file)
{
    struct flock found = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    fcntl(file, F_GETLK, &found);
    printf("after the parent closed one of two descriptors: %d\n", found.l_type);
}

static void wait_for_lock(int file)
{
    printf("child waited: %d\n", lock(file, F_SETLKW, F_WRLCK, 0, 0));
}

int main(void)
{
    int statuses[3];
    int file = open("locked", O_RDWR | O_CREAT | O_TRUNC, 0600);
    int second = open("locked", O_RDWR);
    unlink("locked");
    if (lock(file, F_SETLK, F_WRLCK, 5, 5) || lock(file, F_SETLK, F_WRLCK, 10, 5))
        return 1;
    statuses[0] = in_child(try_locks, file);
    close(dup(file));
    statuses[1] = in_child(look, file);

    int held = lock(file, F_OFD_SETLK, F_WRLCK, 0, 0);
    int other = lock(second, F_OFD_SETLK, F_RDLCK, 3, 1);
    lock(file, F_OFD_SETLK, F_UNLCK, 0, 0);
    printf("open file: %d, then %d\n", held == 0 ? other : -1, lock(second, F_OFD_SETLK, F_RDLCK, 3, 1));
    lock(second, F_OFD_SETLK, F_UNLCK, 0, 0);

    flock(file, LOCK_EX);
    int refused = flock(second, LOCK_SH | LOCK_NB) == 0 ? 0 : errno;
    flock(file, LOCK_UN);
    printf("flock: %d, then %d\n", refused, flock(second, LOCK_SH | LOCK_NB));
    statuses[2] = in_child(wait_for_lock, second);
    printf("statuses %d %d %d\n", statuses[0], statuses[1], statuses[2]);
    return 0;
}
