// System calls about signals. Other processes than our children do not exist: a signal to anyone else fails with ESRCH.

import { ERRNO } from "../errno.js";
import type { Kernel } from "../kernel.js";
import { RunStop } from "../run-end.js";
import { SIGNAL, SIGNAL_LIMIT } from "../signals.js";
import type { Call, Family } from "./call.js";
import { putWords, twoWords } from "./structures.js";

const HOW = { block: 0, unblock: 1, set: 2 } as const;
const ACTION_SIZE = 32;
const STACK_DISABLED = 2;
const SIGNAL_INFORMATION = 128;

function sigaction(kernel: Kernel, call: Call): number {
  const signal = call.i32(0);
  const fresh = call.pointer(1);
  const old = call.pointer(2);
  const { memory, signals } = kernel;
  if (signal < 1 || signal > SIGNAL_LIMIT) return -ERRNO.EINVAL;
  if (fresh !== 0 && (signal === SIGNAL.SIGKILL || signal === SIGNAL.SIGSTOP)) return -ERRNO.EINVAL;
  if (fresh !== 0 && memory.firstUnreadable(fresh, ACTION_SIZE) >= 0) return -ERRNO.EFAULT;
  if (old !== 0) {
    const { handler, flags, restorer, maskLow, maskHigh } = signals.action(signal);
    if (putWords(memory, old, [handler, flags, restorer, 0]) < 0) return -ERRNO.EFAULT;
    memory.view.setInt32(old + 24, maskLow, true);
    memory.view.setInt32(old + 28, maskHigh, true);
  }
  if (fresh !== 0) {
    signals.setAction(signal, {
      handler: memory.view.getUint32(fresh, true) + memory.view.getUint32(fresh + 4, true) * 0x1_0000_0000,
      flags: memory.view.getUint32(fresh + 8, true),
      restorer: memory.view.getUint32(fresh + 16, true),
      maskLow: memory.view.getInt32(fresh + 24, true),
      maskHigh: memory.view.getInt32(fresh + 28, true),
    });
  }
  return 0;
}

function sigprocmask(kernel: Kernel, call: Call): number {
  const { memory, signals } = kernel;
  const how = call.i32(0);
  const fresh = call.pointer(1);
  const old = call.pointer(2);
  if (fresh !== 0 && memory.firstUnreadable(fresh, 8) >= 0) return -ERRNO.EFAULT;
  const low = fresh === 0 ? 0 : memory.view.getInt32(fresh, true);
  const high = fresh === 0 ? 0 : memory.view.getInt32(fresh + 4, true);
  if (old !== 0) {
    if (memory.firstUnwritable(old, 8) >= 0) return -ERRNO.EFAULT;
    memory.view.setInt32(old, signals.blockedLow, true);
    memory.view.setInt32(old + 4, signals.blockedHigh, true);
  }
  if (fresh === 0) return 0;
  switch (how) {
    case HOW.block:
      signals.blockedLow |= low;
      signals.blockedHigh |= high;
      break;
    case HOW.unblock:
      signals.blockedLow &= ~low;
      signals.blockedHigh &= ~high;
      break;
    case HOW.set:
      signals.blockedLow = low;
      signals.blockedHigh = high;
      break;
    default:
      return -ERRNO.EINVAL;
  }
  kernel.deliverPending();
  return 0;
}

/** 0 and minus our group are our process group, of which we are the only member. */
export function isOwnProcess({ processId, threads }: Kernel, target: number): boolean {
  if (threads.currentId !== 0 && target === threads.currentId) return true;
  return target === processId || target === 0 || target === -processId;
}

function send(kernel: Kernel, target: number, signal: number): number {
  if (signal < 0 || signal > SIGNAL_LIMIT) return -ERRNO.EINVAL;
  if (!isOwnProcess(kernel, target)) {
    const child = kernel.life.children.withId(target);
    if (child === null) return -ERRNO.ESRCH;
    kernel.life.kill(child, signal);
    return 0;
  }
  if (signal !== 0) kernel.raise(signal);
  return 0;
}

/** Waits for a signal with another mask: only what is pending then, or the timer, can end it. */
function suspend(kernel: Kernel, call: Call): number {
  const { memory, signals } = kernel;
  const address = call.pointer(0);
  if (memory.firstUnreadable(address, 8) >= 0) return -ERRNO.EFAULT;
  const low = signals.blockedLow;
  const high = signals.blockedHigh;
  signals.blockedLow = memory.view.getInt32(address, true);
  signals.blockedHigh = memory.view.getInt32(address + 4, true);
  if (signals.nextPending() !== 0) kernel.deliverPending();
  else kernel.sleep(Number.POSITIVE_INFINITY);
  signals.blockedLow = low;
  signals.blockedHigh = high;
  return -ERRNO.EINTR;
}

