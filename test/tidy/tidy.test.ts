// The architecture as a test: layers, cycles, file sizes, opening comments, what nobody needs, and the rules no linter has.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { KNOWN_VARIABLES } from "../../src/support/own-environment.js";
import { FOR_TESTS, FOR_THE_NEXT_STEPS } from "./allowed-exports.js";
import { importCycles, loadedWith } from "./import-cycles.js";
import { commentsOf, KnownPaths } from "./named-paths.js";
import { strayFiles } from "./shipped-files.js";
import { filesBelow, importsOf, ROOT, readSources, type SourceFile, trackedFiles } from "./sources.js";
import { exportsOf, exportUse } from "./unused-exports.js";

/** A folder imports only from itself and from folders before it. */
const LAYERS = [
  ...["support", "expr", "solver", "ir", "frontend", "jit", "program", "vm", "inputs", "findings", "definedness"],
  ...[
    "path",
    "concolic",
    "search",
    "engine",
    "project",
    "campaign",
    "techniques",
    "report",
    "jobs",
    "queue",
    "ui",
    "cli",
  ],
];

/** Beyond this a file is more than one idea. */
const MAX_LINES = 620;

/** Started by name: the command line's entry, the public interface, the run's thread. */
const ENTRY_POINTS = new Set([
  "src/index.ts",
  "src/cli/main.ts",
  "src/jobs/run-worker.ts",
  "src/jobs/explore-worker.ts",
  "src/jobs/campaign-worker.ts",
  "src/queue/item-main.ts",
]);

/** Built for techniques that come next. */
function isAllowed(name: string): boolean {
  return FOR_THE_NEXT_STEPS.some((pattern) => pattern.test(name));
}

const files = readSources("src");
const others = readSources("test", "bench", "scripts");

/** Of `src/vm/kernel.ts` it is `vm`. */
function layerOf(name: string): number {
  return LAYERS.indexOf(name.split("/")[1]);
}

/** As if such a file were in the repository. */
function planted(name: string, text: string): SourceFile {
  return { name, text, imports: importsOf(name, text) };
}

