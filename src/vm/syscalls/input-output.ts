// Reading and writing. A buffer that the program does not own is a finding, as AddressSanitizer reports it at its
// interceptor of read and write; only the bytes really transferred count, so that a generous size is no false alarm.

import { ERRNO } from "../errno.js";
import type { OpenFile } from "../files/open-file.js";
import type { Kernel } from "../kernel.js";
import type { Family } from "./call.js";

const SIGPIPE = 13;
/** The kernel transfers no more than this at once. */
const TRANSFER_LIMIT = 0x7fff_f000;
const IOVEC_LIMIT = 1024;
const JOINED_LIMIT = 0x10_0000;

type Sink = (from: Uint8Array) => number;

/** Where bytes come from: a file, at its own offset or (pread) at a given one. */
interface Source {
  readonly file: OpenFile;
  readonly offset: number | null;
}

function take(kernel: Kernel, source: Source, into: Uint8Array): number {
  // A pipe that is empty: whoever could fill it has its turn.
  if (kernel.life.hasOthers && into.length > 0) {
    while (!source.file.readyToRead() && kernel.life.runAnother()) {}
  }
  return source.offset === null ? source.file.read(into) : source.file.readAt(into, source.offset);
}

let scratchBytes = new Uint8Array(0x1_0000);

/**
 * For what is copied on at once: a new array for each call keeps V8 collecting garbage. Nobody else has it meanwhile, because other processes
 * run before a read, never in it.
 */
function scratch(size: number): Uint8Array {
  if (scratchBytes.length < size) scratchBytes = new Uint8Array(size);
  return scratchBytes.subarray(0, size);
}

/** Fills a buffer of the guest from `source`. */
function fill(kernel: Kernel, address: number, size: number, source: Source): number {
  const { memory } = kernel;
  if (size === 0) return take(kernel, source, new Uint8Array(0));
  const offset = source.offset ?? source.file.readOffset;
  let count: number;
  if (memory.firstRefused(address, size, true) < 0) {
    count = take(kernel, source, memory.u8.subarray(address, address + size));
    if (count > 0) memory.onWrite?.(address, count);
  } else {
    const piece = new Uint8Array(Math.min(size, 0x10_0000));
    count = take(kernel, source, piece);
    if (count <= 0) return count;
    if (memory.firstUnwritten(address, count) >= 0) kernel.fault("write", address, count);
    memory.u8.set(piece.subarray(0, count), address);
  }
  if (count > 0) kernel.delivered(source.file, offset, address, count);
  return count;
}

/** Empties a buffer of the guest into `sink`. */
function drain(kernel: Kernel, file: OpenFile, address: number, size: number, sink: Sink): number {
  const { memory } = kernel;
  // What is written is told apart, since it decides nothing before somebody reads it.
  if (size > 0 && memory.firstRefused(address, size, false) >= 0) kernel.fault("read", address, size);
  if (size > 0) kernel.stored(file, address, size);
  if (kernel.life.hasOthers) while (!file.readyToWrite() && kernel.life.runAnother()) {}
  const result = sink(memory.u8.subarray(address, address + size));
  if (result === -ERRNO.EPIPE) kernel.raise(SIGPIPE);
  return result;
}

function readableFile(kernel: Kernel, descriptor: number): OpenFile | null {
  const file = kernel.files.get(descriptor);
  return file?.readable ? file : null;
}

function writableFile(kernel: Kernel, descriptor: number): OpenFile | null {
  const file = kernel.files.get(descriptor);
  return file?.writable ? file : null;
}

/** The buffers of readv and writev; null if the list itself may not be read. */
function buffers(kernel: Kernel, address: number, count: number): { address: number; size: number }[] | null {
  const { memory } = kernel;
  if (memory.firstUnreadable(address, count * 16) >= 0) return null;
  const list: { address: number; size: number }[] = [];
  for (let i = 0; i < count; i++) {
    const at = address + 16 * i;
    const high = memory.view.getUint32(at + 4, true);
    const low = memory.view.getUint32(at, true);
    list.push({ address: high * 0x1_0000_0000 + low, size: memory.getI64(at + 8) });
  }
  return list;
}

interface Buffers {
  readonly list: readonly { address: number; size: number }[];
  readonly total: number;
}

/** The non-empty buffers of a call, or a negated error number. */
function gather(kernel: Kernel, address: number, count: number): Buffers | number {
  if (count < 0 || count > IOVEC_LIMIT) return -ERRNO.EINVAL;
  const all = buffers(kernel, address, count);
  if (all === null) return -ERRNO.EFAULT;
  let total = 0;
  for (const buffer of all) {
    if (buffer.size < 0) return -ERRNO.EINVAL;
    total += buffer.size;
  }
  return { list: all.filter((buffer) => buffer.size > 0), total: Math.min(total, TRANSFER_LIMIT) };
}

