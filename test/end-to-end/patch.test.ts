// `tangent patch` and `tangent reach` from a commit to what a user gets of it: inputs for lines that no test runs, reasons for the others,
// findings, what the patch changes, reports, tests to keep.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { RepositoryFixture, removeRepositories, temporaryFolder } from "../../src/project/patch/repository-fixture.js";
import type { PatchCampaignResult, PatchTarget } from "../../src/report/patch-result.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const FOUND = 1;
const STOPPED = 130;

/** Prints a file; the commits put their code in place of the comments. */
const PROGRAM = `#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int upper;
/* flags */
/* functions */

static void show(const char *text) {
  for (; *text != '\\0'; text++) putchar(upper && *text >= 'a' && *text <= 'z' ? *text - 32 : *text);
  putchar('\\n');
}

int main(int argc, char **argv) {
  char line[64];
  FILE *file;
  int i;
  for (i = 1; i < argc && argv[i][0] == '-'; i++) {
    if (strcmp(argv[i], "--upper") == 0) upper = 1;
    /* options */
    else return 2;
  }
  if (i == argc || (file = fopen(argv[i], "r")) == NULL) return 1;
  while (fgets(line, sizeof line, file) != NULL) {
    line[strcspn(line, "\\n")] = '\\0';
    /* lines */
    show(line);
  }
  fclose(file);
  return 0;
}
`;
const CONFIG = 'build = "$CC -g -O1 -o prog prog.c"\ntest = "sh tests/run.sh"\n';
const TESTS = "printf 'hello\\nworld\\n' >in.txt\n./prog in.txt >/dev/null\n./prog none; rm in.txt\n";

function withParts(parts: { readonly [comment: string]: string }): string {
  return Object.entries(parts).reduce((text, [name, code]) => text.replace(`/* ${name} */`, code), PROGRAM);
}

/** An option that no test uses, a line that starts with #, and code behind a call that never returns. */
const COUNTED = {
  flags: "static int counting;",
  functions: '__attribute__((noinline)) static void leave(int n) {\n  puts("left");\n  exit(n);\n}',
  options: `else if (strcmp(argv[i], "--count") == 0) counting = 1;
    else if (strcmp(argv[i], "--leave") == 0) {
      leave(0);
      if (i > 1)
        puts("never");
    }`,
  lines: `if (line[0] == '#') continue;\n    if (counting) {\n      printf("%d ", (int)strlen(line));\n    }`,
};
/** Divides by the length of a line. */
const DIVIDED = {
  ...COUNTED,
  options: `${COUNTED.options}\n    else if (strcmp(argv[i], "--ratio") == 0) counting = 2;`,
  lines: COUNTED.lines.replace(
    'printf("%d ", (int)strlen(line));',
    '$&\n      if (counting == 2) printf("%d ", 100 / ((int)strlen(line) - 5));',
  ),
};

const tangentIn = (cwd: string, ...words: readonly string[]) =>
  spawnSync("sh", [join(ROOT, "bin/tangent"), ...words], { cwd, encoding: "utf8" });

function resultsIn(root: string): PatchCampaignResult {
  return JSON.parse(readFileSync(join(root, ".tangent/report/results.json"), "utf8")) as PatchCampaignResult;
}

function lineOf(root: string, code: string): number {
  const lines = readFileSync(join(root, "prog.c"), "utf8").split("\n");
  const at = lines.findIndex((line) => line.includes(code));
  assert.ok(at >= 0, code);
  return at + 1;
}

function commandOf(result: PatchCampaignResult, { state, id }: PatchTarget): readonly string[] {
  assert.equal(state.kind, "reached", `${id}: ${JSON.stringify(state)}`);
  return state.kind === "reached" ? result.inputs[state.input].command : [];
}

