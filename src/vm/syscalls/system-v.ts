// The system calls of System V's message queues and semaphores, and what those have in common with shared memory.

import { ERRNO } from "../errno.js";
import type { Kernel } from "../kernel.js";
import {
  type Message,
  type MessageQueue,
  MOST_SEMAPHORES,
  type Permissions,
  type SemaphoreSet,
  type SystemVObject,
  type SystemVTable,
} from "../system-v.js";
import type { Call, Family } from "./call.js";
import { waitUntil } from "./waiting.js";

const PRIVATE = 0;
const CREATE = 0o1000;
const EXCLUSIVE = 0o2000;
const NO_WAIT = 0o4000;
/** Commands of the three ctl calls. */
export const CONTROL = { remove: 0, set: 1, status: 2 } as const;
/** struct ipc_perm. */
const PERMISSIONS_SIZE = 48;
const PERMISSION = { user: 4, group: 8, mode: 20 } as const;

/** Finds or makes an object, as the flags say: its number or a negated error number. `fits`: whether one that is there will do. */
export function getObject<T extends SystemVObject>(
  kernel: Kernel,
  table: SystemVTable<T>,
  key: number,
  flags: number,
  fits: (object: T) => number,
  make: (permissions: Permissions) => T | number,
): number {
  const id = key === PRIVATE ? -1 : table.withKey(key);
  const found = table.get(id);
  if (found !== null) {
    if ((flags & CREATE) !== 0 && (flags & EXCLUSIVE) !== 0) return -ERRNO.EEXIST;
    const trouble = fits(found);
    return trouble < 0 ? trouble : id;
  }
  if (key !== PRIVATE && (flags & CREATE) === 0) return -ERRNO.ENOENT;
  if (table.isFull) return -ERRNO.ENOSPC;
  const { user, group } = kernel.identity;
  const made = make({ key, mode: flags & 0o777, user, group, creator: { user, group } });
  return typeof made === "number" ? made : table.add(made);
}

export function seconds(kernel: Kernel): number {
  return kernel.clock.timeOfDay().seconds;
}

export function putPermissions({ memory }: Kernel, address: number, permissions: Permissions): void {
  const { key, user, group, creator, mode } = permissions;
  memory.u8.fill(0, address, address + PERMISSIONS_SIZE);
  for (const [index, word] of [key, user, group, creator.user, creator.group, mode].entries()) {
    memory.view.setUint32(address + 4 * index, word >>> 0, true);
  }
}

/** IPC_SET's part that all have. */
export function takePermissions({ memory }: Kernel, address: number, { permissions }: SystemVObject): void {
  permissions.user = memory.view.getUint32(address + PERMISSION.user, true);
  permissions.group = memory.view.getUint32(address + PERMISSION.group, true);
  permissions.mode = memory.view.getUint32(address + PERMISSION.mode, true) & 0o777;
}

// ---------------------------------------------------------------- messages

/** What a message is told by in memory: its type, then its text. */
export const MESSAGE_TYPE_SIZE = 8;
export const MOST_TEXT = 8192;
const MOST_IN_QUEUE = 16384;
const QUEUE = {
  size: 120,
  sent: 48,
  received: 56,
  changed: 64,
  bytes: 72,
  count: 80,
  most: 88,
  sender: 96,
  receiver: 100,
};
const CUT = 0o10000;
const EXCEPT = 0o20000;

function getQueue(kernel: Kernel, call: Call): number {
  const make = (permissions: Permissions): MessageQueue => ({
    ...{ permissions, changed: seconds(kernel), isRemoved: false, messages: [], bytes: 0, mostBytes: MOST_IN_QUEUE },
    ...{ sent: 0, received: 0, lastSender: 0, lastReceiver: 0 },
  });
  return getObject(kernel, kernel.files.shared.systemV.queues, call.i32(0), call.u32(1), () => 0, make);
}

