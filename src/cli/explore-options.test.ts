import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { parseArguments } from "./command.js";
import { EXPLORE_OPTIONS, type ExploreOptions, planOf, splitWords } from "./explore-options.js";

const folder = mkdtempSync(join(tmpdir(), "tangent-options-"));
after(() => rmSync(folder, { recursive: true }));

function parsed(...args: string[]): ExploreOptions {
  const result = parseArguments(EXPLORE_OPTIONS, {}, args);
  if (result.kind !== "parsed") throw new Error(JSON.stringify(result));
  return result.options as ExploreOptions;
}

function plan(options: ExploreOptions, ...words: string[]) {
  const around = {
    program: "p",
    workingDirectory: "/w",
    environment: [],
    words: words.map((word) => Buffer.from(word)),
  };
  return planOf(options, around);
}
function planned(options: ExploreOptions, ...words: string[]) {
  const result = plan(options, ...words);
  if (result.kind !== "planned") throw new Error(JSON.stringify(result));
  return result.plan;
}
const fixed = (text: string) => ({ kind: "fixed" as const, bytes: Buffer.from(text) });

test("explore options: symbolic words before the program and after it make one command line", () => {
  const { inputs } = planned(
    parsed("--sym-arg", "3", "-sym-args", "0", "1", "2", "--sym-stdin", "8"),
    "-v",
    "--sym-arg",
    "5",
  );
  assert.equal(inputs.stdin, 8);
  assert.deepEqual(inputs.words, [
    { kind: "symbolic", length: 3 },
    { kind: "several", least: 0, most: 1, length: 2 },
    fixed("-v"),
    { kind: "symbolic", length: 5 },
  ]);
});

function splitOf(before: readonly string[] | null, ...words: string[]) {
  const result = splitWords(parsed(...(before ?? [])), before, "./p", words);
  if (result.kind === "wrong") throw new Error(result.problem);
  return result;
}

test("explore options: options may follow the program if -- ends them", () => {
  const split = splitOf(["--sym-arg", "1"], "--max-paths", "7", "--sym-arg", "2", "--", "-x", "--");
  assert.equal(split.options.maxPaths, 7);
  assert.equal(split.options.symArg.length, 2);
  assert.deepEqual(split.own, ["-x", "--"]);
});

test("explore options: what KLEE's users write after the program is taken, other options of ours are refused", () => {
  const taken = splitOf([], "--sym-stdin", "16", "-o", "x");
  assert.equal(planned(taken.options, ...taken.own).inputs.stdin, 16);
  const refused = splitWords(parsed("-q"), ["-q"], "./p", ["--sym-stdin", "16", "--max-time", "60s"]);
  assert.ok(refused.kind === "wrong");
  assert.match(refused.problem, /^--max-time is an option of tangent's/);
  assert.match(refused.problem, /^ {4}tangent explore -q --max-time 60s -- \.\/p --sym-stdin 16$/m);
  assert.match(refused.problem, /^ {4}tangent explore -q -- \.\/p --sym-stdin 16 --max-time 60s$/m);
  assert.equal(splitWords(parsed(), [], "./p", ["file", "--json", "--", "x"]).kind, "wrong");
});

test("explore options: after a -- all words are the program's", () => {
  assert.deepEqual(splitOf(null, "--max-paths", "7", "file").own, ["--max-paths", "7", "file"]);
  assert.deepEqual(splitOf([], "--", "--max-paths", "7").own, ["--max-paths", "7"]);
  assert.deepEqual(splitOf([], "-x", "--", "--json").own, ["-x", "--", "--json"]);
});

test("explore options: limits have units, and defaults that are stated", () => {
  const { limits } = planned(parsed("--max-time", "5m", "--max-depth", "40"));
  assert.equal(limits.timeMs, 300_000);
  assert.equal(limits.depth, 40);
  assert.equal(limits.memoryBytes, 1700 * (1 << 20));
  assert.equal(planned(parsed("--max-memory", "200")).limits.memoryBytes, 120 * (1 << 20));
  assert.equal(planned(parsed("--max-memory", "100")).limits.memoryBytes, 60 * (1 << 20));
  assert.equal(limits.timePerRunMs, 60_000);
  assert.equal(planned(parsed("--max-time", "2s")).limits.timePerRunMs, 2000);
});

test("explore options: searchers are joined by commas, and an unknown one is named", () => {
  assert.equal(planned(parsed("--search", "dfs,covnew")).searcher, "dfs+covnew");
  const wrong = plan(parsed("--search", "dfs,clever"));
  assert.ok(wrong.kind === "wrong" && /there is no clever; there are dfs, bfs/.test(wrong.problem));
});

test("explore options: seeds alone say what is symbolic: standard input, or the file that @@ stands for", () => {
  const seed = join(folder, "seed");
  writeFileSync(seed, "hello");
  const stdin = planned(parsed("--seed", seed));
  assert.equal(stdin.inputs.stdin, 5);
  assert.equal(stdin.seeds[0][0].name, "stdin");
  const file = planned(parsed("--seed", seed), "-f", "@@");
  assert.deepEqual(file.inputs.words, [fixed("-f"), fixed("A")]);
  assert.deepEqual(file.inputs.files, [{ name: "A", size: 5 }]);
  assert.equal(file.seeds[0][0].name, "file:A");
});

test("explore options: a seed that cannot be used is a mistake of the command line", () => {
  const missing = plan(parsed("--seed", join(folder, "none")));
  assert.ok(missing.kind === "wrong" && missing.problem.includes("none"));
  const seed = join(folder, "raw");
  writeFileSync(seed, "x");
  const homeless = plan(parsed("--seed", seed, "--sym-arg", "3"));
  assert.ok(homeless.kind === "wrong" && /needs --sym-stdin/.test(homeless.problem));
});

test("explore options: a solver that does not answer is told, one that does takes the place of ours or checks it", () => {
  const missing = plan(parsed("--solver", "no-such-solver"));
  assert.ok(missing.kind === "failed" && /no-such-solver does not answer/.test(missing.message));
  const fake = join(folder, "z3-fake");
  writeFileSync(fake, "#!/bin/sh\nprintf '\"query 0\"\\nsat\\n'\n", { mode: 0o755 });
  assert.equal(planned(parsed("--solver", fake)).solver.external?.path, fake);
  const checked = planned(parsed("--solver", fake, "--cross-check", "--log-queries", "q"));
  assert.equal(checked.solver.external, undefined);
  assert.equal(checked.solver.crossCheck?.path, fake);
  assert.equal(checked.solver.logDirectory, "/w/q");
});
