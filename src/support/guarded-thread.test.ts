import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import test from "node:test";
import { GuardedThread, newCell, type ThreadTask } from "./guarded-thread.js";

interface Task extends ThreadTask {
  readonly what: string;
}

/** A thread that runs this code for each task; `post` answers, `task` is what was sent. */
function threadOf(code: string, options: { readonly oldMb?: number } = {}): GuardedThread<Task, string> {
  const script = `
    import { parentPort } from "node:worker_threads";
    const post = (message) => parentPort.postMessage(message);
    parentPort.on("message", (task) => { ${code} });`;
  return new GuardedThread<Task, string>(new URL(`data:text/javascript,${encodeURIComponent(script)}`), options);
}
const FOREVER = { timeMs: Number.POSITIVE_INFINITY, graceMs: 100 };
const isLast = (message: string): boolean => message === "last";

test("guarded thread: several tasks, one after the other, and every message of each", async () => {
  const thread = threadOf(`post("a " + task.what); post("last");`);
  for (const what of ["first", "second"]) {
    const heard: string[] = [];
    const end = await thread.run({ what, cell: newCell() }, FOREVER, (message) => {
      heard.push(message);
      return isLast(message);
    });
    assert.deepEqual(end, { kind: "done" });
    assert.deepEqual(heard, [`a ${what}`, "last"]);
  }
  assert.ok(thread.isAlive);
  thread.discard();
  assert.ok(!thread.isAlive);
});

test("guarded thread: one that throws has died, with its message, and what it had said is heard", async () => {
  const thread = threadOf(`post("before"); throw new Error("broken " + task.what);`);
  const heard: string[] = [];
  const end = await thread.run({ what: "pipe", cell: newCell() }, FOREVER, (message) => {
    heard.push(message);
    return false;
  });
  assert.ok(end.kind === "died" && end.message === "broken pipe");
  assert.deepEqual(heard, ["before"]);
  assert.ok(!thread.isAlive);
  const again = await thread.run({ what: "", cell: newCell() }, FOREVER, isLast);
  assert.ok(again.kind === "died" && again.message === "broken pipe");
});

test("guarded thread: one that runs out of memory has died", async () => {
  const thread = threadOf("const all = []; for (;;) all.push(new Array(1000).fill(task.what));", { oldMb: 24 });
  const end = await thread.run({ what: "x", cell: newCell() }, FOREVER, isLast);
  assert.ok(end.kind === "died" && /memory/.test(end.message), JSON.stringify(end));
});

test("guarded thread: one that ends by itself has died", async () => {
  const end = await threadOf("process.exit(7);").run({ what: "", cell: newCell() }, FOREVER, isLast);
  assert.ok(end.kind === "died" && /code 7/.test(end.message));
});

test("guarded thread: one that stops when it is asked to is done", async () => {
  const thread = threadOf(`Atomics.wait(task.cell, 0, 0); post("word " + task.cell[0]); post("last");`);
  const heard: string[] = [];
  const limits = { timeMs: 50, graceMs: 60_000, word: -1 };
  const end = await thread.run({ what: "", cell: newCell() }, limits, (message) => {
    heard.push(message);
    return isLast(message);
  });
  assert.deepEqual(end, { kind: "done" });
  assert.deepEqual(heard, ["word -1", "last"]);
  thread.discard();
});

test("guarded thread: one that does not stop is terminated", async () => {
  const thread = threadOf("for (;;);");
  assert.deepEqual(await thread.run({ what: "", cell: newCell() }, { timeMs: 50, graceMs: 50 }, isLast), {
    kind: "overdue",
  });
  assert.ok(!thread.isAlive);
});

test("guarded thread: a wish to stop from outside is kept by force too", async () => {
  const thread = threadOf(`post("begun"); for (;;);`);
  const end = await thread.run({ what: "", cell: newCell() }, FOREVER, (message) => {
    if (message === "begun") thread.stop();
    return false;
  });
  assert.deepEqual(end, { kind: "overdue" });
});

test("guarded thread: a task may be given more time", async () => {
  const thread = threadOf(`post("more"); Atomics.wait(task.cell, 0, 0, 400); post("last");`);
  const end = await thread.run({ what: "", cell: newCell() }, { timeMs: 200_000, graceMs: 1 }, (message) => {
    if (message === "more") thread.extend(Number.POSITIVE_INFINITY);
    return isLast(message);
  });
  assert.deepEqual(end, { kind: "done" });
  thread.discard();
});

test("guarded thread: one that waits for its cell in vain is asked, and wakes up", async () => {
  const thread = threadOf(`Atomics.wait(task.cell, 0, 0); post("last");`);
  const end = await thread.run({ what: "", cell: newCell() }, { timeMs: 20, graceMs: 60_000 }, isLast);
  assert.deepEqual(end, { kind: "done" });
  thread.discard();
});

test("guarded thread: a task whose thread is discarded is over at once, and its timer with it", async () => {
  const thread = threadOf(`post("begun"); for (;;);`);
  const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const before = timers();
  const end = await thread.run({ what: "", cell: newCell() }, { timeMs: 600_000, graceMs: 600_000 }, (message) => {
    if (message === "begun") thread.discard();
    return false;
  });
  assert.deepEqual(end, { kind: "overdue" });
  // One waits for the thread to be gone.
  assert.ok(timers() <= before + 1);
});

/** A thread that reads from a stream to which nobody writes, and is given up. */
const HANGING = `
  import { GuardedThread, newCell } from ${JSON.stringify(new URL("./guarded-thread.js", import.meta.url).href)};
  const code = 'import { parentPort } from "node:worker_threads"; import { readSync } from "node:fs";' +
    'parentPort.on("message", () => { parentPort.postMessage("begun"); readSync(0, new Uint8Array(1)); });';
  const thread = new GuardedThread(new URL("data:text/javascript," + encodeURIComponent(code)));
  const end = await thread.run({ cell: newCell() }, { timeMs: Infinity, graceMs: 0 }, () => { thread.stop(); });
  process.exitCode = 7;
  process.on("exit", () => console.log("put in order, " + end.kind));
  setTimeout(() => process.on("exit", () => console.log("and this")), 1000);
`;

test("guarded thread: a process whose thread hangs in the system ends all the same, with its status", async () => {
  const child = spawn(process.execPath, ["--input-type=module", "-e", HANGING], { stdio: ["pipe", "pipe", "inherit"] });
  let said = "";
  child.stdout.on("data", (part: Buffer) => {
    said += part.toString();
  });
  assert.deepEqual(await once(child, "close"), [7, null]);
  assert.equal(said, "put in order, overdue\nand this\n");
});
