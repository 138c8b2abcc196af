import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ExprArena } from "../../expr/arena.js";
import { exportExpressions } from "../../expr/portable.js";
import { type Cache, openCache } from "../../frontend/cache.js";
import type { ProgramImage } from "../../jit/image.js";
import { UNIT_COMPILE_OPTIONS } from "../../jit/options.js";
import { loadProgram } from "../../program/load.js";
import { loadLinkedProgram } from "../../program/load-linked.js";
import type { Seed } from "../../project/seed.js";
import type { CallCondition, TargetRef, UnitResultOfItem, UnitWork } from "./compose-work.js";
import { SummaryStore } from "./summary-store.js";

const MAIN = `
#include <stdio.h>
#include <string.h>
struct item { int kind; char name[16]; struct { int a, b; } pair; };
static const int limits[] = { 4, 8, 15 };
int level = 3;
static int other(int n) { printf("other %d\\n", n); return n + 1; }
static int helper(const struct item *it, int n) {
  if (n > limits[1]) return it->name[n];
  return it->pair.b + level;
}
int target(struct item *it, int n) {
  char copy[8];
  if (it->kind != 7) return 0;
  strcpy(copy, "seven");
  copy[n] = 'x';
  return helper(it, n) + copy[0];
}
int main(int argc, char **argv) {
  struct item it;
  memset(&it, 0, sizeof it);
  it.kind = argc;
  return target(&it, argv[0][0]) + other(argc);
}
`;

interface Build {
  readonly image: ProgramImage;
  readonly store: SummaryStore;
  index(name: string): number;
}

function idOf({ kind, file, line, functionName }: Omit<TargetRef, "id">): string {
  return `${kind} ${file} ${line} ${functionName}`;
}

const SEED: Seed = {
  id: "1",
  program: "/p",
  programContent: "00",
  arguments: ["p", "x"],
  environment: [],
  workingDirectory: "/",
  umask: 18,
  stdin: { kind: "empty" },
  files: [],
  end: { kind: "exit", code: 0 },
  recorded: { at: "", milliseconds: 1, times: 1 },
};

