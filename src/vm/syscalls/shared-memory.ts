// System V's shared memory. A process has a segment's bytes in pages of its own; they are handed out before another process
// runs and taken in after it (mappings.ts), since only one runs at a time. A segment is at one place of a process: attached
// again, it is where it was.

import { ERRNO } from "../errno.js";
import type { Kernel } from "../kernel.js";
import { PAGE_SIZE, PROTECTION, pages } from "../mappings.js";
import { MOST_SEGMENT_BYTES, type SegmentObject, SharedSegment } from "../system-v.js";
import type { Call, Family } from "./call.js";
import { CONTROL, getObject, putPermissions, seconds, takePermissions } from "./system-v.js";

const SEGMENT = { size: 112, bytes: 48, attached: 56, detached: 64, changed: 72, creator: 80, last: 84, count: 88 };
const READ_ONLY = 0o10000;

function getSegment(kernel: Kernel, call: Call): number {
  const { systemV } = kernel.files.shared;
  const size = call.i64(1);
  const make = (permissions: SegmentObject["permissions"]): SegmentObject | number => {
    if (size <= 0) return -ERRNO.EINVAL;
    const isTooMuch = systemV.bytesInSegments + size > MOST_SEGMENT_BYTES;
    if (isTooMuch || !kernel.account.take(pages(size))) return -ERRNO.ENOMEM;
    return {
      ...{ permissions, changed: seconds(kernel), isRemoved: false, size, lastId: 0, attached: 0, detached: 0 },
      ...{ creatorId: kernel.processId, segment: new SharedSegment(new Uint8Array(pages(size))) },
    };
  };
  const fits = (object: SegmentObject): number => (size > object.size ? -ERRNO.EINVAL : 0);
  const id = getObject(kernel, systemV.segments, call.i32(0), call.u32(2), fits, make);
  const object = systemV.segments.get(id);
  if (object !== null) systemV.segmentBytes[id] = object.segment.bytes.length;
  return id;
}

function attach(kernel: Kernel, call: Call): number {
  const { mappings, memory } = kernel;
  const object = kernel.files.shared.systemV.segments.get(call.i32(0));
  if (object === null) return -ERRNO.EINVAL;
  // Only where we put it: anywhere else lie our own things.
  if (call.pointer(1) !== 0) return -ERRNO.EINVAL;
  const { segment } = object;
  const size = segment.bytes.length;
  const there = mappings.attachedAt(segment);
  const address = there === 0 ? mappings.map(size, protectionOf(call)) : there;
  if (address === 0) return -ERRNO.ENOMEM;
  if (there === 0) {
    memory.onWrite?.(address, size);
    memory.u8.set(segment.bytes, address);
  }
  mappings.share(address, size, segment, 0);
  object.attached = seconds(kernel);
  object.lastId = kernel.processId;
  return address;
}

function attachAgain(kernel: Kernel, call: Call, address: number): void {
  const bytes = kernel.life.filesAtBirth?.shared.systemV.segmentBytes[call.i32(0)] ?? 0;
  if (address > 0 && bytes > 0 && !kernel.mappings.covers(address, bytes))
    kernel.mappings.map(bytes, protectionOf(call));
}

function protectionOf(call: Call): number {
  return (call.u32(2) & READ_ONLY) !== 0 ? PROTECTION.read : PROTECTION.read | PROTECTION.write;
}

function detach(kernel: Kernel, call: Call): number {
  const { mappings } = kernel;
  const address = call.pointer(0);
  const found = mappings.segmentAt(address);
  if (found === null || address % PAGE_SIZE !== 0) return -ERRNO.EINVAL;
  mappings.handOut();
  mappings.leave(address);
  for (const object of kernel.files.shared.systemV.segments.values()) {
    if (object.segment !== found.segment) continue;
    object.detached = seconds(kernel);
    object.lastId = kernel.processId;
  }
  if (mappings.segmentAt(address) === null) mappings.unmap(address, found.size);
  return 0;
}

function detachAgain(kernel: Kernel, call: Call, result: number): void {
  const size = result === 0 ? kernel.mappings.sizeAt(call.pointer(0)) : 0;
  if (size > 0) kernel.mappings.unmap(call.pointer(0), size);
}

function controlSegment(kernel: Kernel, call: Call): number {
  const { memory, pointers } = kernel;
  const { segments } = kernel.files.shared.systemV;
  const object = segments.get(call.i32(0));
  const address = call.pointer(2);
  if (object === null) return -ERRNO.EINVAL;
  switch (call.u32(1)) {
    case CONTROL.remove:
      segments.remove(call.i32(0));
      return 0;
    case CONTROL.set:
      if (!pointers.mayRead(address, SEGMENT.size)) return -ERRNO.EFAULT;
      memory.take(address, SEGMENT.size);
      takePermissions(kernel, address, object);
      object.changed = seconds(kernel);
      return 0;
    case CONTROL.status:
      if (!pointers.mayWrite(address, SEGMENT.size)) return -ERRNO.EFAULT;
      memory.u8.fill(0, address, address + SEGMENT.size);
      putPermissions(kernel, address, object.permissions);
      memory.setI64(address + SEGMENT.bytes, object.size);
      memory.setI64(address + SEGMENT.attached, object.attached);
      memory.setI64(address + SEGMENT.detached, object.detached);
      memory.setI64(address + SEGMENT.changed, object.changed);
      memory.view.setInt32(address + SEGMENT.creator, object.creatorId, true);
      memory.view.setInt32(address + SEGMENT.last, object.lastId, true);
      memory.setI64(address + SEGMENT.count, object.segment.references);
      return 0;
    default:
      return -ERRNO.EINVAL;
  }
}

export const SHARED_MEMORY: Family = {
  29: { name: "shmget", handler: getSegment },
  30: { name: "shmat", handler: attach, again: attachAgain },
  67: { name: "shmdt", handler: detach, again: detachAgain },
  31: { name: "shmctl", handler: controlSegment },
};
