import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { signalTree } from "./process-tree.js";

test("process tree: a signal reaches what a command has started", async () => {
  const child = spawn("sh", ["-c", "sleep 600 & echo $!; wait"], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const grandchild = Number(line.toString());
  assert.equal(process.kill(grandchild, 0), true);
  assert.ok(child.pid !== undefined);
  signalTree(child.pid, "SIGKILL");
  // Its end of the pipe is closed only when both are gone.
  await once(child, "close");
  assert.equal(child.signalCode, "SIGKILL");
});
