import assert from "node:assert/strict";
import { once } from "node:events";
import { it } from "node:test";
import { MessageChannel } from "node:worker_threads";
import type { ProgramImage } from "../jit/image.js";
import type { WorkTask } from "./work-messages.js";
import { serveWork } from "./work-server.js";

const SETUP = { technique: "none", setup: null, env: {}, startable: [] };

/** Loads programs one after the other; says which were loaded and which were dropped. */
async function load(
  contents: readonly string[],
  beginsAt = 0,
): Promise<{ readonly loaded: string[]; readonly dropped: string[] }> {
  const { port1, port2 } = new MessageChannel();
  const loaded: string[] = [];
  const dropped: string[] = [];
  serveWork(port1, {
    load({ content }) {
      loaded.push(content);
      const image = { content } as unknown as ProgramImage;
      return Promise.resolve({ image, module: null as unknown as WebAssembly.Module, warnings: [] });
    },
    drop: ({ image }) => dropped.push((image as unknown as { readonly content: string }).content),
    describe: () => null,
    run: () => ({ kind: "skipped", why: "nothing is run" }),
  });
  for (const [at, content] of contents.entries()) {
    const program = { content, path: content, name: content };
    const task: WorkTask = {
      kind: "load",
      program,
      needs: [],
      describes: false,
      setup: SETUP,
      begins: at === beginsAt,
      cell: new Int32Array(1),
    };
    const answered = once(port2, "message");
    port2.postMessage(task);
    assert.equal((await answered)[0].kind, "loaded");
  }
  port1.close();
  return { loaded, dropped };
}

const programs = (count: number): string[] => Array.from({ length: count }, (_, n) => `p${n}`);

it("a thread keeps all programs of a suite that has few", async () => {
  const { loaded, dropped } = await load([...programs(16), ...programs(16)]);
  assert.deepEqual(loaded, programs(16));
  assert.deepEqual(dropped, []);
});

it("of many that take turns it keeps the last few, and says which it drops", async () => {
  const { loaded, dropped } = await load([...programs(20), "p19", "p16", "p0"]);
  assert.deepEqual(loaded, [...programs(20), "p0"]);
  assert.deepEqual(dropped, [...programs(16), "p17"]);
});

it("a campaign finds nothing of the one before", async () => {
  const { loaded, dropped } = await load(["a", "b", "a", "b", "b"], 2);
  assert.deepEqual(loaded, ["a", "b", "a", "b"]);
  assert.deepEqual(dropped, ["a", "b"]);
});
