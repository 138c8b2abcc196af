// The status of a real file, in exact nanoseconds: programs compare and print them, and the milliseconds that Node gives
// by default have lost the last digits.

import * as fs from "node:fs";
import { errnoOf } from "../errno.js";
import type { FileStatus, Timestamp } from "./open-file.js";

/** A path as the real file system takes it: our strings have one character per byte. */
export function hostPath(path: string): Buffer {
  return Buffer.from(path, "latin1");
}

export function hostDescriptorStatus(descriptor: number): FileStatus | number {
  try {
    return fromStats(fs.fstatSync(descriptor, { bigint: true }));
  } catch (error) {
    return errnoOf(error);
  }
}

export function fromStats(stats: fs.BigIntStats): FileStatus {
  return {
    device: Number(stats.dev),
    inode: Number(stats.ino),
    mode: Number(stats.mode),
    links: Number(stats.nlink),
    user: Number(stats.uid),
    group: Number(stats.gid),
    rawDevice: Number(stats.rdev),
    size: Number(stats.size),
    blockSize: Number(stats.blksize),
    blocks: Number(stats.blocks),
    accessed: timestamp(stats.atimeNs),
    modified: timestamp(stats.mtimeNs),
    changed: timestamp(stats.ctimeNs),
  };
}

function timestamp(ns: bigint): Timestamp {
  const billion = 1_000_000_000n;
  const nanoseconds = ((ns % billion) + billion) % billion;
  return { seconds: Number((ns - nanoseconds) / billion), nanoseconds: Number(nanoseconds) };
}
