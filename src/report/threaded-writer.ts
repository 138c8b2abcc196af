// The same as FileWriter, in a thread of its own: opening a file can take a millisecond on a busy disk, in which forty
// paths could have been explored. Orders are collected and sent in portions, in order; the exploring thread never waits
// unless the disk is so slow that what is on its way would fill memory. At the end it waits for everything.
//
// The exploring thread does not return to its event loop while it explores, so the other side answers through shared
// memory, and its words are fetched without waiting for them.

import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";
import { workerStart } from "../support/worker-start.js";
import type { FileSink } from "./file-writer.js";

export interface FileOrder {
  readonly kind: "write" | "replace" | "append" | "retry";
  readonly name: string;
  readonly mode: number;
  /** Range in the portion's bytes. */
  readonly start: number;
  readonly end: number;
}

export interface Portion {
  readonly orders: readonly FileOrder[];
  readonly bytes: Uint8Array;
}

export interface WriterSetup {
  readonly folder: string;
  readonly cell: Int32Array;
  readonly port: MessagePort;
}

/** Words of the shared memory. */
export const CELL = { done: 0, waiting: 1, lost: 2, words: 3 } as const;

const PORTION_ORDERS = 64;
const PORTION_BYTES = 1 << 18;
/** Portions on their way; beyond that the disk sets the pace. */
const MOST_PORTIONS = 128;
/** A disk that does not answer for so long is given up. */
const PATIENCE_MS = 120_000;

export class ThreadedWriter implements FileSink {
  private readonly cell = new Int32Array(new SharedArrayBuffer(4 * CELL.words));
  private readonly port: MessagePort;
  private readonly worker: Worker;
  private orders: FileOrder[] = [];
  private bytes = new Uint8Array(PORTION_BYTES);
  private length = 0;
  private sent = 0;
  private lastFailure: string | null = null;

  constructor(readonly folder: string) {
    const { port1, port2 } = new MessageChannel();
    this.port = port1;
    const { script, argv } = workerStart(new URL("./writer-worker.js", import.meta.url));
    this.worker = new Worker(script, { argv, stdin: false });
    this.worker.postMessage({ folder, cell: this.cell, port: port2 } satisfies WriterSetup, [port2]);
    this.worker.unref();
  }

  get failure(): string | null {
    for (let next = receiveMessageOnPort(this.port); next !== undefined; next = receiveMessageOnPort(this.port)) {
      this.lastFailure = (next.message as { readonly failure: string | null }).failure;
    }
    return this.lastFailure;
  }

  get waiting(): number {
    return Atomics.load(this.cell, CELL.waiting);
  }

  get lost(): number {
    return Atomics.load(this.cell, CELL.lost);
  }

  write(name: string, bytes: string | Uint8Array, mode = 0o666): void {
    this.order("write", name, bytes, mode);
  }

  replace(name: string, bytes: string | Uint8Array): void {
    this.order("replace", name, bytes, 0o666);
  }

  append(name: string, text: string): void {
    if (text !== "") this.order("append", name, text, 0o666);
  }

  /** Sends what was collected. */
  flush(): void {
    if (this.orders.length === 0) return;
    if (this.sent - Atomics.load(this.cell, CELL.done) >= MOST_PORTIONS) this.waitFor(this.sent - MOST_PORTIONS / 2);
    const { orders, bytes } = this;
    this.orders = [];
    this.bytes = new Uint8Array(PORTION_BYTES);
    this.length = 0;
    this.sent++;
    this.worker.postMessage({ orders, bytes } satisfies Portion, [bytes.buffer as ArrayBuffer]);
  }

  /** Everything is written, or known not to be. */
  finish(): boolean {
    this.order("retry", "", "", 0);
    this.flush();
    this.waitFor(this.sent);
    return this.waiting === 0 && this.failure === null;
  }

  private order(kind: FileOrder["kind"], name: string, content: string | Uint8Array, mode: number): void {
    const bytes = typeof content === "string" ? Buffer.from(content) : content;
    if (this.length + bytes.length > this.bytes.length) {
      this.flush();
      if (bytes.length > this.bytes.length) this.bytes = new Uint8Array(bytes.length);
    }
    this.bytes.set(bytes, this.length);
    this.orders.push({ kind, name, mode, start: this.length, end: this.length + bytes.length });
    this.length += bytes.length;
    if (this.orders.length >= PORTION_ORDERS) this.flush();
  }

  private waitFor(portions: number): void {
    const until = performance.now() + PATIENCE_MS;
    for (;;) {
      const done = Atomics.load(this.cell, CELL.done);
      if (done >= portions) return;
      if (performance.now() > until) {
        this.lastFailure ??= `the disk has not answered for ${PATIENCE_MS / 1000} s`;
        return;
      }
      Atomics.wait(this.cell, CELL.done, done, 1000);
    }
  }
}
