// The thread in which one program is examined: generated code needs a large native stack, which only a worker can have.

import { parentPort } from "node:worker_threads";
import { examine } from "./examine.js";
import type { Subject } from "./subject.js";

parentPort?.once("message", async (subject: Subject) => {
  parentPort?.postMessage(await examine(subject));
});
