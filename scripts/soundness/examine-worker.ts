// The thread in which programs are examined, one after the other: generated code needs a large native stack, which only a
// worker can have; a new worker for each program would spend most of its time warming up.

import { parentPort } from "node:worker_threads";
import { examine } from "./examine.js";
import type { Subject } from "./subject.js";

parentPort?.on("message", async (subject: Subject) => {
  parentPort?.postMessage(await examine(subject));
});