function send(kernel: Kernel, call: Call): number {
  const { memory, pointers } = kernel;
  const queue = kernel.files.shared.systemV.queues.get(call.i32(0));
  const address = call.pointer(1);
  const size = call.i64(2);
  const flags = call.u32(3);
  if (size < 0 || size > MOST_TEXT) return -ERRNO.EINVAL;
  if (!pointers.mayRead(address, MESSAGE_TYPE_SIZE + size)) return -ERRNO.EFAULT;
  const type = memory.getI64(address);
  if (queue === null || type < 1) return -ERRNO.EINVAL;
  const bytes = memory.u8.slice(address + MESSAGE_TYPE_SIZE, address + MESSAGE_TYPE_SIZE + size);
  const hasRoom = (): boolean => queue.isRemoved || queue.bytes + size <= queue.mostBytes;
  if ((flags & NO_WAIT) !== 0 && !hasRoom()) return -ERRNO.EAGAIN;
  const waited = waitUntil(kernel, hasRoom);
  if (waited < 0) return waited;
  if (queue.isRemoved) return -ERRNO.EIDRM;
  queue.messages.push({ type, bytes });
  queue.bytes += size;
  queue.sent = seconds(kernel);
  queue.lastSender = kernel.processId;
  return 0;
}

function receive(kernel: Kernel, call: Call): number {
  const { memory, pointers } = kernel;
  const queue = kernel.files.shared.systemV.queues.get(call.i32(0));
  const address = call.pointer(1);
  const size = call.i64(2);
  const type = call.i64(3);
  const flags = call.u32(4);
  if (queue === null || size < 0) return -ERRNO.EINVAL;
  const isThere = (): boolean => queue.isRemoved || chosen(queue.messages, type, flags) >= 0;
  if ((flags & NO_WAIT) !== 0 && !isThere()) return -ERRNO.ENOMSG;
  const waited = waitUntil(kernel, isThere);
  if (waited < 0) return waited;
  if (queue.isRemoved) return -ERRNO.EIDRM;
  const index = chosen(queue.messages, type, flags);
  const message = queue.messages[index];
  if (message.bytes.length > size && (flags & CUT) === 0) return -ERRNO.E2BIG;
  const text = message.bytes.subarray(0, size);
  if (!pointers.mayWrite(address, MESSAGE_TYPE_SIZE + text.length)) return -ERRNO.EFAULT;
  memory.setI64(address, message.type);
  memory.u8.set(text, address + MESSAGE_TYPE_SIZE);
  queue.messages.splice(index, 1);
  queue.bytes -= message.bytes.length;
  queue.received = seconds(kernel);
  queue.lastReceiver = kernel.processId;
  return text.length;
}

/** The message that is meant: the first, the first of (or but for) a type, or of the lowest type up to one; -1: there is none. */
function chosen(messages: readonly Message[], type: number, flags: number): number {
  if (type === 0) return messages.length > 0 ? 0 : -1;
  if (type > 0) return messages.findIndex((message) => (message.type === type) !== ((flags & EXCEPT) !== 0));
  const low = Math.min(...messages.map((message) => message.type));
  return low <= -type ? messages.findIndex((message) => message.type === low) : -1;
}

function controlQueue(kernel: Kernel, call: Call): number {
  const { queues } = kernel.files.shared.systemV;
  const queue = queues.get(call.i32(0));
  const address = call.pointer(2);
  if (queue === null) return -ERRNO.EINVAL;
  switch (call.u32(1)) {
    case CONTROL.remove:
      queues.remove(call.i32(0));
      return 0;
    case CONTROL.set:
      if (!kernel.pointers.mayRead(address, QUEUE.size)) return -ERRNO.EFAULT;
      kernel.memory.take(address, QUEUE.size);
      takePermissions(kernel, address, queue);
      queue.mostBytes = Math.min(MOST_IN_QUEUE, Math.max(0, kernel.memory.getI64(address + QUEUE.most)));
      queue.changed = seconds(kernel);
      return 0;
    case CONTROL.status: {
      const { memory } = kernel;
      if (!kernel.pointers.mayWrite(address, QUEUE.size)) return -ERRNO.EFAULT;
      memory.u8.fill(0, address, address + QUEUE.size);
      putPermissions(kernel, address, queue.permissions);
      memory.setI64(address + QUEUE.sent, queue.sent);
      memory.setI64(address + QUEUE.received, queue.received);
      memory.setI64(address + QUEUE.changed, queue.changed);
      memory.setI64(address + QUEUE.bytes, queue.bytes);
      memory.setI64(address + QUEUE.count, queue.messages.length);
      memory.setI64(address + QUEUE.most, queue.mostBytes);
      memory.view.setInt32(address + QUEUE.sender, queue.lastSender, true);
      memory.view.setInt32(address + QUEUE.receiver, queue.lastReceiver, true);
      return 0;
    }
    default:
      return -ERRNO.EINVAL;
  }
}

