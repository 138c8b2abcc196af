// What every system call reads and writes through its pointers, in one table. The dispatcher checks all of it before the
// call's own code runs, by the states that ordinary accesses are checked by: a buffer that is too small, freed or out of
// scope is a finding at the caller's line, as AddressSanitizer's interceptors report it. The kernel itself would
// answer EFAULT at best, and mostly write into whatever lies there.
//
// A pointer to nothing (NULL, below the program, a page that was unmapped or protected) is no finding here: the kernel
// answers EFAULT, some programs ask for just that, and so do we (guest-pointers.ts draws the line). Only read and write and
// their like report those too, as they always did: data that goes nowhere is no question but a mistake.
//
// What a call reads is also what it depends on: symbolic bytes there become what they are on this run, here for all calls.
//
// A call whose transfer is smaller than its buffer checks what it moves itself (`moved`), or a generous size would be a
// false alarm. A new system call needs an entry here; a test compares this table with the families.

import { PATH_LIMIT } from "../files/overlay-tree.js";
import type { Kernel } from "../kernel.js";
import type { Call } from "./call.js";
import { MESSAGE_TYPE_SIZE, MOST_OPERATIONS, MOST_TEXT, OPERATION_SIZE } from "./system-v.js";

type Size = number | ((call: Call) => number);

type Role =
  | { readonly kind: "path"; readonly argument: number }
  | { readonly kind: "read" | "write" | "update"; readonly argument: number; readonly size: Size }
  | { readonly kind: "moved"; readonly argument: number };

/** A string, of which the kernel reads no more than PATH_MAX bytes. */
const path = (argument: number): Role => ({ kind: "path", argument });
/** A structure or list that the call reads. */
const takes = (argument: number, size: Size): Role => ({ kind: "read", argument, size });
/** A structure or list that the call writes. */
const gives = (argument: number, size: Size): Role => ({ kind: "write", argument, size });
/** One that the call reads first and writes then. */
const updates = (argument: number, size: Size): Role => ({ kind: "update", argument, size });
/** As many bytes as are really moved, or as another argument decides: the call's own code checks them. */
const moved = (argument: number): Role => ({ kind: "moved", argument });
/** As many elements as another argument says, up to a number above which the call fails anyway. */
const times =
  (argument: number, unit: number, most = 1024) =>
  (call: Call): number => {
    const count = call.i64(argument);
    return count > 0 && count <= most ? count * unit : 0;
  };
/** Bits of a set of descriptors, in words as the kernel reads them. */
const bitsOf = (call: Call): number => (call.i32(0) > 0 && call.i32(0) <= 1024 ? Math.ceil(call.i32(0) / 64) * 8 : 0);

/** A message's type and text, if it is one that may be sent. */
const messageOf = (call: Call): number =>
  call.i64(2) >= 0 && call.i64(2) <= MOST_TEXT ? MESSAGE_TYPE_SIZE + call.i64(2) : 0;
const operations = times(2, OPERATION_SIZE, MOST_OPERATIONS);

const NONE: readonly Role[] = [];
const STATUS = 144;
const EXTENDED_STATUS = 256;
const SPACE = 120;
const TIME = 16;
const TIMES = 32;
const IOVEC = 16;
const POLL = 8;
const SIGNAL_SET = 8;
const SIGNAL_ACTION = 32;
const SIGNAL_STACK = 24;
/** What the kernel looks at of a sigevent: the value, the signal, the kind and a thread. */
const SIGNAL_EVENT = 20;
const LIMIT = 16;
const RANDOM_MOST = 0x1ff_ffff;
const ADDRESS_MOST = 128;

