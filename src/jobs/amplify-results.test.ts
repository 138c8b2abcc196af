import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Campaign } from "../campaign/campaign.js";
import { FoundOnce } from "../campaign/found-once.js";
import type { ItemReport, WorkItem } from "../campaign/technique.js";
import type { BlobStore } from "../project/blob-store.js";
import type { Seed } from "../project/seed.js";
import { otherEndsInWords } from "../report/foreign-ends.js";
import { Random } from "../support/random.js";
import type { AmplifyResult, AmplifyWork } from "../techniques/amplify-item.js";
import { AmplifyResults } from "./amplify-results.js";

const seed = (id: string): Seed => ({
  id,
  program: "/p/prog",
  programContent: "content",
  arguments: ["./prog", id],
  environment: [],
  workingDirectory: "/p",
  umask: 0,
  stdin: { kind: "empty" },
  files: [],
  end: { kind: "exit", code: 0 },
  recorded: { at: "", milliseconds: 1, times: 3 },
});
const SEEDS = ["a", "b", "c"].map(seed);
const item = (index: number, distance: number): WorkItem<AmplifyWork> => ({
  key: `${SEEDS[index].id}/${distance}`,
  program: "content",
  label: `./prog ${SEEDS[index].id}`,
  work: { seed: SEEDS[index], distance },
});

/** With so many checks asked, and divergences. */
function report(checks: number, divergences: number, isComplete = true): ItemReport<AmplifyResult> {
  const statistics = {
    paths: 2,
    timeMs: 5,
    unknown: 1,
    dropped: 0,
    divergences,
    losses: { "system-call": 2, "thread-order": 1 },
    ends: { limit: 1 },
  };
  const solver = { queries: 4, timeMs: 1.5 };
  const result = { checks, checksSkipped: 0, passedOver: 0, statistics: { ...statistics, solver } };
  return { isComplete, result: result as unknown as AmplifyResult };
}

function newResults(): { readonly results: AmplifyResults; readonly found: FoundOnce } {
  const found = new FoundOnce();
  const campaign = { found, elapsedMs: () => 10 } as unknown as Campaign<AmplifyWork, AmplifyResult>;
  const blobs = { get: () => null } as unknown as BlobStore;
  return { results: new AmplifyResults("/p", SEEDS, blobs, () => campaign), found };
}

