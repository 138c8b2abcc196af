import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { hashOf } from "../project/content-hash.js";
import type { BlobTransport } from "./blob-transport.js";
import { Scratch } from "./scratch.js";

const content = (n: number): Buffer => Buffer.alloc(100, n);
const nameOf = (n: number): string => hashOf(content(n));

class Counting implements BlobTransport {
  asked = 0;
  private readonly held = new Map([1, 2, 3, 4].map((n) => [nameOf(n), content(n)]));

  put(): Promise<string> {
    return Promise.reject(new Error("nobody puts here"));
  }
  get(name: string): Promise<Uint8Array | null> {
    this.asked++;
    return Promise.resolve(this.held.get(name) ?? null);
  }
  drop(): Promise<void> {
    return Promise.resolve();
  }
}

describe("a worker's scratch folder", () => {
  const folder = mkdtempSync(join(tmpdir(), "tangent-scratch-"));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it("fetches a content once, whoever asks, and says what is nowhere", async () => {
    const from = new Counting();
    const scratch = new Scratch(join(folder, "a"));
    const both = await Promise.all([scratch.take([nameOf(1)], from), scratch.take([nameOf(1), nameOf(9)], from)]);
    assert.deepEqual(both, [[], [nameOf(9)]]);
    assert.equal(from.asked, 2);
    assert.deepEqual(readFileSync(scratch.path(nameOf(1))), content(1));
    assert.deepEqual(await scratch.take(["../x"], from), ["../x"]);
    assert.deepEqual(readdirSync(join(folder, "a")), [".tangent"]);
  });

  it("above its limit what was used longest ago goes, but nothing that is at work", async () => {
    const from = new Counting();
    const scratch = new Scratch(join(folder, "b"), 250);
    for (const n of [1, 2]) {
      await scratch.take([nameOf(n)], from);
      if (n !== 1) scratch.release([nameOf(n)]);
    }
    await scratch.take([nameOf(3)], from);
    assert.ok(existsSync(scratch.path(nameOf(1))), "at work");
    assert.ok(!existsSync(scratch.path(nameOf(2))));
    scratch.release([nameOf(1)]);
    scratch.release([nameOf(3)]);
    await scratch.take([nameOf(4)], from);
    assert.ok(!existsSync(scratch.path(nameOf(1))));
    assert.ok(existsSync(scratch.path(nameOf(3))));
  });

  it("however much an order names, no more comes to the disk than the limit", async () => {
    const from = new Counting();
    const scratch = new Scratch(join(folder, "d"), 250);
    const missing = await scratch.take([1, 2, 3, 4].map(nameOf), from);
    assert.deepEqual(missing, [3, 4].map(nameOf));
    assert.equal(missing.filter((name) => existsSync(scratch.path(name))).length, 0);
    scratch.release([1, 2, 3, 4].map(nameOf));
    assert.deepEqual(await scratch.take([nameOf(3)], from), []);
  });

  it("what an earlier worker has left is used again, unless it is damaged", async () => {
    const from = new Counting();
    const before = new Scratch(join(folder, "c"));
    await before.take([nameOf(1), nameOf(2)], from);
    writeFileSync(before.path(nameOf(2)), "cut");
    const scratch = new Scratch(join(folder, "c"));
    assert.deepEqual(await scratch.take([nameOf(1), nameOf(2)], from), []);
    assert.equal(from.asked, 3);
    assert.deepEqual(readFileSync(scratch.path(nameOf(2))), content(2));
  });
});
