// The error numbers of Linux on x86-64 that our system calls answer with. Handlers return them negated, as the kernel
// does, so that no exception is made on the way of an ordinary failure such as "no such file".

export const ERRNO = {
  EPERM: 1,
  ENOENT: 2,
  ESRCH: 3,
  EINTR: 4,
  EIO: 5,
  ENXIO: 6,
  E2BIG: 7,
  ENOEXEC: 8,
  EBADF: 9,
  ECHILD: 10,
  EAGAIN: 11,
  ENOMEM: 12,
  EACCES: 13,
  EFAULT: 14,
  EBUSY: 16,
  EEXIST: 17,
  EXDEV: 18,
  ENODEV: 19,
  ENOTDIR: 20,
  EISDIR: 21,
  EINVAL: 22,
  ENFILE: 23,
  EMFILE: 24,
  ENOTTY: 25,
  ETXTBSY: 26,
  EFBIG: 27,
  ENOSPC: 28,
  ESPIPE: 29,
  EROFS: 30,
  EMLINK: 31,
  EPIPE: 32,
  EDOM: 33,
  ERANGE: 34,
  ENAMETOOLONG: 36,
  ENOSYS: 38,
  ENOTEMPTY: 39,
  ELOOP: 40,
  ENOMSG: 42,
  EIDRM: 43,
  ENODATA: 61,
  EOVERFLOW: 75,
  ENOTSOCK: 88,
  EAFNOSUPPORT: 97,
  EOPNOTSUPP: 95,
  ETIMEDOUT: 110,
} as const;

/**
 * The negated error number of something Node's file system functions threw. Rethrows what is no system error.
 * An offset or a size that Node refuses is one that no file has.
 */
export function errnoOf(error: unknown): number {
  if (error instanceof Error && "errno" in error && typeof error.errno === "number" && error.errno < 0) {
    return error.errno;
  }
  // Node's own permission model, behind which a worker does its items.
  if (error instanceof Error && "code" in error && error.code === "ERR_ACCESS_DENIED") return -ERRNO.EACCES;
  if (error instanceof RangeError && "code" in error && error.code === "ERR_OUT_OF_RANGE") return -ERRNO.EINVAL;
  throw error;
}
