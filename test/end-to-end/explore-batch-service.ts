// The other side of explore-batch.ts: `tangent explore`, once for every message, until the parent lets go.

import { startThreadsFromPack } from "../../scripts/packed-threads.js";
import { command } from "../../src/cli/explore.js";
import { type BatchRequest, endMark } from "./explore-batch.js";

startThreadsFromPack();
process.on("message", async ({ words, directory }: BatchRequest) => {
  process.chdir(directory);
  const status = await command.start(words, {
    env: process.env,
    out: (text) => void process.stdout.write(text),
    error: (text) => void process.stderr.write(text),
  });
  // A folder that is in use could not be removed everywhere.
  process.chdir("/");
  for (const stream of [process.stdout, process.stderr]) stream.write(endMark(status));
});
process.on("disconnect", () => process.exit(0));
