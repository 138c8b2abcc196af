/* System calls on files and folders that need nothing but their arguments passed on. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <stropts.h>
#include <sys/file.h>
#include <unistd.h>

#include "syscall.h"

int access(const char *path, int mode) {
    return syscall(SYS_access, path, mode);
}
int acct(const char *path) {
    return syscall(SYS_acct, path);
}
int chdir(const char *path) {
    return syscall(SYS_chdir, path);
}
int chown(const char *path, uid_t user, gid_t group) {
    return syscall(SYS_chown, path, user, group);
}
int fchownat(int folder, const char *path, uid_t user, gid_t group, int flags) {
    return syscall(SYS_fchownat, folder, path, user, group, flags);
}
int lchown(const char *path, uid_t user, gid_t group) {
    return syscall(SYS_lchown, path, user, group);
}
int chroot(const char *path) {
    return syscall(SYS_chroot, path);
}

/* An interrupted close has closed. */
int close(int file) {
    long result = __syscall(SYS_close, file);
    return __syscall_ret(result == -EINTR ? 0 : result);
}
int posix_close(int file, int flags) {
    return close(file);
}
int dup(int file) {
    return syscall(SYS_dup, file);
}
int pipe(int files[2]) {
    return syscall(SYS_pipe, files);
}
int flock(int file, int operation) {
    return syscall(SYS_flock, file, operation);
}
int isastream(int file) {
    return fcntl(file, F_GETFD) < 0 ? -1 : 0;
}

int link(const char *old, const char *new) {
    return syscall(SYS_link, old, new);
}
int linkat(int old_folder, const char *old, int new_folder, const char *new, int flags) {
    return syscall(SYS_linkat, old_folder, old, new_folder, new, flags);
}
int symlink(const char *content, const char *path) {
    return syscall(SYS_symlink, content, path);
}
int symlinkat(const char *content, int folder, const char *path) {
    return syscall(SYS_symlinkat, content, folder, path);
}
int unlink(const char *path) {
    return syscall(SYS_unlink, path);
}
int unlinkat(int folder, const char *path, int flags) {
    return syscall(SYS_unlinkat, folder, path, flags);
}
int rmdir(const char *path) {
    return syscall(SYS_rmdir, path);
}
int renameat(int old_folder, const char *old, int new_folder, const char *new) {
    return syscall(SYS_renameat, old_folder, old, new_folder, new);
}
void sync(void) {
    __syscall(SYS_sync);
}

int fallocate(int file, int mode, off_t offset, off_t length) {
    return syscall(SYS_fallocate, file, mode, offset, length);
}
/* These two return the error instead of setting errno. */
int posix_fallocate(int file, off_t offset, off_t length) {
    return -__syscall(SYS_fallocate, file, 0, offset, length);
}
int posix_fadvise(int file, off_t offset, off_t length, int advice) {
    return -__syscall(SYS_fadvise, file, offset, length, advice);
}

char *ctermid(char *name) {
    return name ? strcpy(name, "/dev/tty") : (char *)"/dev/tty";
}
