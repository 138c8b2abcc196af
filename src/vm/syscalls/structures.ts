// The structures that system calls write into the guest's memory, as Linux on x86-64 lays them out. Each function
// checks the whole range first and answers 0 or -EFAULT, as the kernel does.

import { ERRNO } from "../errno.js";
import type { DiskSpace } from "../files/disk.js";
import type { FileStatus, Timestamp } from "../files/open-file.js";
import type { GuestMemory } from "../guest-memory.js";

const STATUS_SIZE = 144;
const EXTENDED_STATUS_SIZE = 256;
const SPACE_SIZE = 120;
/** STATX_BASIC_STATS. */
const BASIC_STATUS = 0x7ff;

function setTime(memory: GuestMemory, address: number, time: Timestamp): void {
  memory.setI64(address, time.seconds);
  memory.setI64(address + 8, time.nanoseconds);
}

/** struct timespec or timeval: two 64-bit words; null if it may not be read. */
export function twoWords(memory: GuestMemory, address: number): readonly [number, number] | null {
  if (memory.firstUnreadable(address, 16) >= 0) return null;
  return [memory.getI64(address), memory.getI64(address + 8)];
}

/** Stores 64-bit words one after another. */
export function putWords(memory: GuestMemory, address: number, words: readonly number[]): number {
  if (memory.firstUnwritable(address, 8 * words.length) >= 0) return -ERRNO.EFAULT;
  for (const [index, word] of words.entries()) memory.setI64(address + 8 * index, word);
  return 0;
}

/** struct stat. */
export function putStatus(memory: GuestMemory, address: number, status: FileStatus): number {
  if (memory.firstUnwritable(address, STATUS_SIZE) >= 0) return -ERRNO.EFAULT;
  const { view } = memory;
  memory.u8.fill(0, address, address + STATUS_SIZE);
  memory.setI64(address, status.device);
  memory.setI64(address + 8, status.inode);
  memory.setI64(address + 16, status.links);
  view.setUint32(address + 24, status.mode, true);
  view.setUint32(address + 28, status.user, true);
  view.setUint32(address + 32, status.group, true);
  memory.setI64(address + 40, status.rawDevice);
  memory.setI64(address + 48, status.size);
  memory.setI64(address + 56, status.blockSize);
  memory.setI64(address + 64, status.blocks);
  setTime(memory, address + 72, status.accessed);
  setTime(memory, address + 88, status.modified);
  setTime(memory, address + 104, status.changed);
  return 0;
}

/** struct statx. */
export function putExtendedStatus(memory: GuestMemory, address: number, status: FileStatus): number {
  if (memory.firstUnwritable(address, EXTENDED_STATUS_SIZE) >= 0) return -ERRNO.EFAULT;
  const { view } = memory;
  memory.u8.fill(0, address, address + EXTENDED_STATUS_SIZE);
  view.setUint32(address, BASIC_STATUS, true);
  view.setUint32(address + 4, status.blockSize, true);
  view.setUint32(address + 16, status.links, true);
  view.setUint32(address + 20, status.user, true);
  view.setUint32(address + 24, status.group, true);
  view.setUint16(address + 28, status.mode, true);
  memory.setI64(address + 32, status.inode);
  memory.setI64(address + 40, status.size);
  memory.setI64(address + 48, status.blocks);
  const times = [status.accessed, { seconds: 0, nanoseconds: 0 }, status.changed, status.modified];
  for (const [index, time] of times.entries()) {
    memory.setI64(address + 64 + 16 * index, time.seconds);
    view.setUint32(address + 72 + 16 * index, time.nanoseconds, true);
  }
  for (const [index, device] of [status.rawDevice, status.device].entries()) {
    view.setUint32(address + 128 + 8 * index, major(device), true);
    view.setUint32(address + 132 + 8 * index, minor(device), true);
  }
  return 0;
}

function major(device: number): number {
  return Math.floor(device / 256) & 0xfff;
}

function minor(device: number): number {
  return (device & 0xff) | ((device >>> 12) & 0xff_ff00);
}

/** struct statfs. */
export function putSpace(memory: GuestMemory, address: number, space: DiskSpace): number {
  if (memory.firstUnwritable(address, SPACE_SIZE) >= 0) return -ERRNO.EFAULT;
  memory.u8.fill(0, address, address + SPACE_SIZE);
  const { type, blockSize, blocks, free, available, files, filesFree } = space;
  const words = [type, blockSize, blocks, free, available, files, filesFree];
  for (const [index, word] of words.entries()) memory.setI64(address + 8 * index, word);
  memory.setI64(address + 64, 255);
  memory.setI64(address + 72, blockSize);
  return 0;
}

/** A fixed-size field of text, filled with zeros. */
export function putText(memory: GuestMemory, address: number, size: number, text: string): void {
  const bytes = Buffer.from(text, "latin1").subarray(0, size - 1);
  memory.u8.set(bytes, address);
  memory.u8.fill(0, address + bytes.length, address + size);
}