/** One read for all buffers: a second one could block where the kernel's readv would not. */
function fillAll(kernel: Kernel, address: number, count: number, source: Source): number {
  const wanted = gather(kernel, address, count);
  if (typeof wanted === "number") return wanted;
  if (wanted.list.length === 0) return take(kernel, source, new Uint8Array(0));
  const offset = source.offset ?? source.file.readOffset;
  if (wanted.list.length === 1) return fill(kernel, wanted.list[0].address, wanted.total, source);
  const piece = scratch(Math.min(wanted.total, 0x10_0000));
  const got = take(kernel, source, piece);
  let done = 0;
  for (const buffer of wanted.list) {
    if (done >= got) break;
    const part = piece.subarray(done, Math.min(got, done + buffer.size));
    if (kernel.memory.firstUnwritten(buffer.address, part.length) >= 0) {
      kernel.fault("write", buffer.address, part.length);
    }
    kernel.memory.u8.set(part, buffer.address);
    if (part.length > 0) kernel.delivered(source.file, offset + done, buffer.address, part.length);
    done += part.length;
  }
  return got;
}

/** For what is too much to be copied: the same memory a thousand times is more than any machine has. */
function sinkEach(pieces: readonly Uint8Array[], sink: Sink): number {
  let done = 0;
  for (const piece of pieces) {
    const part = piece.subarray(0, TRANSFER_LIMIT - done);
    if (part.length === 0) break;
    const count = sink(part);
    if (count < 0) return done > 0 ? done : count;
    done += count;
    if (count < part.length) break;
  }
  return done;
}

/** One write for all buffers, as the kernel's writev is one. */
function drainAll(kernel: Kernel, file: OpenFile, address: number, count: number, sink: Sink): number {
  const wanted = gather(kernel, address, count);
  if (typeof wanted === "number") return wanted;
  if (wanted.list.length === 0) return 0;
  if (wanted.list.length === 1) return drain(kernel, file, wanted.list[0].address, wanted.total, sink);
  const { memory } = kernel;
  const pieces = wanted.list.map((buffer) => {
    if (memory.firstRefused(buffer.address, buffer.size, false) >= 0) kernel.fault("read", buffer.address, buffer.size);
    kernel.stored(file, buffer.address, buffer.size);
    return memory.u8.subarray(buffer.address, buffer.address + buffer.size);
  });
  const result = wanted.total <= JOINED_LIMIT ? sink(Buffer.concat(pieces)) : sinkEach(pieces, sink);
  if (result === -ERRNO.EPIPE) kernel.raise(SIGPIPE);
  return result;
}

/** A size that is negative as a signed number is a program's mistake the kernel answers with EINVAL. */
function transferSize(size: number): number {
  return Math.min(size, TRANSFER_LIMIT);
}

export const INPUT_OUTPUT: Family = {
  0: {
    name: "read",
    handler: (kernel, call) => {
      const file = readableFile(kernel, call.u32(0));
      if (file === null) return -ERRNO.EBADF;
      const size = call.i64(2);
      if (size < 0) return -ERRNO.EINVAL;
      return fill(kernel, call.pointer(1), transferSize(size), { file, offset: null });
    },
  },
  1: {
    name: "write",
    handler: (kernel, call) => {
      const file = writableFile(kernel, call.u32(0));
      if (file === null) return -ERRNO.EBADF;
      const size = call.i64(2);
      if (size < 0) return -ERRNO.EINVAL;
      return drain(kernel, file, call.pointer(1), transferSize(size), (from) => file.write(from));
    },
  },
  17: {
    name: "pread64",
    handler: (kernel, call) => {
      const file = readableFile(kernel, call.u32(0));
      if (file === null) return -ERRNO.EBADF;
      const size = call.i64(2);
      const offset = call.i64(3);
      if (size < 0 || offset < 0) return -ERRNO.EINVAL;
      return fill(kernel, call.pointer(1), transferSize(size), { file, offset });
    },
  },
  18: {
    name: "pwrite64",
    handler: (kernel, call) => {
      const file = writableFile(kernel, call.u32(0));
      if (file === null) return -ERRNO.EBADF;
      const size = call.i64(2);
      const offset = call.i64(3);
      if (size < 0 || offset < 0) return -ERRNO.EINVAL;
      return drain(kernel, file, call.pointer(1), transferSize(size), (from) => file.writeAt(from, offset));
    },
  },
  19: {
    name: "readv",
    handler: (kernel, call) => {
      const file = readableFile(kernel, call.u32(0));
      if (file === null) return -ERRNO.EBADF;
      return fillAll(kernel, call.pointer(1), call.i64(2), { file, offset: null });
    },
  },
  20: {
    name: "writev",
    handler: (kernel, call) => {
      const file = writableFile(kernel, call.u32(0));
      if (file === null) return -ERRNO.EBADF;
      return drainAll(kernel, file, call.pointer(1), call.i64(2), (from) => file.write(from));
    },
  },
  295: {
    name: "preadv",
    handler: (kernel, call) => {
      const file = readableFile(kernel, call.u32(0));
      if (file === null) return -ERRNO.EBADF;
      const offset = call.u32(3) + call.u32(4) * 0x1_0000_0000;
      return fillAll(kernel, call.pointer(1), call.i64(2), { file, offset });
    },
  },
  296: {
    name: "pwritev",
    handler: (kernel, call) => {
      const file = writableFile(kernel, call.u32(0));
      if (file === null) return -ERRNO.EBADF;
      const offset = call.u32(3) + call.u32(4) * 0x1_0000_0000;
      return drainAll(kernel, file, call.pointer(1), call.i64(2), (from) => file.writeAt(from, offset));
    },
  },
};