/** Takes a pending signal of the set; waits for the timer if that could help. */
function timedWait(kernel: Kernel, call: Call): number {
  const { memory, signals } = kernel;
  const set = call.pointer(0);
  if (memory.firstUnreadable(set, 8) >= 0) return -ERRNO.EFAULT;
  const low = memory.view.getInt32(set, true) & signals.pendingLow;
  const high = memory.view.getInt32(set + 4, true) & signals.pendingHigh;
  for (let signal = 1; signal <= SIGNAL_LIMIT; signal++) {
    if ((((signal <= 32 ? low : high) >>> ((signal - 1) & 31)) & 1) === 0) continue;
    signals.setPending(signal, false);
    putInformation(kernel, call.pointer(1), signal);
    return signal;
  }
  const timeout = call.pointer(2);
  if (timeout === 0) throw new RunStop({ kind: "limit", limit: "blocked" });
  const words = twoWords(memory, timeout);
  if (words === null) return -ERRNO.EFAULT;
  return kernel.sleep(words[0] * 1e9 + words[1]) < 0 ? -ERRNO.EAGAIN : -ERRNO.EINTR;
}

/** A siginfo_t, as of a signal that the process sent to itself. */
function putInformation({ memory, pointers, processId, identity }: Kernel, address: number, signal: number): void {
  if (address === 0 || !pointers.mayWrite(address, SIGNAL_INFORMATION)) return;
  memory.u8.fill(0, address, address + SIGNAL_INFORMATION);
  memory.view.setInt32(address, signal, true);
  memory.view.setInt32(address + 8, -6, true);
  memory.view.setInt32(address + 16, processId, true);
  memory.view.setInt32(address + 20, identity.user, true);
}

function alternateStack(kernel: Kernel, call: Call): number {
  const { memory, signals } = kernel;
  const fresh = call.pointer(0);
  const old = call.pointer(1);
  if (fresh !== 0 && memory.firstUnreadable(fresh, 24) >= 0) return -ERRNO.EFAULT;
  if (old !== 0) {
    const { address, flags, size } = signals.alternateStack;
    if (putWords(memory, old, [address, flags, size]) < 0) return -ERRNO.EFAULT;
  }
  if (fresh !== 0) {
    const flags = memory.view.getInt32(fresh + 8, true);
    const enabled = { address: memory.getI64(fresh), flags: 0, size: memory.getI64(fresh + 16) };
    if ((flags & STACK_DISABLED) === 0 && enabled.size < 2048) return -ERRNO.ENOMEM;
    signals.alternateStack = (flags & STACK_DISABLED) !== 0 ? { address: 0, flags: STACK_DISABLED, size: 0 } : enabled;
  }
  return 0;
}

export const SIGNALS: Family = {
  13: { name: "rt_sigaction", handler: sigaction },
  14: { name: "rt_sigprocmask", handler: sigprocmask },
  34: {
    name: "pause",
    handler: (k) => {
      k.sleep(Number.POSITIVE_INFINITY);
      return -ERRNO.EINTR;
    },
  },
  62: { name: "kill", handler: (k, c) => send(k, c.i32(0), c.i32(1)) },
  200: { name: "tkill", handler: (k, c) => send(k, c.i32(0), c.i32(1)) },
  234: { name: "tgkill", handler: (k, c) => (c.i32(0) === k.processId ? send(k, c.i32(1), c.i32(2)) : -ERRNO.ESRCH) },
  127: {
    name: "rt_sigpending",
    handler: (k, c) => {
      if (k.memory.firstUnwritable(c.pointer(0), 8) >= 0) return -ERRNO.EFAULT;
      k.memory.view.setInt32(c.pointer(0), k.signals.pendingLow, true);
      k.memory.view.setInt32(c.pointer(0) + 4, k.signals.pendingHigh, true);
      return 0;
    },
  },
  128: { name: "rt_sigtimedwait", handler: timedWait },
  129: { name: "rt_sigqueueinfo", handler: (k, c) => send(k, c.i32(0), c.i32(1)) },
  130: { name: "rt_sigsuspend", handler: suspend },
  131: { name: "sigaltstack", handler: alternateStack },
};
