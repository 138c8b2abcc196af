import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Random } from "../support/random.js";
import { NO_MODEL } from "./model-store.js";
import { NO_PENDING, type PendingId, PendingTable } from "./pending-table.js";
import type { RowIndex, SegmentId } from "./tree.js";

describe("pending table", () => {
  it("gives back what was put in, through any order of adding and removing, with dense ids", () => {
    const random = new Random(8);
    const table = new PendingTable();
    const live = new Map<PendingId, { segment: SegmentId; row: RowIndex; depth: number }>();
    let most = 0;
    for (let step = 0; step < 20_000; step++) {
      if (live.size > 0 && random.next() % 2 === 0) {
        const id = [...live.keys()][random.next() % live.size];
        table.remove(id);
        live.delete(id);
        assert.ok(!table.isLive(id));
      } else if (live.size < 300) {
        const [segment, row] = [(random.next() % 50) as SegmentId, (random.next() % 1000) as RowIndex];
        const place = { segment, row, depth: random.next() % 1000 };
        const id = table.add(place.segment, place.row, place.depth);
        assert.ok(!live.has(id), "an id is nobody else's");
        assert.deepEqual([table.model[id], table.selectable[id]], [NO_MODEL, 1]);
        live.set(id, place);
        most = Math.max(most, live.size);
      }
      if (step % 500 !== 0) continue;
      assert.equal(table.count, live.size);
      for (const [id, { segment, row, depth }] of live) {
        assert.ok(table.isLive(id));
        assert.deepEqual([table.segment[id], table.row[id], table.depth[id]], [segment, row, depth]);
      }
    }
    assert.equal(table.end, most, "ids of the removed are used again before there are new ones");
    assert.ok(!table.isLive(NO_PENDING) && !table.isLive(table.end as PendingId));
  });
});
