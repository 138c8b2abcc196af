// Ends the process with its own status although threads of it hang: in a system call that blocks, or while V8 compiles for them. Node
// waits for each of its threads first, without end if need be, and SIGKILL, which waits for nobody, loses the status. What
// WASI's `proc_exit` calls is the C library's exit(), and that waits for no thread either.
//
// Whoever has something to put in order when the process exits does so before.

import { createRequire } from "node:module";

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
  const leave = wasi.wasiImport.proc_exit as (status: number) => void;
  // It takes calls only from what was started.
  wasi.start({ exports: { memory: new WebAssembly.Memory({ initial: 1 }), _start: () => leave(status) } });
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