describe("summaries in the cache", () => {
  let folder: string;
  let cache: Cache;
  let first: Build;

  async function build(source: string): Promise<Build> {
    const file = join(folder, "main.c");
    writeFileSync(file, source);
    const options = { env: process.env, clang: null, flags: [], compile: UNIT_COMPILE_OPTIONS };
    const loaded = await loadProgram([file], options);
    assert.ok(loaded.kind === "loaded", loaded.kind === "failed" ? loaded.message : "");
    const linked = await loadLinkedProgram([file], options);
    assert.ok(linked.kind === "linked");
    const { image } = loaded;
    const index = (name: string): number => image.functions.findIndex((fn) => fn.name === name);
    return { image, store: new SummaryStore(cache, linked.program, image, idOf), index };
  }

  function workOf({ index }: Build, more: Partial<UnitWork> = {}): UnitWork {
    return {
      kind: "unit",
      function: index("target"),
      contexts: [{ function: index("target"), seed: SEED, call: 0, chain: [index("main")], dependent: 4 }],
      starts: ["input"],
      stubs: [],
      conditions: [],
      timeMs: 1000,
      ...more,
    };
  }

  function lineOf(source: string, words: string): number {
    return source.split("\n").findIndex((line) => line.includes(words)) + 1;
  }

  /** A failure of `target` at its `copy[n]`, decided on the way in `helper`. */
  function failureOf({ image, index }: Build, source: string): CallCondition {
    const arena = new ExprArena();
    const n = [4, 5, 6, 7].map((byte) => arena.variable(byte)).reduce((low, high) => arena.concat(high, low));
    const bad = arena.binary("ult", arena.constant(32, 7, 0), n);
    const formula = exportExpressions(arena, [bad], (variable) => ({
      object: "param:1",
      occurrence: 0,
      offset: variable - 4,
    }));
    const { file } = image.functions[index("target")];
    const line = lineOf(source, "copy[n] =");
    const target = { kind: "stack-buffer-overflow", file, line, functionName: "target" };
    const own = { text: "n > 7", kind: "failure" as const, file, line };
    const inHelper = { text: "n > 8", kind: "branch" as const, file, line: lineOf(source, "n > limits") };
    const arguments_ = [{ words: "n", value: "8" }];
    return {
      function: index("target"),
      target: { ...target, id: idOf(target) },
      formula,
      exact: null,
      realism: "input",
      texts: [{ was: [97], is: [98, 255] }],
      within: null,
      parts: [own],
      chain: [
        { function: index("target"), name: "target", file, line, condition: [own, inHelper], arguments: arguments_ },
      ],
      tried: 5,
      failed: 5,
    };
  }

  function resultOf(build: Build, source: string, isComplete = false): UnitResultOfItem {
    return {
      kind: "unit",
      problem: null,
      failures: [failureOf(build, source)],
      unmet: [],
      accounts: {
        paths: 3, runs: 4, solverMs: 5, milliseconds: 6, isComplete, blocks: 7, coveredBlocks: 6, coveredFirst: 6,
        contexts: 1, interpolants: 0, interpolantsUsed: 0, interpolationMs: 0, isCached: false,
      }, // biome-ignore format: a list
    };
  }

  function nameOf({ store }: Build, work: UnitWork, settings: readonly string[] = []): string {
    const key = store.keyOf(work, settings);
    assert.ok(key !== null);
    return key.name;
  }

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "tangent-summaries-"));
    mkdirSync(join(folder, "cache"));
    cache = openCache(join(folder, "cache"));
    first = await build(MAIN);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it("what was kept is found again, as it was, and says that it is from the cache", () => {
    const { store } = first;
    const key = store.keyOf(workOf(first));
    assert.ok(key !== null);
    assert.equal(store.load(key, 1000), null);
    const result = resultOf(first, MAIN);
    assert.ok(store.save(key, result, 1000));
    assert.deepEqual(store.load(key, 1000), { ...result, accounts: { ...result.accounts, isCached: true } });
    assert.notEqual(store.load(key, 900), null);
    assert.equal(store.load(key, 1001), null, "more time would find more");
    store.save(key, resultOf(first, MAIN, true), 1000);
    assert.notEqual(store.load(key, 1_000_000), null, "nothing is left to find");
  });

  it("another function, its literals and its lines change: the same result, at its new lines and numbers", async () => {
    const changed = MAIN.replace(
      'static int other(int n) { printf("other %d\\n", n); return n + 1; }',
      `struct early { struct { char c; } inner; };
static int before_all(struct early *e, double d) { return e->inner.c + (int)d; }
static int other(int n) {
  static const char *const words[] = { "one", "two", "three" };
  struct early e = { { 'q' } };
  printf("another %s\\n", words[n % 3]);
  return before_all(&e, n);
}`,
    );
    assert.notEqual(changed, MAIN);
    const second = await build(changed);
    const key = first.store.keyOf(workOf(first));
    assert.ok(key !== null);
    assert.equal(nameOf(second, workOf(second)), key.name);
    first.store.save(key, resultOf(first, MAIN), 1000);
    const secondKey = second.store.keyOf(workOf(second));
    assert.ok(secondKey !== null);
    const wanted = resultOf(second, changed);
    assert.deepEqual(second.store.load(secondKey, 1000), {
      ...wanted,
      accounts: { ...wanted.accounts, isCached: true },
    });
    assert.notEqual(wanted.failures[0].target.id, resultOf(first, MAIN).failures[0].target.id);
  });

  it("what the unit is made of changes: another key", async () => {
    const name = nameOf(first, workOf(first));
    for (const [what, from, to] of [
      ["the function", "copy[0];", "copy[1];"],
      ["a literal of it", '"seven"', '"eight"'],
      ["a callee in the unit", "it->pair.b + level", "it->pair.a + level"],
      ["a line inside of it", "  copy[n] = 'x';", "\n  copy[n] = 'x';"],
      ["a table of constants", "{ 4, 8, 15 }", "{ 4, 9, 15 }"],
      ["what a variable begins with", "level = 3", "level = 4"],
      ["the type of a variable", "int level", "unsigned level"],
      ["a parameter's type", "char name[16]", "char name[32]"],
      [
        "a parameter's name",
        "struct item *it, int n) {\n  char copy",
        "struct item *it, int m) {\n  int n = m;\n char copy",
      ],
    ]) {
      const changed = MAIN.replace(from, to);
      assert.notEqual(changed, MAIN, what);
      const other = await build(changed);
      assert.notEqual(nameOf(other, workOf(other)), name, what);
    }
  });

  it("what is asked changes: another key", () => {
    const work = workOf(first);
    const { index } = first;
    const names = [
      nameOf(first, work),
      nameOf(first, work, ["all"]),
      nameOf(first, { ...work, stubs: [index("helper")] }),
      nameOf(first, { ...work, contexts: [] }),
      nameOf(first, { ...work, contexts: [{ ...work.contexts[0], call: 1 }] }),
      nameOf(first, { ...work, contexts: [{ ...work.contexts[0], seed: { ...SEED, arguments: ["p", "y"] } }] }),
      nameOf(first, { ...work, conditions: [failureOf(first, MAIN)] }),
      nameOf(first, { ...work, function: index("helper") }),
    ];
    assert.equal(new Set(names).size, names.length);
    // Neither when it was recorded nor the bytes of the executable matter, nor how long it may take.
    const seed = { ...SEED, id: "2", programContent: "11", recorded: { ...SEED.recorded, times: 7 } };
    const again = { ...work, contexts: [{ ...work.contexts[0], seed }], timeMs: 5 };
    assert.equal(nameOf(first, again), names[0]);
    const everything = first.store.keyOf(work);
    assert.deepEqual([...(everything?.members ?? [])].sort(), [index("target"), index("helper")].sort());
  });

  it("damaged, cut short, or written by somebody: not found", () => {
    const { store } = first;
    const key = store.keyOf(workOf(first, { conditions: [failureOf(first, MAIN)] }));
    assert.ok(key !== null);
    const result: UnitResultOfItem = {
      ...resultOf(first, MAIN),
      unmet: [{ condition: 0, state: { kind: "contradicted", calls: 1, needed: [], against: [] } }],
    };
    store.save(key, result, 1000);
    const good = cache.get("unit-summaries", key.name)?.toString() ?? "";
    assert.notEqual(store.load(key, 1000), null);
    const put = (content: string) => cache.put("unit-summaries", key.name, content);
    for (const [from, to] of [
      ["{", "["],
      ['"kind":"unit"', '"kind":"whole"'],
      ['"function":0', '"function":1'],
      ['"function":0', '"function":-1'],
      ['"name":"target"', '"name":"main"'],
      ['"name":"helper"', '"name":"gone"'],
      ['"condition":0', '"condition":1'],
      ['"kind":"contradicted"', '"kind":"odd"'],
      ['["ult",1,', '["ult",2,'],
      ['["ult",1,', '["add",1,'],
      ['["ult",1,', '["constructor",1,'],
      ['["variable",8,0]', '["variable",8,4]'],
      ['["constant",32,"7"]', '["constant",2,"7"]'],
      ['["constant",32,"7"]', '["constant",99999999,"7"]'],
      ['"roots":[', '"roots":[0,'],
      ['"roots":[', '"roots":[0.5,'],
      ['"text":"n > 7"', '"text":7'],
      ['"timeMs":1000', '"timeMs":"1000"'],
      ['"isComplete":false', '"isComplete":1'],
    ]) {
      const bad = good.replace(from, to);
      assert.notEqual(bad, good, from);
      put(bad);
      assert.equal(store.load(key, 1000), null, `${from} -> ${to}`);
    }
    for (const bad of ["", "null", "7", "[]", "{}", good.slice(0, -2)]) {
      put(bad);
      assert.equal(store.load(key, 1000), null, bad);
    }
    put(good);
    assert.notEqual(store.load(key, 1000), null);
    for (const at of readdirSync(join(folder, "cache", "unit-summaries", key.name.slice(0, 2)))) {
      const path = join(folder, "cache", "unit-summaries", key.name.slice(0, 2), at);
      writeFileSync(path, readFileSync(path).subarray(0, -30));
    }
    assert.equal(store.load(key, 1000), null);
  });

  it("two processes at once: each sees all of a result or none", async () => {
    const { store } = first;
    const key = store.keyOf(workOf(first, { contexts: [] }));
    assert.ok(key !== null);
    const result = resultOf(first, MAIN);
    store.save(key, result, 1000);
    const long = { ...result, failures: Array.from({ length: 200 }, () => result.failures[0]) };
    const expected = [result, long].map(({ failures }) => failures.length);
    const script = `
      import { readFileSync } from "node:fs";
      const [module, folder, name, bytes] = process.argv.slice(1);
      const { openCache } = await import(module);
      const cache = openCache(folder);
      const long = readFileSync(bytes);
      for (let n = 0; n < 150; n++) if (!cache.put("unit-summaries", name, long)) process.exit(1);
    `;
    store.save(key, long, 1000);
    const bytes = join(folder, "long.json");
    writeFileSync(bytes, cache.get("unit-summaries", key.name) ?? "");
    store.save(key, result, 1000);
    const module = fileURLToPath(new URL("../../frontend/cache.js", import.meta.url));
    const flags = ["--input-type=module", "-e"];
    let running = true;
    const other = promisify(execFile)(process.execPath, [
      ...flags,
      script,
      module,
      join(folder, "cache"),
      key.name,
      bytes,
    ]).finally(() => {
      running = false;
    });
    const seen = new Set<number>();
    while (running) {
      const found = store.load(key, 1000);
      assert.ok(found !== null && expected.includes(found.failures.length));
      seen.add(found.failures.length);
      store.save(key, result, 1000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await other;
    assert.ok(seen.has(1));
    const last = store.load(key, 1000);
    assert.ok(last !== null);
  });
});
