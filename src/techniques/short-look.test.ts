import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { loadModule } from "../jit/load-module.js";
import { AMPLIFY_COMPILE_OPTIONS } from "../jit/options.js";
import { loadProgram } from "../program/load.js";
import type { Seed } from "../project/seed.js";
import { PROCESSOR } from "../support/processor-wait.js";
import { AMPLIFY_RUNNER } from "./amplify-item.js";
import { DEFAULT_TEST_LIMITS } from "./test-limits.js";

const folder = mkdtempSync(join(tmpdir(), "tangent-look-"));
after(() => rmSync(folder, { recursive: true }));

/** For all of the item. A plain run may have half of it, and then this test would not end before its own limit. */
const ITEM_MS = 3600_000;

const SEED: Seed = {
  id: "0123456789abcdef",
  program: join(folder, "test_words"),
  programContent: "0".repeat(64),
  arguments: ["./test_words"],
  environment: [],
  workingDirectory: folder,
  umask: 0o22,
  stdin: { kind: "empty" },
  files: [],
  tree: [],
  end: { kind: "exit", code: 0 },
  recorded: { at: "2026-11-16T00:00:00Z", milliseconds: 1, times: 1 },
};

test("of a test whose run is cut, the plain run comes with the second look; if the machine was busy, with one more", {
  timeout: 600_000,
}, async (t) => {
  const path = join(folder, "spin.c");
  writeFileSync(path, "int main(int argc, char **argv) {\n  for (volatile int i = argv[argc - 1][0];; i++) ;\n}\n");
  const options = { env: process.env, clang: null, flags: ["-g"], compile: AMPLIFY_COMPILE_OPTIONS };
  const loaded = await loadProgram([path], options);
  if (loaded.kind === "failed") assert.fail(loaded.message);
  const { image } = loaded;
  const seed = { ...SEED, program: join(folder, "spin"), arguments: ["./spin", "word"] };
  const context = { image, module: loadModule(image), extra: {}, timeMs: ITEM_MS, abort: { aborted: false } };
  const setup = { ...DEFAULT_TEST_LIMITS, root: folder, literals: "off" as const };
  let waitMs = 0;
  let waitsMs = 0;
  t.mock.method(PROCESSOR, "waitMs", () => (waitMs += waitsMs));
  const looks = [
    { look: 0, busyMs: 0 },
    { look: 1, busyMs: ITEM_MS },
    { look: 1, busyMs: 0 },
  ] as const;
  const looked = looks.map(({ look, busyMs }) => {
    waitsMs = busyMs;
    const covered: boolean[] = [];
    const tell = (event: { readonly kind: string; readonly byTests?: boolean }): void => {
      if (event.kind === "covered") covered.push(event.byTests === true);
    };
    const outcome = AMPLIFY_RUNNER.run({ seed, distance: 0, look }, setup, { ...context, tell });
    if (outcome.kind !== "report") assert.fail(outcome.kind);
    const { result } = outcome.report;
    assert.ok(result.isPlain !== true && result.isMoves !== true && result.isPutOff === true);
    assert.ok(covered.includes(true), "what the test covers is told all the same");
    return { plain: result.plain?.isWhole ?? null, next: result.nextLook };
  });
  assert.deepEqual(looked, [
    { plain: null, next: 1 },
    { plain: null, next: 1 },
    { plain: false, next: null },
  ]);
});

test("a short look does not wait for a run that goes on and on, and puts the test off", {
  timeout: 600_000,
}, async () => {
  for (const name of ["tests", "src"]) mkdirSync(join(folder, name));
  const files = {
    "tests/test_words.c": `int vowels(const char *text);
int main(void) {
  volatile int sum = vowels("a word");
  for (;;) sum++;
}`,
    "src/vowels.c": `int vowels(const char *text) {
  int n = 0;
  for (; *text; text++) n += *text == 'a' || *text == 'o';
  return n;
}`,
  };
  const paths = Object.entries(files).map(([name, text]) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  });
  const options = { env: process.env, clang: null, flags: ["-g"], compile: AMPLIFY_COMPILE_OPTIONS };
  const loaded = await loadProgram(paths, options);
  if (loaded.kind === "failed") assert.fail(loaded.message);
  const { image } = loaded;
  assert.ok((image.tests?.literals.length ?? 0) > 0, "the test has a literal");
  const seed = SEED;
  const context = { image, module: loadModule(image), extra: {}, timeMs: ITEM_MS, abort: { aborted: false } };
  const outcome = AMPLIFY_RUNNER.run(
    { seed, distance: 0, look: 0 },
    { ...DEFAULT_TEST_LIMITS, root: folder, literals: "on" },
    { ...context, tell: () => {} },
  );
  if (outcome.kind !== "report") assert.fail(outcome.kind);
  const { isComplete, result } = outcome.report;
  assert.equal(isComplete, true, "the look has come to its end");
  assert.ok(result.isPlain !== true && result.isMoves !== true && result.isPutOff === true);
  assert.equal(result.plain?.isWhole, false);
});
