import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import test from "node:test";

/** Waits for ever, in the main thread and, without hearing of anything, in another. */
const SCRIPT = `
  import { Worker } from "node:worker_threads";
  import { onStopSignal } from ${JSON.stringify(new URL("./stop-signal.js", import.meta.url).href)};
  onStopSignal(() => console.log("stopping"));
  new Worker("for (;;);", { eval: true }).once("online", () => console.log("ready"));
`;

test("stop signal: the first is told, the second ends the process as it would have, whatever its threads do", async () => {
  const child = spawn(process.execPath, ["--input-type=module", "-e", SCRIPT], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exit = once(child, "exit");
  for (const expected of ["ready", "stopping"]) {
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    assert.equal(line.toString(), `${expected}\n`);
    child.kill("SIGHUP");
  }
  assert.deepEqual(await exit, [null, "SIGHUP"]);
});
