// One commit's searches, on a small program with one test: variants find what they can, and what is no search is told apart.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { BlobStore } from "../../src/project/blob-store.js";
import { seedOfInvocation } from "../../src/project/made-seed.js";
import { ProjectFolder } from "../../src/project/project-folder.js";
import { AblationBench, type BenchOutcome } from "./ablation-bench.js";
import { VARIANTS, type Variant } from "./ablation-variants.js";

const SOURCE = `static int quiet;
int main(int argc, char **argv) {
  if (argc > 2 && argv[2][0] == '-') {
    quiet = 1;
  }
  if (argc > 1 && argv[1][0] == 'a')
    return 3;
  if (quiet)
    return 4;
  return 0;
}
`;
const IS_LETTER_A = 7;
const IS_QUIET = 9;
const AT_END = 10;
const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const NEVER = { aborted: false };

let root = "";
let bench: AblationBench;
const notes: string[] = [];

before(async () => {
  root = mkdtempSync(join(tmpdir(), "tangent-bench-"));
  writeFileSync(join(root, "prog.c"), SOURCE);
  const program = join(root, "prog");
  const built = spawnSync("sh", [join(ROOT, "bin/tangent"), "cc", "-g", "-o", program, "prog.c"], { cwd: root });
  assert.equal(built.status, 0, String(built.stderr));
  const seed = seedOfInvocation(
    {
      program: "./prog",
      arguments: [Buffer.from("z")],
      environment: [],
      workingDirectory: root,
      umask: 0o022,
      stdin: { kind: "empty" },
      tree: [],
    },
    { program, programContent: "content" },
    new BlobStore(new ProjectFolder(root)),
  );
  const wanted = [{ file: "prog.c", lines: [IS_LETTER_A, IS_QUIET, AT_END] }];
  const programs = [{ content: "content", path: program, name: program }];
  const setup = { root, seeds: [seed], programs, startable: programs, wanted, randomSeed: 1 };
  bench = new AblationBench(setup, process.env, (text) => void notes.push(text));
  for (const variant of VARIANTS) await bench.prepare(variant);
});
after(() => rmSync(root, { recursive: true, force: true }));

function variantNamed(name: string): Variant {
  const found = VARIANTS.find((variant) => variant.name === name);
  assert.ok(found !== undefined, name);
  return found;
}

function searched(target: string, name: string, timeMs = 20_000): BenchOutcome {
  return bench.search(target, variantNamed(name), timeMs, 1, NEVER);
}

const idOf = (line: number): string => `prog.c:${line}:5`;

test("a decision on the test's bytes is taken by every variant that explores", () => {
  assert.deepEqual(notes, []);
  for (const name of ["full", "greedy-only", "without-points-to", "without-preconditions", "undirected"]) {
    const { kind, reached, distance } = searched(idOf(IS_LETTER_A), name);
    assert.equal(kind, "reached", name);
    assert.equal(Buffer.from(reached?.invocation.arguments[0] ?? []).toString("latin1")[0], "a");
    assert.equal(reached?.program, join(root, "prog"));
    assert.equal(distance, 1);
  }
});

test("where another argument is needed, only moves get there", () => {
  const { kind, reached } = searched(idOf(IS_QUIET), "full");
  assert.equal(kind, "reached");
  assert.equal(reached?.by, "move");
  for (const name of ["greedy-only", "without-moves", "undirected"]) {
    const outcome = searched(idOf(IS_QUIET), name, 1500);
    assert.equal(outcome.kind, "not-reached", name);
    assert.equal(outcome.reached, null);
  }
});

test("what a test executes, and what no program has, is not searched for", () => {
  const covered = searched(idOf(AT_END).replace(":5", ":3"), "full");
  assert.equal(covered.kind, "covered");
  assert.equal(covered.searchMs, 0);
  assert.equal(searched("other.c:1:1", "full").kind, "absent");
});

test("nothing that was made is kept in the project", () => {
  for (const name of ["made", "patch.journal"]) assert.equal(existsSync(join(root, ".tangent", name)), false, name);
});
