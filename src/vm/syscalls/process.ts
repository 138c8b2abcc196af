// The process itself: identity, limits, the end.

import { PROCESS_ID } from "../../jit/memory-layout.js";
import { ERRNO } from "../errno.js";
import { DESCRIPTOR_LIMIT } from "../files/file-system.js";
import type { Kernel } from "../kernel.js";
import { RunStop } from "../run-end.js";
import type { Family, Handler } from "./call.js";
import { putText, putWords, twoWords } from "./structures.js";

const UNLIMITED = -1;
const RESOURCES = 16;
const RESOURCE = { stack: 3, core: 4, processes: 6, files: 7 } as const;
const STACK_BYTES = 0x80_0000;
const FIELD = 65;
const USAGE_SIZE = 144;
const INFO_SIZE = 112;
const FUTEX = { wait: 0, waitBits: 9, command: 0x7f } as const;

const exit: Handler = (_kernel, call) => {
  throw new RunStop({ kind: "exit", code: call.u32(0) & 0xff });
};

const succeed: Handler = () => 0;

/** Changing to the identity we have succeeds; root may change to any, which changes nothing. */
function changeIdentity(own: (kernel: Kernel) => number, count: number): Handler {
  return (kernel, call) => {
    if (kernel.identity.user === 0) return 0;
    for (let i = 0; i < count; i++) {
      if (call.i32(i) !== -1 && call.i32(i) !== own(kernel)) return -ERRNO.EPERM;
    }
    return 0;
  };
}

function putThree(own: (kernel: Kernel) => number): Handler {
  return (kernel, call) => {
    for (let i = 0; i < 3; i++) {
      if (kernel.memory.firstUnwritable(call.pointer(i), 4) >= 0) return -ERRNO.EFAULT;
      kernel.memory.view.setUint32(call.pointer(i), own(kernel), true);
    }
    return 0;
  };
}

const user = (kernel: Kernel): number => kernel.identity.user;
const group = (kernel: Kernel): number => kernel.identity.group;

function limitOf(resource: number): readonly [number, number] {
  if (resource === RESOURCE.stack) return [STACK_BYTES, UNLIMITED];
  if (resource === RESOURCE.core) return [0, UNLIMITED];
  if (resource === RESOURCE.files) return [DESCRIPTOR_LIMIT, DESCRIPTOR_LIMIT];
  return [UNLIMITED, UNLIMITED];
}

function getLimit(kernel: Kernel, resource: number, address: number): number {
  if (resource >= RESOURCES) return -ERRNO.EINVAL;
  return address === 0 ? 0 : putWords(kernel.memory, address, limitOf(resource));
}

const systemName: Handler = (kernel, call) => {
  const address = call.pointer(0);
  if (kernel.memory.firstUnwritable(address, 6 * FIELD) >= 0) return -ERRNO.EFAULT;
  const fields = ["Linux", "localhost", "6.1.0", "#1 SMP", "x86_64", "(none)"];
  for (const [index, text] of fields.entries()) putText(kernel.memory, address + FIELD * index, FIELD, text);
  return 0;
};

const getUsage: Handler = (kernel, call) => {
  const address = call.pointer(1);
  if (kernel.memory.firstUnwritable(address, USAGE_SIZE) >= 0) return -ERRNO.EFAULT;
  kernel.memory.u8.fill(0, address, address + USAGE_SIZE);
  // Children have used nothing.
  if (call.i32(0) === -1) return 0;
  const elapsed = kernel.clock.elapsed();
  putWords(kernel.memory, address, [Math.floor(elapsed / 1e9), Math.floor((elapsed % 1e9) / 1000)]);
  kernel.memory.setI64(address + 32, Math.ceil(kernel.memory.heapBytes / 1024));
  return 0;
};

const systemInformation: Handler = (kernel, call) => {
  const address = call.pointer(0);
  if (kernel.memory.firstUnwritable(address, INFO_SIZE) >= 0) return -ERRNO.EFAULT;
  kernel.memory.u8.fill(0, address, address + INFO_SIZE);
  const total = 0x1_0000_0000;
  kernel.memory.setI64(address, 100_000);
  kernel.memory.setI64(address + 32, total);
  kernel.memory.setI64(address + 40, total / 2);
  kernel.memory.view.setUint16(address + 80, 1, true);
  kernel.memory.view.setUint32(address + 104, 1, true);
  return 0;
};

const getGroups: Handler = (kernel, call) => {
  const { groups } = kernel.identity;
  const room = call.i32(0);
  if (room === 0) return groups.length;
  if (room < groups.length) return -ERRNO.EINVAL;
  if (!kernel.pointers.mayWrite(call.pointer(1), 4 * groups.length)) return -ERRNO.EFAULT;
  for (const [index, id] of groups.entries()) kernel.memory.view.setUint32(call.pointer(1) + 4 * index, id, true);
  return groups.length;
};

