// The VM's side of protocol.ts. The process's main thread only passes messages on; the work is done in a worker thread
// with a large stack, as `tangent run` does it, since WebAssembly's frames lie on the host thread's stack.

import { setFlagsFromString } from "node:v8";
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import type { VmRequest } from "./protocol.js";
import { serveRequest } from "./serve.js";

/** As much as `tangent run` gives its worker. */
const STACK_MB = 512;

if (isMainThread) {
  // The flags `tangent run` sets.
  setFlagsFromString("--experimental-wasm-branch-hinting");
  setFlagsFromString("--wasm-lazy-compilation");
  const worker = new Worker(new URL(import.meta.url), { resourceLimits: { stackSizeMb: STACK_MB } });
  worker.on("message", (reply) => process.send?.(reply));
  worker.on("error", (error) => {
    process.send?.({ crash: String(error.stack ?? error) });
    process.exit(1);
  });
  process.on("message", (request) => worker.postMessage(request));
  process.on("disconnect", () => process.exit(0));
} else {
  parentPort?.on("message", async (request: VmRequest) => {
    parentPort?.postMessage(await serveRequest(request));
  });
}
