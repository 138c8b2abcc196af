// Ends the process with its own status although threads of it hang: in a system call that blocks, or while V8 compiles for them. Node
// waits for each of its threads first, without end if need be, and SIGKILL, which waits for nobody, loses the status. What
// WASI's `proc_exit` calls is the C library's exit(), and that waits for no thread either.
//
// Whoever has something to put in order when the process exits does so before.

import { createRequire } from "node:module";

/** Imports proc_exit, and calls it with the number in its memory's first word. */
const LEAVING = Uint8Array.from([
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
  // Types: (i32) -> (), () -> ().
  ...[0x01, 0x08, 0x02, 0x60, 0x01, 0x7f, 0x00, 0x60, 0x00, 0x00],
  ...[0x02, 0x24, 0x01, 0x16, ...Buffer.from("wasi_snapshot_preview1"), 0x09, ...Buffer.from("proc_exit"), 0x00, 0x00],
  ...[0x03, 0x02, 0x01, 0x01],
  ...[0x05, 0x03, 0x01, 0x00, 0x01],
  ...[0x07, 0x13, 0x02, 0x06, ...Buffer.from("memory"), 0x02, 0x00, 0x06, ...Buffer.from("_start"), 0x00, 0x01],
  // (call 0 (i32.load (i32.const 0)))
  ...[0x0a, 0x0b, 0x01, 0x09, 0x00, 0x41, 0x00, 0x28, 0x02, 0x00, 0x10, 0x00, 0x0b],
]);

/** To be added as the listener of `exit` when a thread turns out to hang. */
export function leaveWithoutWaiting(status: number): void {
  const listeners = process.listeners("exit");
  for (const listener of listeners.slice(listeners.lastIndexOf(leaveWithoutWaiting) + 1))
    listener.call(process, status);
  try {
    exitNow(Number(process.exitCode ?? status));
  } catch {
    // A Node without WASI: it ends at least.
  }
  process.kill(process.pid, "SIGKILL");
}

function exitNow(status: number): void {
  const { WASI } = quietly(() => createRequire(import.meta.url)("node:wasi") as typeof import("node:wasi"));
  const wasi = new WASI({ version: "preview1", returnOnExit: false });
  const imports = { wasi_snapshot_preview1: wasi.wasiImport };
  const instance = new WebAssembly.Instance(new WebAssembly.Module(LEAVING), imports);
  new DataView((instance.exports.memory as WebAssembly.Memory).buffer).setInt32(0, status, true);
  wasi.start(instance);
}

/** Node warns that WASI is experimental; of what is used here nothing will change. */
function quietly<T>(load: () => T): T {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}
