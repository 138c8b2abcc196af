import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, describe, it } from "node:test";
import type { WorkMessage } from "../campaign/work-messages.js";
import type { ProgramImage } from "../jit/image.js";
import { encodeImage } from "../program/image-file.js";
import { hashOf } from "../project/content-hash.js";
import { NODE_ALONE, wallsHere } from "../support/sandbox/confinement.js";
import { NO_VALUES, tinyImage } from "../vm/tiny-module.js";
import { ItemProcess } from "./item-process.js";

const scratch = realpathSync(mkdtempSync(join(tmpdir(), "tangent-item-")));
after(() => rmSync(scratch, { recursive: true, force: true }));
const shelf = join(scratch, "shelf");
mkdirSync(shelf);

const IMAGE = tinyImage([{ name: "start", signature: NO_VALUES, body: [] }]);

/** Imports what every object of JavaScript has. */
function hostile(): ProgramImage {
  const wasm = Uint8Array.from(IMAGE.wasm);
  wasm.set(Buffer.from("valueOf"), Buffer.from(wasm).indexOf("syscall"));
  return { ...IMAGE, wasm };
}

for (const walls of new Set([NODE_ALONE, wallsHere(process.env)])) {
  describe(`a process for items behind ${walls.join(" and ")}`, () => {
    const own = (name: string): string => join(scratch, `${name}-${walls.length}`);

    async function load(items: ItemProcess, path: string): Promise<WorkMessage | null> {
      const program = { content: path, path, name: "p" };
      const setup = { technique: "amplify", setup: {}, env: {}, startable: [] };
      const task = { kind: "load", program, needs: [], describes: false, setup } as const;
      let last: WorkMessage | null = null;
      await items.run(task, { timeMs: 60_000, graceMs: 1000 }, (message) => {
        last = message;
      });
      return last;
    }

    it("takes translations of ours, and none that imports anything else or lies elsewhere", async () => {
      const items = new ItemProcess(own("load"), [shelf], [], walls);
      writeFileSync(join(shelf, "good"), encodeImage(IMAGE));
      writeFileSync(join(shelf, "bad"), encodeImage(hostile()));
      writeFileSync(join(scratch, "outside"), encodeImage(IMAGE));
      assert.equal((await load(items, join(shelf, "good")))?.kind, "loaded");
      const refused = await load(items, join(shelf, "bad"));
      assert.ok(refused?.kind === "not-loaded", JSON.stringify(refused));
      assert.match(refused.message, /what was sent as its translation is none of this version/);
      assert.equal((await load(items, join(scratch, "outside")))?.kind, "failed");
      items.discard();
    });

    it("gives what was made there, by its hash, if it is not too much and no link, until the next task", async () => {
      const folder = own("made");
      const items = new ItemProcess(folder, [shelf], [], walls);
      const put = (bytes: Buffer): string => {
        const name = hashOf(bytes);
        const path = join(folder, ".tangent/blobs", name.slice(0, 2), name.slice(2));
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, bytes);
        return name;
      };
      const small = put(Buffer.from("made"));
      const large = put(Buffer.alloc(0x100_0001));
      assert.deepEqual([...(items.takeMade([small, hashOf(Buffer.from("not there"))]) ?? [])].length, 1);
      assert.equal(items.takeMade([small, large]), null);
      writeFileSync(join(shelf, "next"), encodeImage(IMAGE));
      assert.equal((await load(items, join(shelf, "next")))?.kind, "loaded");
      assert.equal(items.takeMade([small])?.size, 0);
      symlinkSync(shelf, join(folder, ".tangent"));
      assert.equal(items.takeMade([hashOf(Buffer.from("other"))]), null);
      items.discard();
    });
  });
}
