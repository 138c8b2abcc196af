import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Seed } from "./seed.js";
import { firstOfKindFirst, inTurns, NEAR_PATH_TURNS, OWN_PATH_TURNS } from "./seed-promise.js";

const seed = (id: string, program: string, directory: string, ...words: string[]): Seed =>
  ({
    id,
    programContent: program,
    workingDirectory: directory,
    arguments: [program, ...words],
    stdin: { kind: "empty" },
    files: [],
    end: { kind: "exit", code: 0 },
  }) as unknown as Seed;

const ids = (seeds: readonly Seed[]): string => seeds.map(({ id }) => id).join(" ");
const small = (): number => 0;

describe("the promise of tests", () => {
  it("the first test with an option goes before another one with options that are known; values do not count", () => {
    const seeds = [
      seed("a", "p", "/t", "-x"),
      seed("b", "p", "/t", "-x", "word"),
      seed("c", "p", "/t", "--size=3"),
      seed("d", "p", "/t", "--size=4"),
      seed("e", "q", "/t", "-x"),
    ];
    assert.equal(ids(firstOfKindFirst(seeds, small)), "a c e b d");
  });

  it("a test of megabytes is no first one, whatever its options", () => {
    const huge = { ...seed("huge", "p", "/t", "-z"), stdin: { kind: "bytes", content: "h" } } as Seed;
    const sizeOf = (): number => 6 << 20;
    assert.equal(ids(firstOfKindFirst([huge, seed("a", "p", "/t", "-x")], sizeOf)), "a huge");
  });

  it("programs take turns, and one with a single test does not hold up one with hundreds", () => {
    const many = Array.from({ length: 400 }, (_, n) => seed(`m${n}`, "main", "/t"));
    const some = Array.from({ length: 100 }, (_, n) => seed(`s${n}`, "some", "/t"));
    const order = inTurns([seed("one", "single", "/t"), ...some, ...many], OWN_PATH_TURNS).map(({ id }) => id);
    assert.equal(order.length, 501);
    assert.equal(order[0], "m0", "what has most tests is first");
    assert.ok(order.indexOf("s0") < 40, "but the next program does not wait for all of them");
    assert.ok(order.indexOf("one") > 150);
    const ofMain = order.filter((id) => id.startsWith("m"));
    assert.deepEqual(
      ofMain,
      many.map(({ id }) => id),
      "of one program the order stays",
    );
  });

  it("turns get longer, so that a program is not got ready again for every few of its tests", () => {
    const seeds = Array.from({ length: 40 }, (_, p) =>
      Array.from({ length: 400 }, (__, n) => seed(`${p}/${n}`, `program ${p}`, "/t")),
    ).flat();
    const order = inTurns(seeds, OWN_PATH_TURNS).map(({ programContent }) => programContent);
    assert.equal(new Set(order.slice(0, 40 * 16)).size, 40, "all have their first turn before one has its second");
    const switches = order.filter((program, index) => program !== order[index - 1]).length;
    assert.equal(switches, 4 * 40, "16, 64, 256 and the rest");
  });

  it("near the tests' paths, where one takes a second, all programs have their first two before one has more", () => {
    const seeds = Array.from({ length: 20 }, (_, p) =>
      Array.from({ length: 30 }, (__, n) => seed(`${p}/${n}`, `program ${p}`, "/t")),
    ).flat();
    const order = inTurns(seeds, NEAR_PATH_TURNS).map(({ programContent }) => programContent);
    assert.equal(new Set(order.slice(0, 20 * 2)).size, 20);
  });

  it("what cleans up in the directories of other programs' tests comes last; its own tests do not", () => {
    const programs = ["cp", "mv", "ln", "dd"];
    const tests = Array.from({ length: 12 }, (_, n) => [
      seed(`rm${n}`, "rm", `/t/${n}`, "-rf", "out"),
      ...Array.from({ length: 5 }, (__, k) => seed(`t${n} ${k}`, programs[n % 4], `/t/${n}`)),
    ]).flat();
    const order = inTurns([...tests, seed("own", "rm", "/t/rm-1"), seed("own2", "rm", "/t/rm-2")], OWN_PATH_TURNS);
    const last = order.slice(-12).map(({ id }) => id);
    assert.ok(last.every((id) => id.startsWith("rm")));
    assert.ok(!last.includes("own") && !last.includes("own2"));
  });

  it("the program that nearly all tests start is no helper, also if they start another one too", () => {
    const tests = Array.from({ length: 20 }, (_, n) => seed(`t${n}`, "sed", `/t/${n}`));
    const probes = Array.from({ length: 10 }, (_, n) => seed(`h${n}`, "probe", `/t/${n}`));
    const order = inTurns([...tests, ...probes], OWN_PATH_TURNS);
    assert.equal(order[0].id, "t0");
    assert.deepEqual(
      order.filter(({ programContent }) => programContent === "sed").map(({ id }) => id),
      tests.map(({ id }) => id),
    );
  });

  it("a test with nothing that could be another comes after those with input", () => {
    const plain = seed("plain", "p", "/t");
    const file = { ...seed("file", "q", "/t"), files: [{ path: "/t/x", content: "c", mode: 420 }] } as unknown as Seed;
    const stdin = { ...seed("stdin", "r", "/t"), stdin: { kind: "bytes", content: "c" } } as unknown as Seed;
    assert.equal(
      ids(inTurns([plain, file, seed("word", "s", "/t", "-x"), stdin], OWN_PATH_TURNS)),
      "file word stdin plain",
    );
  });

  it("if all tests run in one directory, nothing is said of helpers", () => {
    const seeds = [seed("a", "p", "/t"), seed("b", "p", "/t"), seed("c", "q", "/t")];
    assert.equal(inTurns(seeds, OWN_PATH_TURNS).length, 3);
  });
});
