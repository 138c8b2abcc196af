import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Random } from "../support/random.js";
import { type ModelId, ModelStore, NO_MODEL } from "./model-store.js";

describe("model store", () => {
  it("gives back every input, whole or kept as a difference, through any order of adding and removing", () => {
    const random = new Random(11);
    const store = new ModelStore();
    /** A base outlives what is derived from it: as in the tree, derived inputs are a stack on each base. */
    const kept: { id: ModelId; bytes: Uint8Array; base: ModelId }[] = [];
    for (let step = 0; step < 20_000; step++) {
      if (kept.length > 0 && random.next() % 5 < 2) {
        const free = kept.filter(({ id }) => !kept.some(({ base }) => base === id));
        const victim = free[random.next() % free.length];
        store.remove(victim.id);
        kept.splice(kept.indexOf(victim), 1);
      } else if (kept.length < 60) {
        const parent = kept.length > 0 && random.next() % 4 > 0 ? kept[random.next() % kept.length] : null;
        const bytes = parent === null ? new Uint8Array(random.next() % 400) : parent.bytes.slice();
        if (parent === null) random.fill(bytes);
        for (let change = random.next() % 4; change > 0 && bytes.length > 0; change--) {
          bytes[random.next() % bytes.length] = random.next();
        }
        const base = parent?.id ?? NO_MODEL;
        kept.push({ id: store.add(bytes, base), bytes, base });
      }
      if (step % 50 === 0) for (const { id, bytes } of kept) assert.deepEqual(store.read(id), bytes);
    }
    assert.equal(store.count, kept.length);
  });

  it("keeps a long input that differs in a byte as little more than that byte", () => {
    const store = new ModelStore();
    const bytes = new Uint8Array(100_000);
    let id = store.add(bytes);
    const before = store.bytesInUse;
    for (let i = 0; i < 20; i++) {
      bytes[i * 7] = 1;
      id = store.add(bytes, id);
    }
    assert.ok(store.bytesInUse - before < 20 * 100);
    assert.deepEqual(store.read(id), bytes);
  });

  it("uses the room of removed inputs again", () => {
    const store = new ModelStore();
    const bytes = new Uint8Array(50);
    const ids: ModelId[] = [];
    for (let i = 0; i < 100_000; i++) {
      ids.push(store.add(bytes));
      if (ids.length > 100) store.remove(ids.splice((i * 31) % 100, 1)[0]);
    }
    assert.ok(store.bytes < 64 * 1024, `${store.bytes} bytes`);
  });
});