// ---------------------------------------------------------------- semaphores

export const OPERATION_SIZE = 6;
export const MOST_OPERATIONS = 500;
const MOST_IN_SET = 32000;
const MOST_VALUE = 32767;
const UNDO = 0x1000;
const SET = { size: 104, used: 48, changed: 64, count: 80 } as const;
const SEMAPHORE = {
  process: 11,
  value: 12,
  all: 13,
  waitingMore: 14,
  waitingZero: 15,
  setValue: 16,
  setAll: 17,
} as const;

interface Operation {
  readonly index: number;
  readonly change: number;
  readonly flags: number;
}

function getSet(kernel: Kernel, call: Call): number {
  const count = call.i32(1);
  if (count < 0 || count > MOST_IN_SET) return -ERRNO.EINVAL;
  const make = (permissions: Permissions): SemaphoreSet | number => {
    if (count === 0) return -ERRNO.EINVAL;
    if (kernel.files.shared.systemV.semaphores + count > MOST_SEMAPHORES) return -ERRNO.ENOSPC;
    return {
      ...{ permissions, changed: seconds(kernel), isRemoved: false, used: 0, undo: new Map() },
      semaphores: Array.from({ length: count }, () => ({ value: 0, processId: 0 })),
    };
  };
  const fits = ({ semaphores }: SemaphoreSet): number => (count > semaphores.length ? -ERRNO.EINVAL : 0);
  return getObject(kernel, kernel.files.shared.systemV.sets, call.i32(0), call.u32(2), fits, make);
}

function operate(kernel: Kernel, call: Call, mostNs?: number): number {
  const { memory, pointers, files } = kernel;
  const set = files.shared.systemV.sets.get(call.i32(0));
  const address = call.pointer(1);
  const count = call.i64(2);
  if (set === null || count < 1) return -ERRNO.EINVAL;
  if (count > MOST_OPERATIONS) return -ERRNO.E2BIG;
  if (!pointers.mayRead(address, count * OPERATION_SIZE)) return -ERRNO.EFAULT;
  const operations: Operation[] = [];
  for (let at = address; at < address + count * OPERATION_SIZE; at += OPERATION_SIZE) {
    const index = memory.view.getUint16(at, true);
    if (index >= set.semaphores.length) return -ERRNO.EFBIG;
    operations.push({ index, change: memory.view.getInt16(at + 2, true), flags: memory.view.getUint16(at + 4, true) });
  }
  let stopped = firstStopped(set, operations);
  if (stopped !== null && (stopped.flags & NO_WAIT) !== 0) return -ERRNO.EAGAIN;
  const isReady = (): boolean => {
    stopped = firstStopped(set, operations);
    return set.isRemoved || stopped === null || (stopped.flags & NO_WAIT) !== 0;
  };
  const waited = waitUntil(kernel, isReady, mostNs);
  if (waited < 0) return waited;
  if (set.isRemoved) return -ERRNO.EIDRM;
  if (stopped !== null) return -ERRNO.EAGAIN;
  if (valuesAfter(set, operations).some((value) => value > MOST_VALUE)) return -ERRNO.ERANGE;
  for (const { index, change, flags } of operations) {
    const semaphore = set.semaphores[index];
    semaphore.value += change;
    semaphore.processId = kernel.processId;
    if ((flags & UNDO) === 0) continue;
    const undo = set.undo.get(files) ?? set.semaphores.map(() => 0);
    undo[index] -= change;
    set.undo.set(files, undo);
  }
  set.used = seconds(kernel);
  return 0;
}

/** The operation that cannot be done now, those before it being done; null: all can. */
function firstStopped(set: SemaphoreSet, operations: readonly Operation[]): Operation | null {
  const values = set.semaphores.map(({ value }) => value);
  for (const operation of operations) {
    const { index, change } = operation;
    if (change === 0 ? values[index] !== 0 : values[index] + change < 0) return operation;
    values[index] += change;
  }
  return null;
}

