/* What calls become when a program is compiled with _FORTIFY_SOURCE: the size of the buffer is checked, then the function
   does its work. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <syslog.h>
#include <unistd.h>
#include <wchar.h>

#include "glibc.h"

_Noreturn void glibc___chk_fail(void) {
    fputs("*** buffer overflow detected ***: terminated\n", glibc_stderr);
    abort();
}

static void must_fit(size_t need, size_t room) {
    if (need > room) glibc___chk_fail();
}

void *glibc___memcpy_chk(void *to, const void *from, size_t size, size_t room) {
    must_fit(size, room);
    return memcpy(to, from, size);
}
void *glibc___memmove_chk(void *to, const void *from, size_t size, size_t room) {
    must_fit(size, room);
    return memmove(to, from, size);
}
void *glibc___mempcpy_chk(void *to, const void *from, size_t size, size_t room) {
    must_fit(size, room);
    return mempcpy(to, from, size);
}
void *glibc___memset_chk(void *to, int byte, size_t size, size_t room) {
    must_fit(size, room);
    return memset(to, byte, size);
}
void glibc___explicit_bzero_chk(void *to, size_t size, size_t room) {
    must_fit(size, room);
    explicit_bzero(to, size);
}
char *glibc___strcpy_chk(char *to, const char *from, size_t room) {
    must_fit(strlen(from) + 1, room);
    return strcpy(to, from);
}
char *glibc___stpcpy_chk(char *to, const char *from, size_t room) {
    must_fit(strlen(from) + 1, room);
    return stpcpy(to, from);
}
char *glibc___strncpy_chk(char *to, const char *from, size_t size, size_t room) {
    must_fit(size, room);
    return strncpy(to, from, size);
}
char *glibc___stpncpy_chk(char *to, const char *from, size_t size, size_t room) {
    must_fit(size, room);
    return stpncpy(to, from, size);
}
char *glibc___strcat_chk(char *to, const char *from, size_t room) {
    must_fit(strlen(to) + strlen(from) + 1, room);
    return strcat(to, from);
}
char *glibc___strncat_chk(char *to, const char *from, size_t size, size_t room) {
    must_fit(strlen(to) + strnlen(from, size) + 1, room);
    return strncat(to, from, size);
}
wchar_t *glibc___wmemcpy_chk(wchar_t *to, const wchar_t *from, size_t count, size_t room) {
    must_fit(count, room);
    return wmemcpy(to, from, count);
}
wchar_t *glibc___wcscpy_chk(wchar_t *to, const wchar_t *from, size_t room) {
    must_fit(wcslen(from) + 1, room);
    return wcscpy(to, from);
}

ssize_t glibc___read_chk(int file, void *buffer, size_t size, size_t room) {
    must_fit(size, room);
    return read(file, buffer, size);
}
ssize_t glibc___pread_chk(int file, void *buffer, size_t size, off_t offset, size_t room) {
    must_fit(size, room);
    return pread(file, buffer, size, offset);
}
ssize_t glibc___readlink_chk(const char *path, char *buffer, size_t size, size_t room) {
    must_fit(size, room);
    return readlink(path, buffer, size);
}
ssize_t glibc___readlinkat_chk(int folder, const char *path, char *buffer, size_t size, size_t room) {
    must_fit(size, room);
    return readlinkat(folder, path, buffer, size);
}
ssize_t glibc___recv_chk(int file, void *buffer, size_t size, size_t room, int flags) {
    must_fit(size, room);
    return recv(file, buffer, size, flags);
}
size_t glibc___fread_chk(void *buffer, size_t room, size_t size, size_t count, FILE *stream) {
    if (size && count > room / size) glibc___chk_fail();
    return fread(buffer, size, count, stream);
}
size_t glibc___fread_unlocked_chk(void *buffer, size_t room, size_t size, size_t count, FILE *stream) {
    return glibc___fread_chk(buffer, room, size, count, stream);
}
char *glibc___fgets_chk(char *buffer, size_t room, int size, FILE *stream) {
    must_fit((size_t)size, room);
    return fgets(buffer, size, stream);
}
char *glibc___fgets_unlocked_chk(char *buffer, size_t room, int size, FILE *stream) {
    return glibc___fgets_chk(buffer, room, size, stream);
}
char *glibc___getcwd_chk(char *buffer, size_t size, size_t room) {
    must_fit(size, room);
    return getcwd(buffer, size);
}
char *glibc___realpath_chk(const char *path, char *buffer, size_t room) {
    must_fit(PATH_MAX, room);
    return glibc_realpath(path, buffer);
}
int glibc___gethostname_chk(char *buffer, size_t size, size_t room) {
    must_fit(size, room);
    return gethostname(buffer, size);
}
int glibc___poll_chk(struct pollfd *files, nfds_t count, int timeout, size_t room) {
    must_fit(count * sizeof *files, room);
    return poll(files, count, timeout);
}
int glibc___open_2(const char *path, int flags) {
    return open(path, flags);
}
int glibc___openat_2(int folder, const char *path, int flags) {
    return openat(folder, path, flags);
}
long glibc___fdelt_chk(long file) {
    if (file < 0 || file >= FD_SETSIZE) glibc___chk_fail();
    return file / 64;
}
int glibc___wctomb_chk(char *text, wchar_t wide, size_t room) {
    must_fit(MB_CUR_MAX, room);
    return wctomb(text, wide);
}
size_t glibc___mbstowcs_chk(wchar_t *wide, const char *text, size_t size, size_t room) {
    must_fit(size, room);
    return mbstowcs(wide, text, size);
}

/* ------------------------------------------------------------ formatted output */

