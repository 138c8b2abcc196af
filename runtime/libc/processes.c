/* System calls about the process that need nothing but their arguments passed on. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/reboot.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "libc.h"
#include "syscall.h"

_Noreturn void _exit(int code) {
    _Exit(code);
}

pid_t getpid(void) {
    return __syscall(SYS_getpid);
}
pid_t getppid(void) {
    return __syscall(SYS_getppid);
}
uid_t getuid(void) {
    return __syscall(SYS_getuid);
}
uid_t geteuid(void) {
    return __syscall(SYS_geteuid);
}
gid_t getgid(void) {
    return __syscall(SYS_getgid);
}
gid_t getegid(void) {
    return __syscall(SYS_getegid);
}
int getgroups(int count, gid_t list[]) {
    return syscall(SYS_getgroups, count, list);
}
pid_t getpgid(pid_t process) {
    return syscall(SYS_getpgid, process);
}
pid_t getpgrp(void) {
    return __syscall(SYS_getpgid, 0);
}
int setpgid(pid_t process, pid_t group) {
    return syscall(SYS_setpgid, process, group);
}
pid_t setpgrp(void) {
    return setpgid(0, 0);
}
pid_t getsid(pid_t process) {
    return syscall(SYS_getsid, process);
}
int execve(const char *path, char *const arguments[], char *const environment[]) {
    return syscall(SYS_execve, path, arguments, environment);
}
/* posix_spawn, popen and system come here. The child has a memory of its own, as after fork: what it would have written
 * to its parent's, these write to a pipe. Threads are refused, and counted. */
int __clone(int (*function)(void *), void *stack, int flags, void *argument, ...) {
    if (flags & CLONE_THREAD)
        return __syscall(SYS_clone, flags, stack, 0, 0, 0);
    int child = __syscall(SYS_fork);
    if (child == 0)
        _exit(function(argument));
    return child;
}
int uname(struct utsname *name) {
    return syscall(SYS_uname, name);
}
int reboot(int command) {
    return syscall(SYS_reboot, 0xfee1dead, 672274793, command, 0);
}
int capget(void *header, void *data) {
    return syscall(SYS_capget, header, data);
}
int capset(void *header, void *data) {
    return syscall(SYS_capset, header, data);
}

int madvise(void *address, size_t length, int advice) {
    return syscall(SYS_madvise, address, length, advice);
}
int __madvise(void *address, size_t length, int advice) {
    return madvise(address, length, advice);
}
int posix_madvise(void *address, size_t length, int advice) {
    return advice == MADV_DONTNEED ? 0 : -__syscall(SYS_madvise, address, length, advice);
}
int mincore(void *address, size_t length, unsigned char *pages) {
    return syscall(SYS_mincore, address, length, pages);
}
int mlock(const void *address, size_t length) {
    return syscall(SYS_mlock, address, length);
}
int munlock(const void *address, size_t length) {
    return syscall(SYS_munlock, address, length);
}
int mlockall(int flags) {
    return syscall(SYS_mlockall, flags);
}
int munlockall(void) {
    return syscall(SYS_munlockall);
}
int mprotect(void *address, size_t length, int protection) {
    size_t start = (size_t)address & -PAGE_SIZE, end = ((size_t)address + length + PAGE_SIZE - 1) & -PAGE_SIZE;
    return syscall(SYS_mprotect, start, end - start, protection);
}
int __mprotect(void *address, size_t length, int protection) {
    return mprotect(address, length, protection);
}
