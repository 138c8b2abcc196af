// The VM's side of protocol.ts: a process that answers one request after the other until its parent lets go of it.

import { startThreadsFromPack } from "../packed-threads.js";
import type { VmRequest } from "./protocol.js";
import { serveRequest } from "./serve.js";

startThreadsFromPack();
process.on("message", async (request: VmRequest) => {
  process.send?.(await serveRequest(request));
});
process.on("disconnect", () => process.exit(0));