int glibc___vfprintf_chk(FILE *stream, int flag, const char *format, va_list arguments) {
    return glibc_vfprintf(stream, format, arguments);
}
int glibc___vprintf_chk(int flag, const char *format, va_list arguments) {
    return glibc_vfprintf(glibc_stdout, format, arguments);
}
int glibc___vsnprintf_chk(char *buffer, size_t size, int flag, size_t room, const char *format, va_list arguments) {
    must_fit(size, room);
    return glibc_vsnprintf(buffer, size, format, arguments);
}
int glibc___vsprintf_chk(char *buffer, int flag, size_t room, const char *format, va_list arguments) {
    int length = glibc_vsnprintf(buffer, room, format, arguments);
    if (length >= 0) must_fit((size_t)length + 1, room);
    return length;
}
int glibc___vasprintf_chk(char **result, int flag, const char *format, va_list arguments) {
    return glibc_vasprintf(result, format, arguments);
}
int glibc_vdprintf(int file, const char *format, va_list arguments);
int glibc___vdprintf_chk(int file, int flag, const char *format, va_list arguments) {
    return glibc_vdprintf(file, format, arguments);
}
void glibc___vsyslog_chk(int priority, int flag, const char *format, va_list arguments) {
    vsyslog(priority, format, arguments);
}

int glibc___printf_chk(int flag, const char *format, ...) {
    WITH_ARGUMENTS(glibc_vfprintf(glibc_stdout, format, arguments));
}
int glibc___fprintf_chk(FILE *stream, int flag, const char *format, ...) {
    WITH_ARGUMENTS(glibc_vfprintf(stream, format, arguments));
}
int glibc___sprintf_chk(char *buffer, int flag, size_t room, const char *format, ...) {
    WITH_ARGUMENTS(glibc___vsprintf_chk(buffer, flag, room, format, arguments));
}
int glibc___snprintf_chk(char *buffer, size_t size, int flag, size_t room, const char *format, ...) {
    WITH_ARGUMENTS(glibc___vsnprintf_chk(buffer, size, flag, room, format, arguments));
}
int glibc___asprintf_chk(char **result, int flag, const char *format, ...) {
    WITH_ARGUMENTS(glibc_vasprintf(result, format, arguments));
}
int glibc___dprintf_chk(int file, int flag, const char *format, ...) {
    WITH_ARGUMENTS(glibc_vdprintf(file, format, arguments));
}
void glibc___syslog_chk(int priority, int flag, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsyslog(priority, format, arguments);
    va_end(arguments);
}