describe("results of an amplification", () => {
  it("adds up what items report, by test and in all", () => {
    const { results } = newResults();
    results.take({ kind: "item-known", item: item(1, 0) });
    results.take({ kind: "item-ended", item: item(0, 0), report: report(7, 0) });
    results.take({ kind: "item-ended", item: item(0, 1), report: report(1, 2, false) });
    const { totals, seeds, technique, durationMs, notExplored, timeline } = results.result("time", 12.4);
    assert.equal(technique, "amplify");
    assert.equal(durationMs, 12);
    const sums = { checks: 8, paths: 4, queries: 8, solverMs: 3, divergences: 2, unconfirmed: 0 };
    assert.deepEqual(totals, { seeds: 3, invocations: 9, distance: 0, ...sums });
    assert.deepEqual(
      seeds.map(({ distance, checks, paths }) => [distance, checks, paths]),
      [
        [1, 8, 4],
        [0, 0, 0],
        [-1, 0, 0],
      ],
    );
    assert.equal(timeline.length, 2);
    assert.equal(notExplored["made concrete: system-call"], 4);
    assert.equal(notExplored["threads were run in one order of many"], 2);
    assert.equal(notExplored["tests at a distance that took all of their time (limit)"], 1);
  });

  it("checks that were put off are counted once when they are made, and as left out if they never are", () => {
    const { results } = newResults();
    const putOff = (asked: number, checksSkipped: number): ItemReport<AmplifyResult> => {
      const { result } = report(asked, 0);
      return { isComplete: false, result: { ...result, checksSkipped, isPutOff: true } as AmplifyResult };
    };
    results.take({ kind: "item-ended", item: item(0, 0), report: putOff(3, 4) });
    results.take({ kind: "item-ended", item: item(1, 0), report: putOff(2, 5) });
    results.take({ kind: "item-ended", item: item(0, 0), report: report(7, 0) });
    const { totals, seeds, notExplored } = results.result("time", 1);
    assert.equal(totals.checks, 9);
    assert.equal(totals.paths, 4, "of the first test those of the last time");
    assert.deepEqual(
      seeds.map(({ checks }) => checks),
      [7, 2, 0],
    );
    assert.equal(notExplored["checks left out: too costly, or asked before beyond the distance's bound"], 5);
    assert.equal(notExplored["tests with slow checks on their own paths that were put off and not made"], 1);
    assert.equal(notExplored["tests at a distance that took all of their time (limit)"], undefined);
  });

  it("no count goes back, whatever order looks end in, and a campaign that goes on counts on", () => {
    for (let seed = 1; seed <= 40; seed++) {
      const random = new Random(seed);
      const { results } = newResults();
      const counts = (): number[] => {
        const { totals, seeds } = results.result("time", 1);
        const { checks, paths } = results.soFar;
        const ofTests = seeds.flatMap((one) => [one.distance, one.checks, one.paths]);
        return [checks ?? 0, paths, totals.checks, totals.paths, totals.queries, ...ofTests];
      };
      let before = counts();
      for (let step = 0; step < 30; step++) {
        const at = item(random.next() % SEEDS.length, random.next() % 3);
        if (random.next() % 4 === 0) {
          const checked = { extent: "all", why: [] };
          const memory = { path: "p", ms: 1, blocks: null, checks: random.next() % 9, checked, queries: 3, paths: 2 };
          results.take({ kind: "item-known", item: at, memory });
        } else {
          const { result } = report(random.next() % 9, 0);
          const { statistics } = result as unknown as { readonly statistics: object };
          const made = { ...result, statistics: { ...statistics, paths: random.next() % 9 } };
          const isPutOff = random.next() % 2 === 0;
          const ended = { ...made, ...(isPutOff ? { isPutOff } : {}) } as unknown as AmplifyResult;
          results.take({ kind: "item-ended", item: at, report: { isComplete: !isPutOff, result: ended } });
        }
        const now = counts();
        assert.ok(
          now.every((count, index) => count >= before[index]),
          `seed ${seed}, step ${step}: ${before} -> ${now}`,
        );
        before = now;
      }
    }
  });

  it("tests that end otherwise than natively are named, with both ends", () => {
    const { results } = newResults();
    const { result } = report(1, 0);
    const plain = { end: "signal 11", isWhole: true };
    for (const index of [0, 2]) {
      const ended = { ...result, plain } as unknown as AmplifyResult;
      results.take({ kind: "item-ended", item: item(index, 0), report: { isComplete: true, result: ended } });
    }
    const told = results.result("complete", 1);
    assert.deepEqual(
      told.seeds.map(({ machineEnd }) => machineEnd),
      ["signal 11", undefined, "signal 11"],
    );
    assert.equal(
      otherEndsInWords(told),
      "2 tests end otherwise in the VM than natively, and what is behind that was not looked at: " +
        "`./prog a` (exit 0, in the VM signal 11); `./prog c` (exit 0, in the VM signal 11)",
    );
    const many = { seeds: Array.from({ length: 5 }, () => told.seeds[0]) };
    assert.match(otherEndsInWords(many) ?? "", /; and 2 more, in the report and results\.json \(machineEnd\)$/);
    assert.equal(otherEndsInWords({ seeds: [told.seeds[1]] }), null);
  });

  it("what was reached stays reached if a program gets ready a second time", () => {
    const { results } = newResults();
    const program = { content: "content", path: "/p/prog", name: "prog" };
    const description = { functions: [], files: [], blocks: [] };
    results.take({ kind: "program-ready", program, description });
    results.take({ kind: "program-ready", program, description: null });
    results.take({ kind: "item-ended", item: item(0, 0), report: report(1, 0) });
  });

  it("of an input that edits at random made it is said what is different from the nearest test, of others how they were made", () => {
    const { results, found } = newResults();
    const identity = { id: "r", group: "", fingerprint: "", identity: "", cause: "" };
    const finding = { kind: "abort", stack: [], userFrame: -1, object: null, message: "" };
    const one = { finding, identity, witness: [], seedValues: [], witnessCommand: [], depth: 1 };
    const made = { ...SEEDS[0], id: "made", arguments: [...SEEDS[0].arguments, "-x"] };
    [["edit at random"], ["`a` longer by 3 bytes"]].forEach((steps, n) => {
      const work = { seed: made, distance: 0, moved: { from: "a", command: ["./prog"], steps } };
      const id = `r${n}`;
      const placed = { found: { ...one, identity: { ...identity, id } } as never, item: { ...item(0, 0), work } };
      found.add({ ...placed, place: [0, 0, n, 0], atMs: 3 });
    });
    assert.deepEqual(
      results.result("time", 1).findings.map(({ moved }) => moved?.steps.join()),
      [`argument ${SEEDS[0].arguments.length} added: "-x"`, "`a` longer by 3 bytes"],
    );
  });

  it("what was lost, skipped or not believed is told once, and counted", () => {
    const { results, found } = newResults();
    const lost = { kind: "item-lost", item: item(0, 2), message: "boom\n at x" } as const;
    assert.match(results.take({ ...lost, why: "died" }) ?? "", /prog a at distance 2.*boom$/);
    assert.match(results.take({ ...lost, why: "overdue" }) ?? "", /did not end/);
    const skipped = { kind: "item-skipped", item: item(1, 0), why: "gone" } as const;
    assert.match(results.take(skipped) ?? "", /gone/);
    assert.equal(results.take(skipped), null);
    const machineMade = (id: string) =>
      ({ kind: "item-event", item: item(2, 0), event: { kind: "machine-made", id, why: "no processes" } }) as const;
    assert.match(results.take(machineMade("x")) ?? "", /no processes/);
    assert.equal(results.take(machineMade("x")), null);
    results.take(machineMade("y"));
    // Later there was a witness of y that is no doing of the machine.
    const identity = { id: "y", group: "", fingerprint: "", identity: "", cause: "" };
    const finding = { kind: "abort", stack: [], userFrame: -1, object: null, message: "" };
    const one = { finding, identity, witness: [], seedValues: [], witnessCommand: ["./prog"], depth: 1 };
    found.add({ found: one as never, item: item(2, 0), place: [0, 0, 2, 0], atMs: 3 });
    const { notExplored, seeds, findings, notes = [] } = results.result("time", 12.4);
    assert.equal(notExplored["failures that are the virtual machine's own doing"], 1);
    assert.equal(seeds[1].skipped, "gone");
    assert.equal(notes.length, 5, "what was told is in the results too");
    assert.match(notes[0], /boom/);
    assert.deepEqual(
      findings.map(({ id, seedId, distance, witnessCommand }) => [id, seedId, distance, witnessCommand]),
      [["y", "c", 0, ["./prog"]]],
    );
    assert.equal(
      Object.values(notExplored).reduce((sum, count) => sum + count, 0),
      3,
    );
  });
});