function valuesAfter(set: SemaphoreSet, operations: readonly Operation[]): number[] {
  const values = set.semaphores.map(({ value }) => value);
  for (const { index, change } of operations) values[index] += change;
  return values;
}

function controlSet(kernel: Kernel, call: Call): number {
  const { memory, pointers } = kernel;
  const { sets } = kernel.files.shared.systemV;
  const set = sets.get(call.i32(0));
  const index = call.i32(1);
  const command = call.u32(2);
  const address = call.pointer(3);
  if (set === null) return -ERRNO.EINVAL;
  const { semaphores } = set;
  switch (command) {
    case CONTROL.remove:
      sets.remove(call.i32(0));
      return 0;
    case CONTROL.set:
      if (!pointers.mayRead(address, SET.size)) return -ERRNO.EFAULT;
      memory.take(address, SET.size);
      takePermissions(kernel, address, set);
      set.changed = seconds(kernel);
      return 0;
    case CONTROL.status:
      if (!pointers.mayWrite(address, SET.size)) return -ERRNO.EFAULT;
      memory.u8.fill(0, address, address + SET.size);
      putPermissions(kernel, address, set.permissions);
      memory.setI64(address + SET.used, set.used);
      memory.setI64(address + SET.changed, set.changed);
      memory.setI64(address + SET.count, semaphores.length);
      return 0;
    case SEMAPHORE.all:
      if (!pointers.mayWrite(address, 2 * semaphores.length)) return -ERRNO.EFAULT;
      for (const [at, { value }] of semaphores.entries()) memory.view.setUint16(address + 2 * at, value, true);
      return 0;
    case SEMAPHORE.setAll: {
      if (!pointers.mayRead(address, 2 * semaphores.length)) return -ERRNO.EFAULT;
      memory.take(address, 2 * semaphores.length);
      const values = semaphores.map((_, at) => memory.view.getUint16(address + 2 * at, true));
      return setValues(kernel, set, values);
    }
  }
  const semaphore = semaphores[index];
  if (semaphore === undefined) return -ERRNO.EINVAL;
  switch (command) {
    case SEMAPHORE.process:
      return semaphore.processId;
    case SEMAPHORE.value:
      return semaphore.value;
    // Whoever waits does so while somebody else runs to its end.
    case SEMAPHORE.waitingMore:
    case SEMAPHORE.waitingZero:
      return 0;
    case SEMAPHORE.setValue:
      return setValues(
        kernel,
        set,
        semaphores.map(({ value }, at) => (at === index ? call.i32(3) : value)),
        index,
      );
    default:
      return -ERRNO.EINVAL;
  }
}

/** `only`: of all others the value is what it was. */
function setValues(kernel: Kernel, set: SemaphoreSet, values: readonly number[], only: number | null = null): number {
  if (values.some((value) => value < 0 || value > MOST_VALUE)) return -ERRNO.ERANGE;
  for (const [at, value] of values.entries()) {
    set.semaphores[at].value = value;
    if (only === null || at === only) set.semaphores[at].processId = kernel.processId;
  }
  set.changed = seconds(kernel);
  set.undo.clear();
  return 0;
}

function operateWithin(kernel: Kernel, call: Call): number {
  const { memory } = kernel;
  const address = call.pointer(3);
  if (address === 0) return operate(kernel, call);
  if (!kernel.pointers.mayRead(address, 16)) return -ERRNO.EFAULT;
  return operate(kernel, call, memory.getI64(address) * 1e9 + memory.getI64(address + 8));
}

export const MESSAGES_AND_SEMAPHORES: Family = {
  68: { name: "msgget", handler: getQueue },
  69: { name: "msgsnd", handler: send },
  70: { name: "msgrcv", handler: receive },
  71: { name: "msgctl", handler: controlQueue },
  64: { name: "semget", handler: getSet },
  65: { name: "semop", handler: (kernel, call) => operate(kernel, call) },
  220: { name: "semtimedop", handler: operateWithin },
  66: { name: "semctl", handler: controlSet },
};
