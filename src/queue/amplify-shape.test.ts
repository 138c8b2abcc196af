import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Seed } from "../project/seed.js";
import { seedId } from "../project/seed-store.js";
import type { AmplifyWork } from "../techniques/amplify-item.js";
import { contentsOfReport, contentsOfWork, isAmplifyWork, isItemEvent, readAmplifyReport } from "./amplify-shape.js";

const CONTENT = "ab".repeat(32);

function seedOf(changes: Partial<Seed> = {}): Seed {
  const seed = {
    program: "/p/prog",
    programContent: "cd".repeat(32),
    arguments: ["./prog", "1"],
    environment: [],
    workingDirectory: "/p",
    umask: 0o22,
    stdin: { kind: "bytes", content: CONTENT },
    files: [{ path: "/p/gone", content: null, mode: 0 }],
    end: { kind: "exit", code: 0 },
    recorded: { at: "2026-01-01T00:00:00Z", milliseconds: 1, times: 1 },
    ...changes,
  } as const;
  return { ...seed, id: changes.id ?? seedId(seed as Seed) } as Seed;
}

const BASE = seedOf();
const MOVES: AmplifyWork = { bases: [BASE], known: "", timeMs: 100, most: 4, mostOfSeed: 2 };

function moved(seed: Seed, from = BASE.id): unknown {
  const input = { seed, from, command: ["rm", "-rf"], steps: ["longer"], fails: false };
  return { isComplete: true, result: { isMoves: true, moved: [input], tried: 1, leftOut: 0, isWhole: true } };
}

describe("the form of what travels for amplification", () => {
  it("a test's work, with the contents it needs; nothing whose seed is not what its id says", () => {
    assert.ok(isAmplifyWork({ seed: BASE, distance: 0, look: 1 }));
    assert.ok(isAmplifyWork(MOVES));
    assert.deepEqual(contentsOfWork({ seed: BASE, distance: 0 }), [CONTENT]);
    const others = [
      { seed: { ...BASE, arguments: ["./prog", "2"] }, distance: 0 },
      { seed: BASE, distance: -2 },
      { seed: BASE, distance: 0, look: 7 },
      { seed: { ...BASE, id: "../../x" }, distance: 0 },
      {},
      null,
    ];
    for (const work of others) assert.ok(!isAmplifyWork(work));
  });

  it("an event of each kind, and nothing else", () => {
    assert.ok(isItemEvent({ kind: "covered", coverage: new Uint8Array(3), byTests: true }));
    assert.ok(isItemEvent({ kind: "note", text: "a" }));
    assert.ok(isItemEvent({ kind: "own", value: { failureOfTests: "abc" } }));
    for (const event of [
      { kind: "covered", coverage: [1, 2], byTests: true },
      { kind: "finding", found: { finding: { kind: "no such kind" } } },
      { kind: "finding", found: {} },
      { kind: "own", value: 5 },
      { kind: "run", program: "/bin/sh" },
      // It would fail a campaign by the name of an input that nobody has.
      { kind: "seen", what: "abort", id: "0123456789abcdef" },
      undefined,
    ]) {
      assert.ok(!isItemEvent(event));
    }
  });

  it("inputs that a worker made are of the item's own tests and program; how the test was called is not its to say", () => {
    const made = seedOf({ arguments: ["./prog", "111"] });
    const report = readAmplifyReport(moved(made), MOVES);
    assert.ok(report?.result.isMoves === true);
    assert.deepEqual(report.result.moved[0].command, BASE.arguments);
    assert.deepEqual(contentsOfReport(report), [CONTENT]);
    assert.equal(readAmplifyReport(moved(made, "0123"), MOVES), null);
    assert.equal(readAmplifyReport(moved(made), { ...MOVES, most: 0 }), null, "more than were asked for");
    assert.equal(readAmplifyReport(moved(seedOf({ program: "/bin/rm" })), MOVES), null);
    assert.equal(readAmplifyReport(moved(seedOf({ programContent: "ef".repeat(32) })), MOVES), null);
    assert.equal(readAmplifyReport(moved({ ...made, id: "abc" }), MOVES), null);
  });

  it("a report of another kind than the item asks for is none", () => {
    const plain = { isComplete: false, result: { isPlain: true, plain: { end: "exit 0", isWhole: true } } };
    assert.ok(readAmplifyReport(plain, { seed: BASE, distance: -1 }) !== null);
    assert.equal(readAmplifyReport(plain, MOVES), null);
    assert.equal(readAmplifyReport(moved(BASE), { seed: BASE, distance: 0 }), null);
    assert.equal(
      readAmplifyReport({ isComplete: true, result: { isPlain: false } }, { seed: BASE, distance: 0 }),
      null,
    );
    assert.equal(readAmplifyReport(null, MOVES), null);
  });
});
