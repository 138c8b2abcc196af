// For tests: a thread that takes tasks and never says anything.

import { parentPort } from "node:worker_threads";

parentPort?.on("message", () => {});
