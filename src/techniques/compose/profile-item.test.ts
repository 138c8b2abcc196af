import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { ItemContext, ItemEvent } from "../../campaign/technique.js";
import type { Invocation } from "../../inputs/invocation.js";
import { reading } from "../../inputs/invocation-fixture.js";
import { SeedMutator } from "../../inputs/mutations/mutate-seed.js";
import { loadModule } from "../../jit/load-module.js";
import { BlobStore } from "../../project/blob-store.js";
import { seedOfInvocation } from "../../project/made-seed.js";
import { ProjectFolder } from "../../project/project-folder.js";
import type { Seed } from "../../project/seed.js";
import { Random } from "../../support/random.js";
import { type UnitProgram, unitProgram } from "../unit/unit-program-fixture.js";
import { ProgramCalls } from "./call-profile.js";
import { codeFacts } from "./code-facts.js";
import { composeSetup } from "./compose-setup-fixture.js";
import type { ProfileResult, UnitSeed } from "./compose-work.js";
import { type ProfileParts, profiled } from "./profile-item.js";
import { relevanceOf } from "./relevance.js";

const SOURCE = `
#include <stdio.h>
#include <stdlib.h>
static int leaf(int n) { return n + 1; }
static int alpha(int n) { return leaf(n); }
static int beta(int n) { return n; }
static int hidden(int n) { return leaf(n) * 2; }
static int (*const TABLE[])(int) = { alpha, beta };
static int call(int which, int n) { return TABLE[which](n); }
static int compare(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }
int main(void) {
  char line[16];
  int total = 0;
  while (fgets(line, sizeof line, stdin)) {
    if (line[0] == 'a') total += call(0, line[1]);
    else if (line[0] == 'b') total += call(1, line[1]);
    else if (line[0] == 's') qsort(line, 3, 1, compare);
    else if (line[0] >= 'x') { total += hidden(line[1]); if (line[1] == 'x') total /= total - total; }
  }
  return total > 1000;
}
`;

