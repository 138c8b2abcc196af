import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { GuardedThread, type ThreadTask } from "./guarded-thread.js";

interface Task extends ThreadTask {
  readonly what: string;
}

/** A thread that does what its task says. */
function thread(): GuardedThread<Task, string> {
  const code = `
    import { parentPort } from "node:worker_threads";
    parentPort.on("message", ({ what, cell }) => {
      if (what === "answer") parentPort.postMessage("answer");
      if (what === "throw") throw new Error("thrown on purpose");
      if (what === "exit") process.exit(7);
      if (what === "loop") for (;;);
      if (what === "obey") { while (Atomics.load(cell, 0) === 0); parentPort.postMessage("stopped"); }
    });`;
  return new GuardedThread(new URL(`data:text/javascript,${encodeURIComponent(code)}`));
}

const SOON = { timeMs: 50, graceMs: 50 };
const PATIENT = { timeMs: 60_000, graceMs: 1000 };

async function ask(what: string, limits = PATIENT) {
  const messages: string[] = [];
  const one = thread();
  const end = await one.run({ what, cell: new Int32Array(new SharedArrayBuffer(4)) }, limits, (message) => {
    messages.push(message);
    return true;
  });
  const isAlive = one.isAlive;
  one.discard();
  return { end, messages, isAlive };
}

describe("guarded thread", () => {
  it("a last message ends the task, and the thread can have another", async () => {
    const one = thread();
    for (let round = 0; round < 3; round++) {
      const cell = new Int32Array(new SharedArrayBuffer(4));
      assert.deepEqual(await one.run({ what: "answer", cell }, PATIENT, () => true), { kind: "done" });
    }
    one.discard();
  });

  it("a thread that throws has died, with its message", async () => {
    assert.deepEqual((await ask("throw")).end, { kind: "died", message: "thrown on purpose" });
  });

  it("a thread that exits has died, and later tasks are told so", async () => {
    const one = thread();
    const cell = new Int32Array(new SharedArrayBuffer(4));
    assert.equal((await one.run({ what: "exit", cell }, PATIENT, () => true)).kind, "died");
    assert.equal(one.isAlive, false);
    assert.equal((await one.run({ what: "answer", cell }, PATIENT, () => true)).kind, "died");
  });

  it("a thread that looks at its cell is asked to stop and does", async () => {
    const { end, messages } = await ask("obey", { timeMs: 50, graceMs: 10_000 });
    assert.deepEqual([end, messages], [{ kind: "done" }, ["stopped"]]);
  });

  it("a thread that never looks is terminated", async () => {
    const { end, isAlive } = await ask("loop", SOON);
    assert.deepEqual([end, isAlive], [{ kind: "overdue" }, false]);
  });
});
