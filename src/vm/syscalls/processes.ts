// System calls that make processes and wait for them. How one thread has several is told in processes/.

import { ERRNO } from "../errno.js";
import { TOO_LONG } from "../guest-pointers.js";
import type { Kernel } from "../kernel.js";
import type { Child, ProcessEnd } from "../processes/processes.js";
import { RunStop } from "../run-end.js";
import type { Call, Family, Handler } from "./call.js";

const WAIT = { noHang: 1, exited: 4, keep: 0x100_0000 } as const;
/** Of waitid's first argument. */
const WANTED = { all: 0, process: 1, group: 2 } as const;
const USAGE_SIZE = 144;
const INFORMATION_SIZE = 128;
const CODE = { exited: 1, killed: 2 } as const;
const SIGCHLD = 17;
/** As Linux has them: a word with its end, and all words of both lists with their pointers, a quarter of a stack of 8 MB. */
const MOST_WORD_BYTES = 0x2_0000;
const MOST_BYTES = 0x20_0000;
const POINTER_BYTES = 8;

const fork: Handler = (kernel) => kernel.life.fork(kernel);

function exec(kernel: Kernel, call: Call): number {
  const path = kernel.pointers.path(call.pointer(0));
  if (typeof path === "number") return path;
  const words = wordsAt(kernel, call.pointer(1), MOST_BYTES);
  if (typeof words === "number") return words;
  const environment = wordsAt(kernel, call.pointer(2), MOST_BYTES - bytesOf(words));
  if (typeof environment === "number") return environment;
  return kernel.life.exec(kernel, path, words, environment);
}

/** The strings of a list that ends with NULL; a negated error number if it or one of them may not be read, or is too long. */
function wordsAt(kernel: Kernel, address: number, mostBytes: number): Uint8Array[] | number {
  const { memory, pointers } = kernel;
  const words: Uint8Array[] = [];
  if (address === 0) return words;
  let left = mostBytes;
  for (let at = address; ; at += POINTER_BYTES) {
    if (!pointers.mayRead(at, POINTER_BYTES)) return -ERRNO.EFAULT;
    const word = memory.getI64(at);
    if (word === 0) return words;
    const length = pointers.checkString(word, MOST_WORD_BYTES);
    if (length === TOO_LONG) return -ERRNO.E2BIG;
    if (length < 0) return -ERRNO.EFAULT;
    left -= length + 1 + POINTER_BYTES;
    if (left < 0) return -ERRNO.E2BIG;
    memory.take(word, length + 1);
    words.push(memory.u8.slice(word, word + length));
  }
}

function bytesOf(words: readonly Uint8Array[]): number {
  return words.reduce((sum, word) => sum + word.length + 1 + POINTER_BYTES, 0);
}

/** Waits for one of the children, or a certain one: the child, 0 if there is no need to wait, or a negated error number. */
function ended(kernel: Kernel, id: number | null, flags: number): Child | number {
  const { children } = kernel.life;
  if (id === null ? !children.hasAny : children.withId(id) === null) return -ERRNO.ECHILD;
  for (;;) {
    const child = children.ended(id);
    if (child !== null) return child;
    if (kernel.life.runAnother()) continue;
    if ((flags & WAIT.noHang) !== 0) return 0;
    throw new RunStop({ kind: "limit", limit: "blocked" });
  }
}

function wait4(kernel: Kernel, call: Call): number {
  const id = call.i32(0);
  const statusAddress = call.pointer(1);
  const flags = call.u32(2);
  const usage = call.pointer(3);
  if (statusAddress !== 0 && !kernel.pointers.mayWrite(statusAddress, 4)) return -ERRNO.EFAULT;
  if (usage !== 0 && !kernel.pointers.mayWrite(usage, USAGE_SIZE)) return -ERRNO.EFAULT;
  // All of them are of our own group.
  const child = ended(kernel, id > 0 ? id : null, flags);
  if (typeof child === "number") return child;
  child.isAwaited = true;
  if (statusAddress !== 0) kernel.memory.view.setInt32(statusAddress, statusOf(child.end), true);
  if (usage !== 0) kernel.memory.u8.fill(0, usage, usage + USAGE_SIZE);
  return child.id;
}

function statusOf(end: ProcessEnd | null): number {
  return end === null ? 0 : end.kind === "exit" ? end.code << 8 : end.signal;
}

function waitid(kernel: Kernel, call: Call): number {
  const kind = call.u32(0);
  const id = call.i32(1);
  const information = call.pointer(2);
  const flags = call.u32(3);
  if (kind > WANTED.group || (flags & WAIT.exited) === 0) return -ERRNO.EINVAL;
  if (information !== 0 && !kernel.pointers.mayWrite(information, INFORMATION_SIZE)) return -ERRNO.EFAULT;
  const child = ended(kernel, kind === WANTED.process ? id : null, flags);
  if (typeof child === "number" && child < 0) return child;
  if (information !== 0) {
    const { view, u8 } = kernel.memory;
    u8.fill(0, information, information + INFORMATION_SIZE);
    if (typeof child !== "number") {
      const { end } = child;
      view.setInt32(information, SIGCHLD, true);
      view.setInt32(information + 8, end?.kind === "signal" ? CODE.killed : CODE.exited, true);
      view.setInt32(information + 16, child.id, true);
      view.setInt32(information + 20, kernel.identity.user, true);
      view.setInt32(information + 24, end?.kind === "signal" ? end.signal : (end?.code ?? 0), true);
    }
  }
  if (typeof child !== "number" && (flags & WAIT.keep) === 0) child.isAwaited = true;
  return 0;
}

export const PROCESSES: Family = {
  57: { name: "fork", handler: fork },
  58: { name: "vfork", handler: fork },
  59: { name: "execve", handler: exec },
  61: { name: "wait4", handler: wait4 },
  247: { name: "waitid", handler: waitid },
};