describe("tangent patch and reach", () => {
  let fixture: RepositoryFixture;
  /** Inputs of the first campaign. */
  let earlier: readonly string[] = [];
  const tangent = (...words: readonly string[]) => tangentIn(fixture.root, ...words);
  before(() => {
    fixture = RepositoryFixture.with({ "prog.c": PROGRAM, "tangent.toml": CONFIG, "tests/run.sh": TESTS });
    fixture.write({ "prog.c": withParts(COUNTED) });
    fixture.commit("count");
    fixture.write({ "prog.c": withParts(DIVIDED) });
    fixture.commit("ratio");
  });
  after(removeRepositories);

  it("a commit: lines are reached by an option that was put in and by a file that was changed, others have a reason", () => {
    const words = ["--time", "60s", "--json", "-", "--html", "r/p.html", "--markdown", "r/p.md", "--export", "kept"];
    const { status, stdout, stderr } = tangent("patch", "HEAD~2..HEAD~1", ...words);
    assert.equal(status, 0, stderr);
    const result = JSON.parse(stdout) as PatchCampaignResult;
    const text = withParts(COUNTED).split("\n");
    const targetsAt = (code: string): readonly PatchTarget[] => {
      const line = text.findIndex((one) => one.includes(code)) + 1;
      const found = result.targets.filter(({ lines }) => lines.includes(line));
      assert.ok(found.length > 0, code);
      return found;
    };
    for (const target of targetsAt('printf("%d "')) assert.ok(commandOf(result, target).includes("--count"));
    const [skipped] = targetsAt("continue").filter(({ state }) => state.kind === "reached");
    const { state } = skipped;
    assert.ok(state.kind === "reached");
    const { tree, steps, seedCommand, observed, end } = result.inputs[state.input];
    assert.deepEqual(seedCommand, ["./prog", "in.txt"]);
    assert.ok(steps.length > 0);
    const file = tree.find(({ path }) => path.endsWith("/in.txt"));
    assert.match(Buffer.from(file?.bytes ?? "", "base64").toString(), /^#/m);
    assert.equal(observed?.status, 0);
    assert.equal(end, "exit status 0");
    const [{ state: behind }] = targetsAt('puts("never")');
    assert.equal(behind.kind === "unreachable" ? behind.why : behind.kind, "no way through main() leads there");
    assert.match(stderr, /unreachable: no way through main\(\) leads there/);
    assert.deepEqual(new Set(result.behaviour.map(({ severity }) => severity)), new Set(["different"]));
    assert.ok(
      result.behaviour.some(({ command, differences }) => command.includes("--count") && differences.length > 0),
    );
    assert.match(stderr, /reached: \.\/prog --count in\.txt \(tangent replay [0-9a-f]{8}\)/);
    assert.match(readFileSync(join(fixture.root, "r/p.html"), "utf8"), /--count/);
    assert.match(readFileSync(join(fixture.root, "r/p.md"), "utf8"), /Behaviour that this patch changes/);
  });

  it("what reached something is a test that runs natively and passes, and is run and shown again by its id", () => {
    const scripts = readdirSync(join(fixture.root, "kept")).filter((name) => name.endsWith(".sh"));
    assert.ok(scripts.length >= 2, scripts.join(" "));
    const env = { ...process.env, PROGRAM: join(fixture.root, ".tangent/patch/new/prog") };
    for (const name of scripts) {
      const path = join(fixture.root, "kept", name);
      assert.doesNotMatch(readFileSync(path, "utf8"), /tangent run/);
      const { status, stdout, stderr } = spawnSync("sh", [path], { env, encoding: "utf8" });
      assert.equal(status, 0, `${name}: ${stdout}${stderr}`);
    }
    earlier = resultsIn(fixture.root).inputs.map(({ id }) => id);
    for (const { id, command } of resultsIn(fixture.root).inputs) {
      const again = tangent("replay", id.slice(0, 10));
      assert.equal(again.status, 0, again.stderr);
      assert.match(again.stdout, /ends with exit \d, reaches prog\.c:\d+.* again/);
      const native = tangent("replay", "--native", id);
      assert.equal(native.status, 0, native.stderr);
      const shown = tangent("show", id);
      assert.equal(shown.status, 0);
      assert.ok(shown.stdout.includes(command[1]), shown.stdout);
      assert.match(shown.stdout, /made from: \.\/prog (in\.txt|none) \(test [0-9a-f]+\)\n +- /);
    }
  });

  it("a commit that brings a crash: status 1, the finding, and that it fails only since then", () => {
    const { status, stdout, stderr } = tangent("patch", "--time", "60s");
    assert.equal(status, FOUND, `${stdout}${stderr}`);
    assert.match(stdout, /ERROR: division-by-zero/);
    assert.match(stdout, /REGRESSION: \.\/prog .*--ratio.* in\.txt/);
    const { findings, behaviour } = resultsIn(fixture.root);
    const [finding] = findings;
    assert.equal(finding.kind, "division-by-zero");
    assert.equal(finding.location?.line, lineOf(fixture.root, "100 /"));
    assert.equal(finding.isMade, true);
    assert.ok(behaviour.some(({ severity, differences }) => severity === "crash" && differences[0].what === "finding"));
    for (const words of [["show"], ["explain"], ["replay"], ["replay", "--native"]]) {
      const { status: own, stderr: told } = tangent(...words, finding.id);
      assert.equal(own, 0, `${words.join(" ")}: ${told}`);
    }
    for (const id of earlier) {
      const again = tangent("replay", id);
      assert.equal(again.status, 0, `of the campaign before: ${again.stderr}`);
      assert.match(again.stdout, /reaches prog\.c:\d+.* again/);
      assert.equal(tangent("show", id).status, 0);
    }
    const known = tangent("patch", "--time", "60s", "--no-old", "--baseline", ".tangent/report/results.json");
    assert.equal(known.status, 0, known.stdout);
  });

  it("places that somebody names: lines, functions, and what is not there", () => {
    const line = lineOf(fixture.root, "100 /");
    const { status, stdout, stderr } = tangent(
      "reach",
      "--time",
      "60s",
      `prog.c:${line}`,
      "show",
      "prog.c:2",
      "nobody",
    );
    assert.equal(status, FOUND, stderr);
    assert.match(stdout, new RegExp(`^\\* prog\\.c:${line} \\(main\\): reached: \\./prog .*--ratio`, "m"));
    assert.match(stdout, /^\+ prog\.c:\d+ \(show\): by the tests$/m);
    assert.match(stderr, /prog\.c:2: no code there/);
    assert.match(stderr, /nobody: there is no such function/);
    assert.equal(
      resultsIn(fixture.root).inputs.every(({ observed }) => observed !== undefined),
      true,
    );
  });

  it("without tests it begins with the program alone, and says so", () => {
    const bare = RepositoryFixture.with({ "prog.c": PROGRAM });
    bare.write({
      "prog.c": withParts({ flags: COUNTED.flags, options: 'else if (strcmp(argv[i], "--count") == 0) counting = 1;' }),
    });
    const { status, stdout, stderr } = tangentIn(bare.root, "patch", "--time", "30s");
    assert.equal(status, 0, stderr);
    assert.match(stderr, /no tests: the search begins with prog alone/);
    assert.match(stdout, /reached: \.\/prog --count/);
    const wrong = tangentIn(bare.root, "patch", "--no-tests", "--test", "true");
    assert.equal(wrong.status, 2);
    assert.match(wrong.stderr, /--no-tests and --test contradict each other/);
  });

  it("Ctrl-C keeps what was reached", async () => {
    const slow = RepositoryFixture.with({ "prog.c": PROGRAM, "tangent.toml": CONFIG, "tests/run.sh": TESTS });
    const hash =
      "{ unsigned h = 7; for (char *c = line; *c; c++) h = (h ^ *c) * 16777619u + (h >> 7); if (h == 0x12345678u) show(line); }";
    slow.write({ "prog.c": withParts({ ...COUNTED, lines: hash }) });
    const child = spawn("sh", [join(ROOT, "bin/tangent"), "patch", "--time", "10m", "--target-time", "5m"], {
      cwd: slow.root,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let told = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      if (!told.includes("tangent: reached") && `${told}${text}`.includes("tangent: reached")) child.kill("SIGINT");
      told += text;
    });
    const status = await new Promise<number | null>((done) => child.on("exit", done));
    assert.equal(status, STOPPED, told);
    const { reason, totals } = resultsIn(slow.root);
    assert.equal(reason, "aborted");
    assert.ok(totals.reached > 0);
    assert.ok(existsSync(join(slow.root, ".tangent/report/index.html")));
  });

  it("a diff outside of any repository", () => {
    const folder = temporaryFolder();
    new RepositoryFixture(folder).write({ "prog.c": PROGRAM, "tangent.toml": CONFIG, "tests/run.sh": TESTS });
    const diff =
      '--- a/prog.c\n+++ b/prog.c\n@@ -19,2 +19,3 @@\n     if (strcmp(argv[i], "--upper") == 0) upper = 1;\n';
    new RepositoryFixture(folder).write({
      "a.diff": `${diff}+    else if (strcmp(argv[i], "--help") == 0) return puts("help") < 0;\n     /* options */\n`,
    });
    const { status, stdout, stderr } = tangentIn(folder, "patch", "--diff", "a.diff", "--time", "30s");
    assert.equal(status, 0, stderr);
    assert.match(stdout, /reached: \.\/prog --help/);
    assert.match(stdout, /standard output: nothing -> help/);
  });
});
