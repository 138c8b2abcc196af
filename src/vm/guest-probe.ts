// For tests: makes system calls as a guest would, on a machine whose program never runs. Strings and buffers are put
// into guest memory that is really addressable, so the pointer checks are exercised too.

import { CONTROL } from "../jit/memory-layout.js";
import { Machine } from "./machine.js";
import { DEFAULT_OPTIONS, type RunOptions } from "./run-options.js";
import { Dispatcher } from "./syscalls/table.js";
import { NO_VALUES, tinyImage } from "./tiny-module.js";

const ARENA = 0x10_0000;

export class GuestProbe {
  readonly machine: Machine;
  private readonly dispatcher: Dispatcher;
  private readonly arena: number;
  private free: number;

  constructor(options: Partial<RunOptions> = {}) {
    const image = tinyImage([{ name: "start", signature: NO_VALUES, body: [] }]);
    this.machine = new Machine(image, { ...DEFAULT_OPTIONS, ...options });
    this.dispatcher = new Dispatcher(this.machine.memory, () => this.machine.kernel);
    this.arena = this.machine.memory.grow(ARENA);
    this.free = this.arena;
  }

  get memory(): Machine["memory"] {
    return this.machine.memory;
  }

  /** Addressable memory of exactly that many bytes. */
  allocate(size: number): number {
    const address = this.free;
    this.free += Math.ceil((size + 16) / 16) * 16;
    if (this.free > this.arena + ARENA) {
      this.free = this.arena;
      return this.allocate(size);
    }
    this.memory.forbid(address, size + 16);
    this.memory.allow(address, size);
    return address;
  }

  place(bytes: Uint8Array | string): number {
    const content = typeof bytes === "string" ? Buffer.from(`${bytes}\0`, "latin1") : bytes;
    const address = this.allocate(content.length);
    this.memory.u8.set(content, address);
    return address;
  }

  /** Makes a system call; strings are passed as pointers to their bytes. */
  call(number: number, ...values: (number | string)[]): number {
    const words = [number, ...values.map((value) => (typeof value === "string" ? this.place(value) : value))];
    while (words.length < 7) words.push(0);
    for (const [index, word] of words.entries()) this.memory.setI64(CONTROL.syscall + 8 * index, word);
    this.dispatcher.dispatch();
    return this.memory.getI64(CONTROL.syscall + 56);
  }

  bytes(address: number, size: number): Buffer {
    return Buffer.from(this.memory.u8.slice(address, address + size));
  }

  /** Everything a file holds, through open, read and close. */
  readFile(path: string): string | number {
    const descriptor = this.call(2, path, 0, 0);
    if (descriptor < 0) return descriptor;
    const buffer = this.allocate(0x4000);
    let text = "";
    for (;;) {
      const count = this.call(0, descriptor, buffer, 0x4000);
      if (count < 0) text += `<${count}>`;
      if (count <= 0) break;
      text += this.bytes(buffer, count).toString("latin1");
    }
    this.call(3, descriptor);
    return text;
  }

  writeFile(path: string, text: string, flags = 0o1101, mode = 0o644): number {
    const descriptor = this.call(2, path, flags, mode);
    if (descriptor < 0) return descriptor;
    const result = this.call(1, descriptor, text, text.length);
    this.call(3, descriptor);
    return result;
  }

  /** Names in a directory without the dots, sorted. */
  list(path: string): string[] | number {
    const descriptor = this.call(2, path, 0o200000, 0);
    if (descriptor < 0) return descriptor;
    const buffer = this.allocate(0x1000);
    const names: string[] = [];
    for (;;) {
      const count = this.call(217, descriptor, buffer, 0x1000);
      if (count <= 0) break;
      for (let at = buffer; at < buffer + count; at += this.memory.view.getUint16(at + 16, true)) {
        const name = this.memory.latin1(at + 19) ?? "?";
        names.push(`${name}:${this.memory.view.getUint8(at + 18)}`);
      }
    }
    this.call(3, descriptor);
    return names.sort();
  }

  /** Mode, links and size of a path, or a negated error number. */
  status(path: string, follow = false): { mode: number; links: number; size: number; seconds: number } | number {
    const buffer = this.allocate(144);
    const result = this.call(follow ? 4 : 6, path, buffer);
    if (result < 0) return result;
    return {
      mode: this.memory.view.getUint32(buffer + 24, true),
      links: this.memory.getI64(buffer + 16),
      size: this.memory.getI64(buffer + 48),
      seconds: this.memory.getI64(buffer + 88),
    };
  }
}
