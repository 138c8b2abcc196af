/* What glibc says of error numbers. The words are an interface: scripts and tests compare them. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "glibc.h"

struct row {
    const char *name, *text;
};

#define ROW(number, words) [number] = {#number, words},
static const struct row rows[] = {
    [0] = {"0", "Success"},
    ROW(EPERM, "Operation not permitted")
    ROW(ENOENT, "No such file or directory")
    ROW(ESRCH, "No such process")
    ROW(EINTR, "Interrupted system call")
    ROW(EIO, "Input/output error")
    ROW(ENXIO, "No such device or address")
    ROW(E2BIG, "Argument list too long")
    ROW(ENOEXEC, "Exec format error")
    ROW(EBADF, "Bad file descriptor")
    ROW(ECHILD, "No child processes")
    ROW(EAGAIN, "Resource temporarily unavailable")
    ROW(ENOMEM, "Cannot allocate memory")
    ROW(EACCES, "Permission denied")
    ROW(EFAULT, "Bad address")
    ROW(ENOTBLK, "Block device required")
    ROW(EBUSY, "Device or resource busy")
    ROW(EEXIST, "File exists")
    ROW(EXDEV, "Invalid cross-device link")
    ROW(ENODEV, "No such device")
    ROW(ENOTDIR, "Not a directory")
    ROW(EISDIR, "Is a directory")
    ROW(EINVAL, "Invalid argument")
    ROW(ENFILE, "Too many open files in system")
    ROW(EMFILE, "Too many open files")
    ROW(ENOTTY, "Inappropriate ioctl for device")
    ROW(ETXTBSY, "Text file busy")
    ROW(EFBIG, "File too large")
    ROW(ENOSPC, "No space left on device")
    ROW(ESPIPE, "Illegal seek")
    ROW(EROFS, "Read-only file system")
    ROW(EMLINK, "Too many links")
    ROW(EPIPE, "Broken pipe")
    ROW(EDOM, "Numerical argument out of domain")
    ROW(ERANGE, "Numerical result out of range")
    ROW(EDEADLK, "Resource deadlock avoided")
    ROW(ENAMETOOLONG, "File name too long")
    ROW(ENOLCK, "No locks available")
    ROW(ENOSYS, "Function not implemented")
    ROW(ENOTEMPTY, "Directory not empty")
    ROW(ELOOP, "Too many levels of symbolic links")
    ROW(ENOMSG, "No message of desired type")
    ROW(EIDRM, "Identifier removed")
    ROW(ECHRNG, "Channel number out of range")
    ROW(EL2NSYNC, "Level 2 not synchronized")
    ROW(EL3HLT, "Level 3 halted")
    ROW(EL3RST, "Level 3 reset")
    ROW(ELNRNG, "Link number out of range")
    ROW(EUNATCH, "Protocol driver not attached")
    ROW(ENOCSI, "No CSI structure available")
    ROW(EL2HLT, "Level 2 halted")
    ROW(EBADE, "Invalid exchange")
    ROW(EBADR, "Invalid request descriptor")
    ROW(EXFULL, "Exchange full")
    ROW(ENOANO, "No anode")
    ROW(EBADRQC, "Invalid request code")
    ROW(EBADSLT, "Invalid slot")
    ROW(EBFONT, "Bad font file format")
    ROW(ENOSTR, "Device not a stream")
    ROW(ENODATA, "No data available")
    ROW(ETIME, "Timer expired")
    ROW(ENOSR, "Out of streams resources")
    ROW(ENONET, "Machine is not on the network")
    ROW(ENOPKG, "Package not installed")
    ROW(EREMOTE, "Object is remote")
    ROW(ENOLINK, "Link has been severed")
    ROW(EADV, "Advertise error")
    ROW(ESRMNT, "Srmount error")
    ROW(ECOMM, "Communication error on send")
    ROW(EPROTO, "Protocol error")
    ROW(EMULTIHOP, "Multihop attempted")
    ROW(EDOTDOT, "RFS specific error")
    ROW(EBADMSG, "Bad message")
    ROW(EOVERFLOW, "Value too large for defined data type")
    ROW(ENOTUNIQ, "Name not unique on network")
    ROW(EBADFD, "File descriptor in bad state")
    ROW(EREMCHG, "Remote address changed")
    ROW(ELIBACC, "Can not access a needed shared library")
    ROW(ELIBBAD, "Accessing a corrupted shared library")
    ROW(ELIBSCN, ".lib section in a.out corrupted")
    ROW(ELIBMAX, "Attempting to link in too many shared libraries")
    ROW(ELIBEXEC, "Cannot exec a shared library directly")
    ROW(EILSEQ, "Invalid or incomplete multibyte or wide character")
    ROW(ERESTART, "Interrupted system call should be restarted")
    ROW(ESTRPIPE, "Streams pipe error")
    ROW(EUSERS, "Too many users")
    ROW(ENOTSOCK, "Socket operation on non-socket")
    ROW(EDESTADDRREQ, "Destination address required")
    ROW(EMSGSIZE, "Message too long")
    ROW(EPROTOTYPE, "Protocol wrong type for socket")
    ROW(ENOPROTOOPT, "Protocol not available")
    ROW(EPROTONOSUPPORT, "Protocol not supported")
    ROW(ESOCKTNOSUPPORT, "Socket type not supported")
    ROW(EOPNOTSUPP, "Operation not supported")
    ROW(EPFNOSUPPORT, "Protocol family not supported")
    ROW(EAFNOSUPPORT, "Address family not supported by protocol")
    ROW(EADDRINUSE, "Address already in use")
    ROW(EADDRNOTAVAIL, "Cannot assign requested address")
    ROW(ENETDOWN, "Network is down")
    ROW(ENETUNREACH, "Network is unreachable")
    ROW(ENETRESET, "Network dropped connection on reset")
    ROW(ECONNABORTED, "Software caused connection abort")
    ROW(ECONNRESET, "Connection reset by peer")
    ROW(ENOBUFS, "No buffer space available")
    ROW(EISCONN, "Transport endpoint is already connected")
    ROW(ENOTCONN, "Transport endpoint is not connected")
    ROW(ESHUTDOWN, "Cannot send after transport endpoint shutdown")
    ROW(ETOOMANYREFS, "Too many references: cannot splice")
    ROW(ETIMEDOUT, "Connection timed out")
    ROW(ECONNREFUSED, "Connection refused")
    ROW(EHOSTDOWN, "Host is down")
    ROW(EHOSTUNREACH, "No route to host")
    ROW(EALREADY, "Operation already in progress")
    ROW(EINPROGRESS, "Operation now in progress")
    ROW(ESTALE, "Stale file handle")
    ROW(EUCLEAN, "Structure needs cleaning")
    ROW(ENOTNAM, "Not a XENIX named type file")
    ROW(ENAVAIL, "No XENIX semaphores available")
    ROW(EISNAM, "Is a named type file")
    ROW(EREMOTEIO, "Remote I/O error")
    ROW(EDQUOT, "Disk quota exceeded")
    ROW(ENOMEDIUM, "No medium found")
    ROW(EMEDIUMTYPE, "Wrong medium type")
    ROW(ECANCELED, "Operation canceled")
    ROW(ENOKEY, "Required key not available")
    ROW(EKEYEXPIRED, "Key has expired")
    ROW(EKEYREVOKED, "Key has been revoked")
    ROW(EKEYREJECTED, "Key was rejected by service")
    ROW(EOWNERDEAD, "Owner died")
    ROW(ENOTRECOVERABLE, "State not recoverable")
    ROW(ERFKILL, "Operation not possible due to RF-kill")
    ROW(EHWPOISON, "Memory page has hardware error")
};

static const struct row *find(int number) {
    if (number < 0 || number >= (int)(sizeof rows / sizeof *rows) || !rows[number].name) return 0;
    return rows + number;
}

const char *glibc_strerrorname_np(int number) {
    const struct row *row = find(number);
    return row ? row->name : 0;
}

const char *glibc_strerrordesc_np(int number) {
    const struct row *row = find(number);
    return row ? row->text : 0;
}

char *glibc_strerror_r(int number, char *buffer, size_t size) {
    const struct row *row = find(number);
    if (row) return (char *)row->text;
    snprintf(buffer, size, "Unknown error %d", number);
    return buffer;
}

char *glibc_strerror(int number) {
    static char unknown[UNKNOWN_ERROR];
    return glibc_strerror_r(number, unknown, sizeof unknown);
}

char *glibc_strerror_l(int number, void *locale) {
    return glibc_strerror(number);
}

int glibc___xpg_strerror_r(int number, char *buffer, size_t size) {
    const struct row *row = find(number);
    char unknown[UNKNOWN_ERROR];
    const char *text = glibc_strerror_r(number, unknown, sizeof unknown);
    if (size) {
        strncpy(buffer, text, size - 1);
        buffer[size - 1] = 0;
    }
    if (!row) return EINVAL;
    return strlen(text) < size ? 0 : ERANGE;
}

void glibc_perror(const char *prefix) {
    char unknown[UNKNOWN_ERROR];
    const char *text = glibc_strerror_r(errno, unknown, sizeof unknown);
    if (prefix && *prefix)
        fprintf(glibc_stderr, "%s: %s\n", prefix, text);
    else
        fprintf(glibc_stderr, "%s\n", text);
}
