import assert from "node:assert/strict";
import { test } from "node:test";
import { Random } from "../../support/random.js";
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
      new OutputBudget(1e9),
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
