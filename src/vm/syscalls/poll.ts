// Waiting for descriptors. Files are always ready; a pipe to oneself is ready or never will be. What is not ready lets
// virtual time pass until the timeout, and without one the run is blocked for ever and ends.

import { ERRNO } from "../errno.js";
import type { OpenFile } from "../files/open-file.js";
import type { Kernel } from "../kernel.js";
import type { Family } from "./call.js";
import { twoWords } from "./structures.js";

const POLL = { in: 1, out: 4, readNormal: 0x40, writeNormal: 0x100, invalid: 0x20 } as const;
const SET_LIMIT = 1024;

function readiness(file: OpenFile): number {
  const input = file.readable && file.readyToRead() ? POLL.in | POLL.readNormal : 0;
  const output = file.writable && file.readyToWrite() ? POLL.out | POLL.writeNormal : 0;
  return input | output;
}

/** Timeout in nanoseconds; Infinity for none. */
function poll(kernel: Kernel, address: number, count: number, timeoutNs: number): number {
  const { memory } = kernel;
  if (count > SET_LIMIT) return -ERRNO.EINVAL;
  if (memory.firstUnwritable(address, 8 * count) >= 0) return -ERRNO.EFAULT;
  let ready = 0;
  for (let i = 0; i < count; i++) {
    const at = address + 8 * i;
    const descriptor = memory.view.getInt32(at, true);
    const wanted = memory.view.getInt16(at + 4, true);
    const file = descriptor < 0 ? null : kernel.files.get(descriptor);
    const events = descriptor < 0 ? 0 : file === null ? POLL.invalid : readiness(file) & wanted;
    memory.view.setInt16(at + 6, events, true);
    if (events !== 0) ready++;
  }
  if (ready > 0 || timeoutNs === 0) return ready;
  if (kernel.life.runAnother()) return poll(kernel, address, count, timeoutNs);
  return kernel.sleep(timeoutNs) < 0 ? 0 : -ERRNO.EINTR;
}

function select(kernel: Kernel, count: number, sets: readonly number[], timeoutNs: number): number {
  const { memory } = kernel;
  if (count < 0 || count > SET_LIMIT) return -ERRNO.EINVAL;
  const bytes = Math.ceil(count / 64) * 8;
  for (const set of sets) {
    if (set !== 0 && memory.firstUnwritable(set, bytes) >= 0) return -ERRNO.EFAULT;
  }
  const wanted = sets.map((set) => (set === 0 ? null : memory.u8.slice(set, set + bytes)));
  const answers = sets.map(() => new Uint8Array(bytes));
  let ready = 0;
  for (let descriptor = 0; descriptor < count; descriptor++) {
    const index = descriptor >>> 3;
    const bit = 1 << (descriptor & 7);
    const asked = wanted.map((set) => set !== null && (set[index] & bit) !== 0);
    if (!asked.includes(true)) continue;
    const file = kernel.files.get(descriptor);
    if (file === null) return -ERRNO.EBADF;
    const events = readiness(file);
    const answer = [(events & POLL.in) !== 0, (events & POLL.out) !== 0, false];
    for (const [set, isReady] of answer.entries()) {
      if (!asked[set] || !isReady) continue;
      answers[set][index] |= bit;
      ready++;
    }
  }
  if (ready === 0 && timeoutNs > 0 && kernel.life.runAnother()) return select(kernel, count, sets, timeoutNs);
  let result = ready;
  if (ready === 0 && timeoutNs > 0 && kernel.sleep(timeoutNs) >= 0) result = -ERRNO.EINTR;
  for (const [index, set] of sets.entries()) if (set !== 0 && bytes > 0) memory.u8.set(answers[index], set);
  return result;
}

/** A struct timespec (unit 1) or timeval (unit 1000) as nanoseconds; null if it may not be read. */
function timeout(kernel: Kernel, address: number, unitNs: number): number | null {
  if (address === 0) return Number.POSITIVE_INFINITY;
  const words = twoWords(kernel.memory, address);
  return words === null ? null : words[0] * 1e9 + words[1] * unitNs;
}

export const POLLING: Family = {
  7: {
    name: "poll",
    handler: (k, c) => poll(k, c.pointer(0), c.u32(1), c.i32(2) < 0 ? Number.POSITIVE_INFINITY : c.i32(2) * 1_000_000),
  },
  271: {
    name: "ppoll",
    handler: (k, c) => {
      const limit = timeout(k, c.pointer(2), 1);
      return limit === null ? -ERRNO.EFAULT : poll(k, c.pointer(0), c.u32(1), limit);
    },
  },
  23: {
    name: "select",
    handler: (k, c) => {
      const limit = timeout(k, c.pointer(4), 1000);
      if (limit === null) return -ERRNO.EFAULT;
      return select(k, c.i32(0), [c.pointer(1), c.pointer(2), c.pointer(3)], limit);
    },
  },
  270: {
    name: "pselect6",
    handler: (k, c) => {
      const limit = timeout(k, c.pointer(4), 1);
      if (limit === null) return -ERRNO.EFAULT;
      return select(k, c.i32(0), [c.pointer(1), c.pointer(2), c.pointer(3)], limit);
    },
  },
};