export const BUFFERS: Readonly<Record<string, readonly Role[]>> = {
  // Data.
  ...{ read: [moved(1)], write: [moved(1)], pread64: [moved(1)], pwrite64: [moved(1)] },
  ...{ readv: [takes(1, times(2, IOVEC))], writev: [takes(1, times(2, IOVEC))] },
  ...{ preadv: [takes(1, times(2, IOVEC))], pwritev: [takes(1, times(2, IOVEC))] },

  // Files by name.
  ...{ open: [path(0)], openat: [path(1)], creat: [path(0)] },
  ...{ stat: [path(0), gives(1, STATUS)], lstat: [path(0), gives(1, STATUS)], fstat: [gives(1, STATUS)] },
  ...{ newfstatat: [path(1), gives(2, STATUS)], statx: [path(1), gives(4, EXTENDED_STATUS)] },
  ...{ statfs: [path(0), gives(1, SPACE)], fstatfs: [gives(1, SPACE)] },
  ...{ access: [path(0)], faccessat: [path(1)], faccessat2: [path(1)] },
  ...{ rename: [path(0), path(1)], renameat: [path(1), path(3)], renameat2: [path(1), path(3)] },
  ...{ link: [path(0), path(1)], linkat: [path(1), path(3)], unlink: [path(0)], unlinkat: [path(1)] },
  ...{ symlink: [path(0), path(1)], symlinkat: [path(0), path(2)] },
  ...{ readlink: [path(0), moved(1)], readlinkat: [path(1), moved(2)] },
  ...{ mkdir: [path(0)], mkdirat: [path(1)], rmdir: [path(0)], mknod: [path(0)], mknodat: [path(1)] },
  ...{ chmod: [path(0)], fchmod: NONE, fchmodat: [path(1)], fchmodat2: [path(1)] },
  ...{ chown: [path(0)], fchown: NONE, lchown: [path(0)], fchownat: [path(1)] },
  ...{ truncate: [path(0)], ftruncate: NONE },
  ...{ utime: [path(0), takes(1, TIME)], utimes: [path(0), takes(1, TIMES)] },
  ...{ futimesat: [path(1), takes(2, TIMES)], utimensat: [path(1), takes(2, TIMES)] },
  ...{ chdir: [path(0)], getcwd: [moved(0)] },

  // Descriptors. What ioctl and fcntl point to depends on the request.
  ...{ close: NONE, lseek: NONE, ioctl: [moved(2)], fcntl: [moved(2)], pipe: [gives(0, 8)], pipe2: [gives(0, 8)] },
  ...{ dup: NONE, dup2: NONE, dup3: NONE, flock: NONE, fsync: NONE, fdatasync: NONE, sync: NONE, syncfs: NONE },
  ...{ fadvise64: NONE, fallocate: NONE, close_range: NONE, getdents64: [moved(1)], fchdir: NONE, umask: NONE },
  ...{ poll: [updates(0, times(1, POLL))], ppoll: [updates(0, times(1, POLL)), takes(2, TIME), takes(3, SIGNAL_SET)] },
  select: [updates(1, bitsOf), updates(2, bitsOf), updates(3, bitsOf), takes(4, TIME)],
  pselect6: [updates(1, bitsOf), updates(2, bitsOf), updates(3, bitsOf), takes(4, TIME), takes(5, 16)],

  // Memory: these are about the pages, and touch nothing in them.
  ...{ mmap: NONE, mprotect: NONE, munmap: NONE, brk: NONE, mremap: NONE, msync: NONE, madvise: NONE },
  mincore: [moved(2)],
  ...{ mlock: NONE, munlock: NONE, mlockall: NONE, munlockall: NONE },

  // Time. What is left of a sleep is written only if it was cut short.
  ...{ nanosleep: [takes(0, TIME), moved(1)], clock_nanosleep: [takes(2, TIME), moved(3)] },
  ...{ gettimeofday: [gives(0, TIME), gives(1, 8)], time: [gives(0, 8)], times: [gives(0, 32)] },
  ...{ clock_gettime: [gives(1, TIME)], clock_getres: [gives(1, TIME)] },
  ...{ clock_settime: [takes(1, TIME)], settimeofday: [takes(0, TIME), takes(1, 8)], alarm: NONE },
  ...{ getitimer: [gives(1, TIMES)], setitimer: [takes(1, TIMES), gives(2, TIMES)] },
  ...{ timer_create: [takes(1, SIGNAL_EVENT), gives(2, 4)], timer_settime: [takes(2, TIMES), gives(3, TIMES)] },
  ...{ timer_gettime: [gives(1, TIMES)], timer_getoverrun: NONE, timer_delete: NONE },

  // The process.
  ...{ exit: NONE, exit_group: NONE, getpid: NONE, getppid: NONE, gettid: NONE, getpgrp: NONE, getpgid: NONE },
  ...{ getsid: NONE, setpgid: NONE, setsid: NONE, getuid: NONE, getgid: NONE, geteuid: NONE, getegid: NONE },
  ...{ setuid: NONE, setgid: NONE, setreuid: NONE, setregid: NONE, setresuid: NONE, setresgid: NONE },
  ...{ getresuid: [gives(0, 4), gives(1, 4), gives(2, 4)], getresgid: [gives(0, 4), gives(1, 4), gives(2, 4)] },
  ...{ setfsuid: NONE, setfsgid: NONE, getgroups: [moved(1)], setgroups: [takes(1, times(0, 4, 0x1_0000))] },
  ...{ uname: [gives(0, 390)], getrusage: [gives(1, 144)], sysinfo: [gives(0, 112)] },
  ...{ getrlimit: [gives(1, LIMIT)], setrlimit: [takes(1, LIMIT)], prlimit64: [takes(2, LIMIT), gives(3, LIMIT)] },
  ...{ getpriority: NONE, setpriority: NONE, sched_yield: NONE, getcpu: [gives(0, 4), gives(1, 4)] },
  ...{ sched_setaffinity: [takes(2, times(1, 1))], sched_getaffinity: [gives(2, (call) => (call.u32(1) < 8 ? 0 : 8))] },
  ...{ personality: NONE, prctl: NONE, arch_prctl: NONE, futex: [takes(0, 4)] },
  ...{ threads: NONE, thread_waits: NONE },
  ...{
    set_tid_address: NONE,
    set_robust_list: NONE,
    get_robust_list: [gives(1, 8), gives(2, 8)],
    getrandom: [gives(0, times(1, 1, RANDOM_MOST))],
  },
  ...{ fork: NONE, vfork: NONE, execve: [path(0)] },
  ...{ wait4: [gives(1, 4), gives(3, 144)], waitid: [gives(2, 128), gives(4, 144)] },

  // System V's objects. What the ctl calls point to depends on the command.
  ...{ msgget: NONE, msgsnd: [takes(1, messageOf)], msgrcv: [moved(1)], msgctl: [moved(2)], semget: NONE },
  ...{ semop: [takes(1, operations)], semtimedop: [takes(1, operations), takes(3, TIME)], semctl: [moved(3)] },
  ...{ shmget: NONE, shmat: NONE, shmdt: NONE, shmctl: [moved(2)] },

  // Signals.
  ...{ rt_sigaction: [takes(1, SIGNAL_ACTION), gives(2, SIGNAL_ACTION)], rt_sigpending: [gives(0, SIGNAL_SET)] },
  ...{ rt_sigprocmask: [takes(1, SIGNAL_SET), gives(2, SIGNAL_SET)], rt_sigsuspend: [takes(0, SIGNAL_SET)] },
  ...{ rt_sigtimedwait: [takes(0, SIGNAL_SET), moved(1), takes(2, TIME)], rt_sigqueueinfo: [takes(2, 128)] },
  ...{
    sigaltstack: [takes(0, SIGNAL_STACK), gives(1, SIGNAL_STACK)],
    pause: NONE,
    kill: NONE,
    tkill: NONE,
    tgkill: NONE,
  },

  // Refused whatever they are given; a wrong buffer is a mistake all the same.
  ...{ socket: NONE, accept: NONE, listen: NONE, socketpair: NONE, recvfrom: NONE, sendmsg: NONE, recvmsg: NONE },
  ...{ accept4: NONE, shutdown: NONE, getsockname: NONE, getpeername: NONE, setsockopt: NONE, getsockopt: NONE },
  ...{ connect: [takes(1, times(2, 1, ADDRESS_MOST))], bind: [takes(1, times(2, 1, ADDRESS_MOST))] },
  sendto: [takes(1, times(2, 1, 0x7fff_f000)), takes(4, times(5, 1, ADDRESS_MOST))],
  ...{ clone: NONE, clone3: NONE, ptrace: NONE, reboot: NONE, sendfile: NONE, splice: NONE },
  ...{ execveat: [path(1)], pivot_root: [path(0), path(1)], chroot: [path(0)], umount2: [path(0)] },
  ...{ mount: [path(0), path(1)], sethostname: [takes(0, times(1, 1, 64))], copy_file_range: NONE },
  ...{ setxattr: [path(0), path(1)], lsetxattr: [path(0), path(1)], fsetxattr: [path(1)] },
  ...{ getxattr: [path(0), path(1)], lgetxattr: [path(0), path(1)], fgetxattr: [path(1)] },
  ...{ listxattr: [path(0)], llistxattr: [path(0)], flistxattr: NONE, openat2: [path(1)] },
  ...{ inotify_init: NONE, inotify_init1: NONE, epoll_create: NONE, epoll_create1: NONE },
  ...{ eventfd2: NONE, signalfd4: NONE, memfd_create: [path(0)], membarrier: NONE, rseq: NONE },
};

/** Ends the run with a finding if one of the call's buffers is a wrong part of something. */
export function checkBuffers(kernel: Kernel, call: Call, roles: readonly Role[]): void {
  for (const role of roles) {
    if (role.kind === "moved") continue;
    const address = call.pointer(role.argument);
    // Nothing is there: an optional argument, or the call answers for it.
    if (address === 0) continue;
    if (role.kind === "path") {
      kernel.pointers.checkString(address, PATH_LIMIT);
      continue;
    }
    const size = typeof role.size === "number" ? role.size : role.size(call);
    if (size <= 0) continue;
    if (role.kind !== "write") {
      if (!kernel.pointers.check("read", address, size)) continue;
      // What the call does depends on these bytes.
      kernel.memory.take(address, size);
    }
    if (role.kind !== "read") kernel.pointers.check("write", address, size);
  }
}