const getRandom: Handler = (kernel, call) => {
  const address = call.pointer(0);
  const size = Math.min(call.pointer(1), 0x1ff_ffff);
  if (kernel.memory.firstUnwritten(address, size) >= 0) return -ERRNO.EFAULT;
  kernel.random.fill(kernel.memory.u8.subarray(address, address + size));
  return size;
};

/** Nobody else could wake us: a wait whose value still matches lasts as long as it may, or for ever. */
const futex: Handler = (kernel, call) => {
  const command = call.u32(1) & FUTEX.command;
  if (command !== FUTEX.wait && command !== FUTEX.waitBits) return 0;
  const address = call.pointer(0);
  if (kernel.memory.firstUnreadable(address, 4) >= 0) return -ERRNO.EFAULT;
  if (kernel.memory.view.getUint32(address, true) !== call.u32(2)) return -ERRNO.EAGAIN;
  const timeout = call.pointer(3);
  if (timeout !== 0) {
    const time = twoWords(kernel.memory, timeout);
    if (time === null) return -ERRNO.EFAULT;
    const nanoseconds = command === FUTEX.wait ? time[0] * 1e9 + time[1] : 0;
    return kernel.sleep(nanoseconds) < 0 ? -ERRNO.ETIMEDOUT : -ERRNO.EINTR;
  }
  throw new RunStop({ kind: "limit", limit: "blocked" });
};

export const PROCESS: Family = {
  60: { name: "exit", handler: exit },
  231: { name: "exit_group", handler: exit },
  39: { name: "getpid", handler: (k) => k.processId },
  110: { name: "getppid", handler: (k) => k.parentId },
  186: { name: "gettid", handler: (k) => k.threads.currentId || k.processId },
  111: { name: "getpgrp", handler: (k) => k.processId },
  121: { name: "getpgid", handler: (k) => k.processId },
  124: { name: "getsid", handler: (k) => k.processId },
  109: { name: "setpgid", handler: succeed },
  112: { name: "setsid", handler: (k) => (k.processId === PROCESS_ID ? -ERRNO.EPERM : k.processId) },
  102: { name: "getuid", handler: user },
  104: { name: "getgid", handler: group },
  107: { name: "geteuid", handler: user },
  108: { name: "getegid", handler: group },
  105: { name: "setuid", handler: changeIdentity(user, 1) },
  106: { name: "setgid", handler: changeIdentity(group, 1) },
  113: { name: "setreuid", handler: changeIdentity(user, 2) },
  114: { name: "setregid", handler: changeIdentity(group, 2) },
  117: { name: "setresuid", handler: changeIdentity(user, 3) },
  119: { name: "setresgid", handler: changeIdentity(group, 3) },
  118: { name: "getresuid", handler: putThree(user) },
  120: { name: "getresgid", handler: putThree(group) },
  122: { name: "setfsuid", handler: user },
  123: { name: "setfsgid", handler: group },
  115: { name: "getgroups", handler: getGroups },
  116: { name: "setgroups", handler: (k) => (k.identity.user === 0 ? 0 : -ERRNO.EPERM) },

  63: { name: "uname", handler: systemName },
  97: { name: "getrlimit", handler: (k, c) => getLimit(k, c.u32(0), c.pointer(1)) },
  160: { name: "setrlimit", handler: (_k, c) => (c.u32(0) < RESOURCES ? 0 : -ERRNO.EINVAL) },
  302: {
    name: "prlimit64",
    handler: (k, c) =>
      c.i32(0) === 0 || c.i32(0) === k.processId ? getLimit(k, c.u32(1), c.pointer(3)) : -ERRNO.ESRCH,
  },
  98: { name: "getrusage", handler: getUsage },
  99: { name: "sysinfo", handler: systemInformation },
  140: { name: "getpriority", handler: () => 20 },
  141: { name: "setpriority", handler: succeed },
  24: { name: "sched_yield", handler: succeed },
  203: { name: "sched_setaffinity", handler: succeed },
  204: {
    name: "sched_getaffinity",
    handler: (k, c) => {
      if (c.u32(1) < 8) return -ERRNO.EINVAL;
      return putWords(k.memory, c.pointer(2), [1]) < 0 ? -ERRNO.EFAULT : 8;
    },
  },
  309: { name: "getcpu", handler: succeed },
  135: { name: "personality", handler: succeed },
  157: { name: "prctl", handler: succeed },
  158: { name: "arch_prctl", handler: succeed },
  202: { name: "futex", handler: futex },
  218: { name: "set_tid_address", handler: (k) => k.processId },
  273: { name: "set_robust_list", handler: succeed },
  // libc asks whether there is such a thing; the lists themselves it reads alone (runtime/libc/threads.c).
  274: {
    name: "get_robust_list",
    handler: (k, c) => {
      const isPut = putWords(k.memory, c.pointer(1), [0]) >= 0 && putWords(k.memory, c.pointer(2), [24]) >= 0;
      return isPut ? 0 : -ERRNO.EFAULT;
    },
  },
  318: { name: "getrandom", handler: getRandom },
};