describe("tidy", () => {
  it("there is something to look at", () => {
    assert.ok(files.length > 50);
  });

  it("a folder imports only from folders before it in the list of layers", () => {
    const wrong: string[] = [];
    for (const { name, imports } of files) {
      if (name.split("/").length < 3) continue;
      const layer = layerOf(name);
      if (layer < 0) wrong.push(`${name} is in no known layer`);
      for (const { target } of imports) if (layerOf(target) > layer) wrong.push(`${name} imports ${target}`);
    }
    assert.deepEqual(wrong, []);
  });

  it("children are started in one place, which keeps our secrets from them", () => {
    const starts = ({ name, text }: SourceFile): boolean =>
      !/(\.test|-fixture)\.ts$/.test(name) &&
      [
        ...text.matchAll(/(?:import|export)([^;]*)from "(?:node:)?child_process"|import\("(?:node:)?child_process"\)/g),
      ].some(([, names = "all"]) => !/^ type /.test(names) && names.split(",").some((one) => !/^\W*type /.test(one)));
    const starters = files.filter(starts).map(({ name }) => name);
    assert.deepEqual(starters, ["src/support/child-process.ts"], "use startChild or runChild of that file");
    assert.ok(starts(planted("src/vm/a.ts", 'import { type A, spawn } from "node:child_process";')));
    assert.ok(!starts(planted("src/vm/a.ts", 'import type { A } from "node:child_process";')));
  });

  it("each environment variable of ours is listed with what becomes of it", () => {
    const header = filesBelow(join(ROOT, "runtime/include"), ".h").map((path) => readFileSync(path, "utf8"));
    const macros = header.join("").match(/\bTANGENT_\w+/g) ?? [];
    const known = new Set<string>([...KNOWN_VARIABLES.passed, ...KNOWN_VARIABLES.notPassed, ...macros]);
    const natives = filesBelow(join(ROOT, "runtime/native"), ".c");
    const texts = [...natives, join(ROOT, "bin/tangent"), join(ROOT, "bin/start.cjs")].map((path) =>
      readFileSync(path, "utf8"),
    );
    const sources = files.filter(({ name }) => !/(\.test|-fixture)\.ts$/.test(name)).map(({ text }) => text);
    const named = [...texts, ...sources].flatMap((text) => text.match(/(?<![\w/])TANGENT_[A-Z_]*[A-Z]\b/g) ?? []);
    assert.ok(named.includes("TANGENT_QUEUE_PASSWORD"));
    const strange = [...new Set(named)].filter((name) => !known.has(name));
    assert.deepEqual(strange, [], "say in src/support/own-environment.ts whether children get it");
  });

  it("no files import one another in a circle", () => {
    assert.deepEqual(importCycles([...files, ...others]), []);
    const there = planted("src/vm/there.ts", 'import { back } from "./back.js";');
    const back = planted("src/vm/back.ts", 'import { type A, there } from "./there.js";');
    assert.deepEqual(importCycles([there, back]), ["src/vm/there.ts -> src/vm/back.ts -> src/vm/there.ts"]);
    const typed = planted("src/vm/back.ts", 'import type { there } from "./there.js";');
    assert.deepEqual(importCycles([there, typed]), []);
  });

  it("a warm run loads nothing of the translator", () => {
    for (const first of ["src/cli/run.ts", "src/jobs/run-worker.ts", "src/jobs/replay-worker.ts"]) {
      const heavy = [...loadedWith(files, first)].filter((name) =>
        /^src\/(ir|expr|solver|path|concolic|engine)\//.test(name),
      );
      assert.deepEqual(heavy, [], `with ${first}`);
    }
    assert.ok(loadedWith(files, "src/jobs/run-worker.ts").has("src/vm/machine.ts"));
  });

  it("every export is imported by another file", () => {
    const looked = files.filter(({ name }) => !ENTRY_POINTS.has(name) && !isAllowed(name));
    const { unused } = exportUse(looked, [...files, ...others]);
    assert.deepEqual(unused, [], "say export only where somebody imports it, and delete what nobody calls");
    const example = planted("src/vm/a.ts", "export const A = 1;\nexport type B = C;\nexport type C = 1;\n");
    const user = planted("src/vm/b.ts", 'import { D } from "./a.js";');
    assert.deepEqual(exportUse([example], [example, user]).unused, ["src/vm/a.ts A", "src/vm/a.ts B"]);
  });

  it("what only tests import is listed", () => {
    const looked = files.filter(({ name }) => !isAllowed(name));
    const { forTests } = exportUse(looked, [...files, ...others]);
    const unlisted = forTests.filter((name) => !FOR_TESTS.includes(name));
    assert.deepEqual(unlisted, [], "list it in test/tidy/allowed-exports.ts, or delete it together with its test");
    const exported = new Set(files.flatMap(({ name, text }) => exportsOf(text).map((e) => `${name} ${e.name}`)));
    assert.deepEqual(
      FOR_TESTS.filter((name) => !exported.has(name)),
      [],
      "no longer there: strike it off the list",
    );
    const example = planted("src/vm/a.ts", "export const A = 1;\nexport const B = 2;\n");
    const users = [
      planted("src/vm/a.test.ts", 'import { A, B } from "./a.js";'),
      planted("src/vm/b.ts", 'import { B } from "./a.js";'),
    ];
    assert.deepEqual(exportUse([example], users).forTests, ["src/vm/a.ts A"]);
  });

  it("documents and comments name files that exist", () => {
    const tracked = trackedFiles(true);
    const known = new KnownPaths(tracked);
    const wrong: string[] = [];
    for (const name of tracked) {
      const isDocument = name.endsWith(".md");
      if (!isDocument && !/\.(ts|c|h)$/.test(name)) continue;
      const text = readFileSync(join(ROOT, name), "utf8");
      const folder = dirname(name) === "." ? "" : dirname(name);
      const unknown = known.unknownIn(isDocument ? text : commentsOf(text), folder);
      for (const path of unknown) wrong.push(`${name} names ${path}`);
    }
    assert.deepEqual(wrong, []);
  });

  it("a path that is nowhere is found, in all the ways paths are written", () => {
    const known = new KnownPaths([
      ...["src/ir/passes/inline.ts", "src/ir/text/lexer.ts", "docs/cc.md", "runtime/libc/sort.c"],
    ]);
    const good =
      "`passes/inline.ts`, inline.ts, `ir/{text/lexer,passes/inline}.ts`, `ir/passes/in*.ts`, src/ir, prog.c, [cc](cc.md)";
    assert.deepEqual(known.unknownIn(good, "docs"), []);
    const bad = "(ir/inline.ts), `ir/pass*.ts`, src/nowhere, `runtime/libc/swap.c`, [x](../cc.md)";
    const wrong = ["ir/inline.ts", "ir/pass*.ts", "src/nowhere", "runtime/libc/swap.c", "cc.md"];
    assert.deepEqual(known.unknownIn(bad, "docs"), wrong);
    assert.equal(commentsOf('const url = "http://x"; // why\n/* what */ code'), "// why\n/* what */");
  });

  it("no file ships that nobody needs", () => {
    assert.deepEqual(strayFiles(trackedFiles()), []);
    assert.deepEqual(strayFiles(["src/vm/kernel.ts", "platform.info", "src/a.orig"]), ["platform.info", "src/a.orig"]);
  });

  it("programs are given to V8 by loadModule alone, which knows what is too large for it", () => {
    const makes = files.filter(
      ({ name, text }) => !name.endsWith(".test.ts") && /new WebAssembly\.Module\(/.test(text),
    );
    assert.deepEqual(
      makes.map(({ name }) => name),
      ["src/jit/load-module.ts"],
    );
  });

  it("no file has outgrown its room", () => {
    const large = files.filter(({ text }) => text.split("\n").length > MAX_LINES).map(({ name }) => name);
    assert.deepEqual(large, []);
  });

  it("every source file opens with a comment that says its idea", () => {
    const silent = files.filter(({ name, text }) => !name.endsWith(".test.ts") && !text.startsWith("// "));
    assert.deepEqual(
      silent.map(({ name }) => name),
      [],
    );
  });

  it("no source file is dead", () => {
    const used = new Set([...files, ...others].flatMap(({ imports }) => imports.map(({ target }) => target)));
    const dead = files.filter(({ name }) => !name.endsWith(".test.ts") && !ENTRY_POINTS.has(name) && !used.has(name));
    assert.deepEqual(
      dead.map(({ name }) => name),
      [],
    );
  });

  it("every C file of the runtime opens with a comment that says its idea", () => {
    const silent = filesBelow(join(ROOT, "runtime"), ".c").filter(
      (path) => !/^(\/\*|\/\/)/.test(readFileSync(path, "utf8")),
    );
    assert.deepEqual(silent, []);
  });
});
