// A system call by its number is given as many arguments as it has, and libc's function reads six of any.
// stdout: written
// stdout: 8 1 1 16384
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    long written = syscall(SYS_write, 1, "written\n", 8L);
    int own = syscall(SYS_getpid) == getpid();
    char *room = (char *)syscall(SYS_mmap, NULL, 16384L, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0L);
    room[16383] = 1;
    int removed = syscall(SYS_munmap, room, 16384L) == 0;
    printf("%ld %d %d %d\n", written, own, removed, 16384);
    return 0;
}