describe("the profile of a program", () => {
  let unit: UnitProgram;
  let calls: ProgramCalls;
  let module: WebAssembly.Module;
  let root: string;
  let blobs: BlobStore;
  before(async () => {
    root = mkdtempSync(join(tmpdir(), "tangent-profile-"));
    blobs = new BlobStore(new ProjectFolder(root));
    unit = await unitProgram(SOURCE);
    calls = new ProgramCalls(unit.image, codeFacts(unit.program).indirect);
    module = loadModule(unit.image);
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  const seedOf = (text: string): Seed =>
    seedOfInvocation(reading(text), { program: "/prog", programContent: "p" }, blobs);
  const indexOf = (name: string): number => unit.image.functions.findIndex((info) => info.name === name);
  const profile = (
    seeds: readonly Seed[],
    mutations: number,
    parts: Partial<ProfileParts> = {},
  ): { readonly result: ProfileResult; readonly events: readonly ItemEvent[]; readonly isComplete: boolean } => {
    const events: ItemEvent[] = [];
    const context: ItemContext = {
      image: unit.image,
      module,
      extra: {},
      timeMs: 60_000,
      abort: { aborted: false },
      tell: (event) => events.push(event),
    };
    const setup = composeSetup(root);
    const work = { kind: "profile", facts: true, seeds, mutations, again: null, timeMs: 60_000 } as const;
    const outcome = profiled(work, setup, context, { calls, contextsOf: null, words: [], ...parts });
    assert.ok(outcome.kind === "report");
    const { result, isComplete } = outcome.report;
    assert.ok(result.kind === "profile");
    return { result, events, isComplete };
  };
  const namesIn = (pairs: Float64Array): string[] =>
    [...pairs].flatMap((pair) => {
      const { length } = unit.image.functions;
      const [from, to] = [Math.floor(pair / length), pair % length];
      const nameOf = (index: number): string => unit.image.functions[index].name;
      return from === to ? [] : [`${nameOf(from)} ${nameOf(to)}`];
    });

  it("has the calls that a test makes, by name, through pointers and back from the library", () => {
    const { result, isComplete, events } = profile([seedOf("a1\n"), seedOf("b1\n"), seedOf("sba\n")], 0);
    assert.equal(isComplete, true);
    assert.deepEqual(result.problems, [null, null, null]);
    assert.deepEqual(
      result.profile.executions.map((pairs) => namesIn(pairs).sort()),
      [["alpha leaf", "call alpha", "main call"], ["call beta", "main call"], ["main compare"]],
    );
    assert.deepEqual(
      events.map((event) => event.kind === "covered" && event.byTests),
      [true],
    );
    const relevance = relevanceOf([result.profile], unit.image.functions.length);
    assert.equal(relevance.of(indexOf("call"), indexOf("alpha")), (1 / 2 + 1) / 2);
    assert.equal(relevance.of(indexOf("main"), indexOf("leaf")), (1 / 3 + 1) / 2);
    assert.equal(relevance.of(indexOf("alpha"), indexOf("beta")), 0);
  });

  it("counts every test, and says which could not be run", () => {
    const broken: Seed = { ...seedOf("a1\n"), stdin: { kind: "bytes", content: "0".repeat(64) } };
    const { result } = profile([seedOf("a1\n"), broken, seedOf("a2\n")], 0);
    assert.deepEqual(result.profile.times, [2]);
    assert.deepEqual(
      result.problems.map((problem) => problem !== null),
      [false, true, false],
    );
  });

  it("mutations show functions that no test calls, failures, and give contexts", () => {
    const asked: Seed[] = [];
    const contextsOf = (seed: Seed): readonly UnitSeed[] => {
      asked.push(seed);
      return [{ function: 0, seed, call: 0, chain: [], dependent: 0 }];
    };
    const seeds = [seedOf("a1\nb2\n"), seedOf("sxx\n")];
    const { result } = profile(seeds, 2000, { contextsOf });
    const all = new Set(result.profile.executions.flatMap(namesIn));
    assert.ok(all.has("main hidden"));
    assert.ok(result.profile.executions.length > 4 && result.profile.executions.length < 64);
    assert.deepEqual(asked.slice(0, 2), seeds);
    assert.ok(asked.length > 2, "an input that enters a new function is a seed of its own");
    assert.equal(result.contexts.length, asked.length);
    assert.equal(result.failed.length, 1, "one for each place");
    const { stdin } = result.failed[0];
    assert.ok(stdin.kind === "bytes");
    assert.match(Buffer.from(blobs.get(stdin.content) ?? []).toString("latin1"), /[x-\x7f]x/);
    assert.deepEqual(profile(seeds, 2000, { contextsOf: null }).result.profile, result.profile, "it is repeatable");
  });

  it("mutations are all different, and change arguments and files too", () => {
    const from: Invocation = {
      ...reading("some text\n"),
      arguments: [Buffer.from("-n"), Buffer.from("in.txt")],
      workingDirectory: "/w",
      tree: [
        { kind: "directory", path: "/w", mode: 0o755, isWhole: true },
        { kind: "file", path: "/w/in.txt", bytes: Buffer.from("one\ntwo\n"), mode: 0o644 },
      ],
    };
    const before = JSON.stringify(from);
    const mutator = new SeedMutator([from, reading("words of another test")], new Random(3));
    const made = Array.from({ length: 400 }, () => mutator.mutate(from)).flatMap((one) => (one === null ? [] : [one]));
    assert.ok(made.length > 200);
    const fileOf = ({ tree }: Invocation): string => JSON.stringify(tree.find(({ path }) => path === "/w/in.txt"));
    const changed = (of: (one: Invocation) => string): number => made.filter((one) => of(one) !== of(from)).length;
    assert.ok(changed(({ stdin }) => JSON.stringify(stdin)) > 50);
    assert.ok(changed((one) => JSON.stringify(one.arguments)) > 10);
    assert.ok(changed(fileOf) > 50);
    assert.ok(made.some(({ stdin }) => stdin.kind === "bytes" && Buffer.from(stdin.bytes).includes("another")));
    assert.equal(new Set(made.map((one) => JSON.stringify(one))).size, made.length);
    assert.equal(JSON.stringify(from), before);
  });

  it("a mutation that fails only where malloc fills memory keeps that, another one does not", async () => {
    const source = `
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  char *unset = malloc(8);
  int table[4] = { 1, 2, 3, 4 }, sum = 0;
  for (int c; (c = getchar()) != EOF;) {
    if (c == 'u') sum += table[(unset[0] & 8) / 2];
    if (c >= 'x') sum += table[c - 'u'];
  }
  return sum == 77;
}
`;
    const own = await unitProgram(source);
    const parts = { calls: new ProgramCalls(own.image, codeFacts(own.program).indirect), contextsOf: null, words: [] };
    const context: ItemContext = {
      image: own.image,
      module: loadModule(own.image),
      extra: {},
      timeMs: 60_000,
      abort: { aborted: false },
      tell: () => {},
    };
    const setup = composeSetup(root);
    const work = {
      kind: "profile",
      facts: false,
      seeds: [seedOf("abuc\n")],
      mutations: 2000,
      again: null,
      timeMs: 60_000,
    };
    const outcome = profiled({ ...work, kind: "profile" }, setup, context, parts);
    assert.ok(outcome.kind === "report" && outcome.report.result.kind === "profile");
    const isFilled = ({ environment }: Seed): boolean => environment.some((one) => one.startsWith("MALLOC_PERTURB_="));
    assert.deepEqual(outcome.report.result.failed.map(isFilled).sort(), [false, true]);
  });
});
