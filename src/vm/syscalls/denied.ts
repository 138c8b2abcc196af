// What the sandbox refuses, with the error number each would give there: no network, no processes, no changes to the
// machine; and what is not modelled. All of it is counted by name.

import { ERRNO } from "../errno.js";
import type { Family, SystemCall } from "./call.js";

function refuse(name: string, errno: number): SystemCall {
  return { name, handler: (kernel) => kernel.deny(name, errno) };
}

/** What asks for a socket gets the answer of any other descriptor, since there is none: nothing is refused. */
function ofSocket(name: string): SystemCall {
  return {
    name,
    handler: ({ files }, call) => (files.descriptor(call.u32(0)) === null ? -ERRNO.EBADF : -ERRNO.ENOTSOCK),
  };
}

export const SOCKETS: Family = {
  42: ofSocket("connect"),
  43: ofSocket("accept"),
  44: ofSocket("sendto"),
  45: ofSocket("recvfrom"),
  46: ofSocket("sendmsg"),
  47: ofSocket("recvmsg"),
  48: ofSocket("shutdown"),
  49: ofSocket("bind"),
  50: ofSocket("listen"),
  51: ofSocket("getsockname"),
  52: ofSocket("getpeername"),
  54: ofSocket("setsockopt"),
  55: ofSocket("getsockopt"),
  288: ofSocket("accept4"),
};

export const DENIED: Family = {
  41: refuse("socket", ERRNO.EACCES),
  53: refuse("socketpair", ERRNO.EACCES),
  56: refuse("clone", ERRNO.EPERM),
  322: refuse("execveat", ERRNO.EPERM),
  435: refuse("clone3", ERRNO.ENOSYS),
  101: refuse("ptrace", ERRNO.EPERM),
  155: refuse("pivot_root", ERRNO.EPERM),
  161: refuse("chroot", ERRNO.EPERM),
  165: refuse("mount", ERRNO.EPERM),
  166: refuse("umount2", ERRNO.EPERM),
  169: refuse("reboot", ERRNO.EPERM),
  170: refuse("sethostname", ERRNO.EPERM),
  40: refuse("sendfile", ERRNO.EINVAL),
  275: refuse("splice", ERRNO.EINVAL),
  326: refuse("copy_file_range", ERRNO.ENOSYS),
  188: refuse("setxattr", ERRNO.EOPNOTSUPP),
  189: refuse("lsetxattr", ERRNO.EOPNOTSUPP),
  190: refuse("fsetxattr", ERRNO.EOPNOTSUPP),
  191: refuse("getxattr", ERRNO.EOPNOTSUPP),
  192: refuse("lgetxattr", ERRNO.EOPNOTSUPP),
  193: refuse("fgetxattr", ERRNO.EOPNOTSUPP),
  194: refuse("listxattr", ERRNO.EOPNOTSUPP),
  195: refuse("llistxattr", ERRNO.EOPNOTSUPP),
  196: refuse("flistxattr", ERRNO.EOPNOTSUPP),
  253: refuse("inotify_init", ERRNO.ENOSYS),
  294: refuse("inotify_init1", ERRNO.ENOSYS),
  213: refuse("epoll_create", ERRNO.ENOSYS),
  291: refuse("epoll_create1", ERRNO.ENOSYS),
  290: refuse("eventfd2", ERRNO.ENOSYS),
  289: refuse("signalfd4", ERRNO.ENOSYS),
  319: refuse("memfd_create", ERRNO.ENOSYS),
  324: refuse("membarrier", ERRNO.ENOSYS),
  334: refuse("rseq", ERRNO.ENOSYS),
  437: refuse("openat2", ERRNO.ENOSYS),
};
