// The thread behind ThreadedWriter: carries out its orders one after the other with a plain FileWriter.

import { parentPort } from "node:worker_threads";
import { FileWriter } from "./file-writer.js";
import { CELL, type Portion, type WriterSetup } from "./threaded-writer.js";

parentPort?.once("message", ({ folder, cell, port }: WriterSetup) => {
  const writer = new FileWriter(folder);
  let told: string | null = null;
  parentPort?.on("message", ({ orders, bytes }: Portion) => {
    for (const { kind, name, mode, start, end } of orders) {
      const content = bytes.subarray(start, end);
      if (kind === "write") writer.write(name, content, mode);
      else if (kind === "replace") writer.replace(name, content);
      else if (kind === "append") writer.append(name, Buffer.from(content).toString());
      else writer.finish();
    }
    if (writer.failure !== told) {
      told = writer.failure;
      port.postMessage({ failure: told });
    }
    Atomics.store(cell, CELL.waiting, writer.waiting);
    Atomics.store(cell, CELL.lost, writer.lost);
    Atomics.add(cell, CELL.done, 1);
    Atomics.notify(cell, CELL.done);
  });
});
