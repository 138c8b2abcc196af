import assert from "node:assert/strict";
import { test } from "node:test";
import { Random } from "../../support/random.js";
import { RunMemory } from "../run-memory.js";
import { FileContent } from "./file-content.js";
import { OutputBudget } from "./standard-streams.js";

test("file content: reads back what a plain array of bytes would hold, over a base file or none", () => {
  for (let seed = 1; seed <= 40; seed++) {
    const random = new Random(seed);
    const base = new Uint8Array(seed % 3 === 0 ? 0 : 150_000);
    random.fill(base);
    const content = new FileContent(
      base.length === 0
        ? null
        : (into, offset) => {
            // Short reads happen on real files too.
            const part = base.subarray(offset, offset + Math.min(into.length, 10_000));
            into.set(part);
            return part.length;
          },
      base.length,
      new OutputBudget(1e9, new RunMemory(1e9)),
    );
    let model = Buffer.from(base);
    for (let step = 0; step < 60; step++) {
      const offset = random.next() % 200_000;
      const bytes = new Uint8Array(random.next() % 80_000);
      random.fill(bytes);
      if (random.next() % 4 === 0) {
        content.resize(offset);
        const resized = Buffer.alloc(offset);
        model.copy(resized);
        model = resized;
      } else if (random.next() % 2 === 0) {
        assert.equal(content.write(bytes, offset), 0);
        if (bytes.length > 0) {
          const larger = Buffer.alloc(Math.max(model.length, offset + bytes.length));
          model.copy(larger);
          larger.set(bytes, offset);
          model = larger;
        }
      }
      assert.equal(content.size, model.length);
      const into = new Uint8Array(random.next() % 100_000);
      const count = content.read(into, offset);
      const expected = model.subarray(offset, offset + into.length);
      assert.equal(count, expected.length);
      assert.ok(Buffer.from(into.subarray(0, count)).equals(expected), `seed ${seed} step ${step}`);
    }
  }
});

test("file content: what was never written to is a hole, as a plain list of blocks says", () => {
  const block = 4096;
  for (let seed = 1; seed <= 30; seed++) {
    const random = new Random(seed);
    const baseSize = seed % 3 === 0 ? 0 : 10_000;
    const content = new FileContent(null, baseSize, new OutputBudget(1e9, new RunMemory(1e9)));
    let data = new Set(Array.from({ length: Math.ceil(baseSize / block) }, (_, index) => index));
    for (let step = 0; step < 20; step++) {
      const offset = random.next() % 400_000;
      const length = 1 + (random.next() % 20_000);
      if (random.next() % 4 === 0) {
        content.resize(offset);
        data = new Set([...data].filter((index) => index * block < offset));
      } else {
        assert.equal(content.write(new Uint8Array(length), offset), 0);
        for (let index = Math.floor(offset / block); index * block < offset + length; index++) data.add(index);
      }
      assert.equal(content.blocks, data.size);
      if (content.size === 0) continue;
      const from = random.next() % content.size;
      const after = [...data].filter((index) => (index + 1) * block > from).sort((a, b) => a - b);
      const next = after[0] === undefined ? -1 : Math.max(from, after[0] * block);
      assert.equal(content.nextData(from), next);
      let hole = Math.floor(from / block);
      while (data.has(hole)) hole++;
      assert.equal(content.nextHole(from), Math.min(content.size, Math.max(from, hole * block)));
    }
  }
});
