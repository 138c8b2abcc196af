import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import type { ExpectedRun, ExpectedStream } from "./expected-run.js";
import {
  foundInputOf,
  PATCH_EXPORT_STYLES,
  type PatchExportStyle,
  patchTestName,
  patchTests,
  patchTestsReadme,
  renderPatchTest,
} from "./patch-export.js";
import { patchInput, patchResult, patchTarget } from "./patch-fixture.js";
import { layoutOf } from "./patch-layout.js";
import type { PatchInput } from "./patch-result.js";

const folder = mkdtempSync(join(tmpdir(), "tangent-export-"));
after(() => rmSync(folder, { recursive: true }));
const scratch = join(folder, "tmp");
mkdirSync(scratch);

const base64 = (text: string): string => Buffer.from(text, "latin1").toString("base64");
const REACHED = patchTarget(3, { kind: "reached", input: 0, by: "move", milliseconds: 1 });

/** Prints all it was given: arguments as hexadecimal, standard input, and what its directory has. */
const SOURCE = `
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
static int order(const struct dirent **a, const struct dirent **b) { return strcmp((*a)->d_name, (*b)->d_name); }
static void list(const char *path) {
  struct dirent **names;
  int count = scandir(path, &names, 0, order);
  for (int i = 0; i < count; i++) {
    char full[4096], target[4096] = "";
    struct stat status;
    if (names[i]->d_name[0] == '.') continue;
    snprintf(full, sizeof full, "%s/%s", path, names[i]->d_name);
    lstat(full, &status);
    printf("%s %o", full, (unsigned)status.st_mode);
    if (S_ISLNK(status.st_mode)) { if (readlink(full, target, 4095) > 0) printf(" -> %s", target); }
    if (S_ISREG(status.st_mode)) {
      FILE *f = fopen(full, "r");
      for (int c; f && (c = getc(f)) != EOF;) printf(" %02x", c);
      if (f) fclose(f);
    }
    putchar('\\n');
    if (S_ISDIR(status.st_mode)) list(full);
  }
}
int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    for (char *p = argv[i]; *p; p++) printf("%02x", (unsigned char)*p);
    putchar('\\n');
  }
  for (int c; (c = getchar()) != EOF;) putchar(c);
  if (getenv("SHOW")) printf("SHOW=%s PRELOAD=%s\\n", getenv("SHOW"), getenv("LD_AUDIT") ? "set" : "no");
  list(".");
  if (argc > 1 && strcmp(argv[1], "fail") == 0) { fprintf(stderr, "%s: cannot read %s/x\\n", argv[0], getcwd(0, 0)); return 2; }
  if (argc > 1 && strcmp(argv[1], "crash") == 0) abort();
  return 0;
}
`;
const program = join(folder, "show");
writeFileSync(join(folder, "show.c"), SOURCE);
const isCompiled = spawnSync("cc", ["-w", "-o", program, join(folder, "show.c")]).status === 0;
const skip = isCompiled ? false : "needs a C compiler";

interface Ran {
  readonly status: number | null;
  readonly out: string;
}

function run(text: string, env: NodeJS.ProcessEnv = { PROGRAM: program }): Ran {
  const path = join(folder, "test.sh");
  writeFileSync(path, text);
  const { status, stdout, stderr } = spawnSync("sh", [path], {
    cwd: folder,
    env: { PATH: process.env.PATH, TMPDIR: scratch, ...env },
  });
  assert.deepEqual(readdirSync(scratch), [], "nothing is left behind");
  return { status, out: `${stdout.toString("latin1")}${stderr.toString("latin1")}` };
}

const bytes = (text: string, leftOut: readonly number[] = []): ExpectedStream => {
  return { kind: "bytes", bytes: Buffer.from(text, "latin1"), leftOut };
};
const ANYTHING: ExpectedStream = { kind: "not-compared", why: "is not the same each time" };

function rendered(input: PatchInput, run: ExpectedRun, style: PatchExportStyle = "shell"): string {
  return renderPatchTest(input, [REACHED], patchResult(), { style, native: true, check: { kind: "expect", run } });
}

const hex = (text: string): string => Buffer.from(text, "latin1").toString("hex");

describe("a reached input as a test", { skip }, () => {
  const WORDS = ["--x=it's", "\u00ff\n", "-n", "$(touch x) `y` \\"];
  const plain = patchInput({
    command: ["./prog", ...WORDS, "/project/tests/a b.txt"],
    environment: ["SHOW=it's $HOME", "LD_AUDIT=/evil.so", "PATH=/nowhere", "bad name=1"],
    stdin: base64("EOF\nEOF_\n$x `y`\n"),
    tree: [
      { kind: "file", path: "/project/tests/a b.txt", bytes: base64("text\n"), mode: 0o644 },
      { kind: "file", path: "/project/tests/-odd", bytes: base64("no end"), mode: 0o640 },
      { kind: "file", path: "/project/tests/d.bin", bytes: base64("\0\u0001\u00ff%'\\"), mode: 0o600 },
      { kind: "file", path: "/project/tests/\u00e4\u0001", bytes: "", mode: 0o644 },
      { kind: "directory", path: "/project/tests/sub", mode: 0o500 },
      { kind: "file", path: "/project/tests/sub/in", bytes: base64("x".repeat(300)), mode: 0o644 },
      { kind: "link", path: "/project/tests/sub/link", to: "../a b.txt" },
      { kind: "fifo", path: "/project/tests/zfifo", mode: 0o644 },
      { kind: "missing", path: "/project/tests/none" },
    ],
  });
  const expected = [
    ...WORDS.map(hex),
    // Where the copy lies is not known before.
    "EOF\nEOF_\n$x `y`",
    "SHOW=it's $HOME PRELOAD=no",
    "./-odd 100640 6e 6f 20 65 6e 64",
    "./a b.txt 100644 74 65 78 74 0a",
    "./d.bin 100600 00 01 ff 25 27 5c",
    "./sub 40500",
    `./sub/in 100644${" 78".repeat(300)}`,
    "./sub/link 120777 -> ../a b.txt",
    "./zfifo 10644",
    "./\u00e4\u0001 100644",
    "",
  ].join("\n");

  it("gives the program the words, input, variables and files of the input, byte by byte", () => {
    const without = { ...plain, command: ["./prog", ...WORDS] };
    const good = { status: 0, stdout: bytes(expected), stderr: bytes("") };
    const text = rendered(without, good);
    const { status, out } = run(text);
    assert.equal(status, 0, out);
    assert.match(text, /^cat >'a b\.txt' <<'EOF' \|\| exit 99\ntext\nEOF$/m);
    assert.match(text, /^# PLEASE REVIEW/m);
    const failed = run(rendered(without, { ...good, stdout: bytes(`${expected}more\n`) }));
    assert.equal(failed.status, 1);
    assert.match(failed.out, /FAILED: stdout is as expected\n(.*\n)*-more/);
  });

  it("a status that is another is a failure", () => {
    const { status, out } = run(rendered(plain, { status: 3, stdout: ANYTHING, stderr: ANYTHING }));
    assert.equal(status, 1);
    assert.match(out, /FAILED: exit status 3 \(it was 0\)/);
  });

  it("a file that is only asked about is there, with its size and mode", () => {
    const sized = patchInput({
      command: ["./prog"],
      ...{ stdin: null, environment: [] },
      tree: [{ kind: "sized", path: "/project/tests/asked", size: 3, mode: 0o640 }],
    });
    const listed = bytes("./asked 100640 00 00 00\n");
    const { status, out } = run(rendered(sized, { status: 0, stdout: listed, stderr: bytes("") }));
    assert.equal(status, 0, out);
  });

  it("names of the program and of the directory are the same wherever it runs", () => {
    const stdout = bytes(`${hex("fail")}\n${hex("x")}\n`);
    const stderr = bytes("<program>: cannot read <directory>/x\n");
    const input = patchInput({ command: ["./prog", "fail", "x"], stdin: null, environment: [], tree: [] });
    assert.equal(run(rendered(input, { status: 2, stdout, stderr })).status, 0);
  });

  it("a line that is not compared may be any", () => {
    const input = patchInput({ command: ["./prog", "one", "two"], stdin: null, environment: [], tree: [] });
    const expecting = (text: string, ...leftOut: readonly number[]) =>
      run(rendered(input, { status: 0, stdout: bytes(text, leftOut), stderr: bytes("") })).status;
    assert.equal(expecting(`<not compared>\n${hex("two")}\n`, 1), 0);
    assert.equal(expecting(`<not compared>\n${hex("other")}\n`, 1), 1);
    assert.equal(expecting(`${hex("one")}\n<not compared>\n`, 2), 0);
  });

  it("absolute names below the directory lead to the copies", () => {
    const run0 = { status: 0, stdout: bytes(""), stderr: bytes("") };
    const input = patchInput({ command: ["./prog", "--file=/project/tests/a b.txt"], stdin: null, tree: [] });
    const { out } = run(rendered(input, run0));
    const word = /^\+?([0-9a-f]{20,})$/m.exec(out)?.[1] ?? "";
    assert.match(Buffer.from(word, "hex").toString(), new RegExp(`^--file=${scratch}/[^/]+/in/a b\\.txt$`));
  });

  it("without expectations it is the program's own run", () => {
    const input = patchInput({ command: ["./prog", "fail"], stdin: null, environment: [], tree: [] });
    const options = { style: "shell", native: true, check: { kind: "run" } } as const;
    const { status, out } = run(renderPatchTest(input, [REACHED], patchResult(), options));
    assert.equal(status, 2);
    assert.match(out, /cannot read/);
  });

  it("without the program: trouble, skipped, or skipped in TAP", () => {
    const anything = { status: 0, stdout: ANYTHING, stderr: ANYTHING };
    const ends = PATCH_EXPORT_STYLES.map((style) => run(rendered(plain, anything, style), {}));
    assert.deepEqual(
      ends.map(({ status }) => status),
      [99, 77, 0],
    );
    assert.match(ends[2].out, /^1\.\.0 # SKIP/);
  });

  it("TAP has a line for each thing that is compared", () => {
    const observed = { status: 0, stdout: bytes("no\n"), stderr: bytes("") };
    const { out } = run(rendered(patchInput({ command: ["./prog"], stdin: null, tree: [] }), observed, "tap"));
    assert.match(
      out,
      /^1\.\.3\nok 1 - exit status 0 .*\nnot ok 2 - stdout is as expected\n(# .*\n)+ok 3 - stderr is as expected\n$/,
    );
  });
});

describe("exported tests", () => {
  it("are named by what they reach, each once", () => {
    assert.equal(patchTestName({ file: "src/diff.c", line: 410 }), "tangent-src-diff-c-410");
    assert.equal(patchTestName({ file: "../../$(x)/'a b'.c", line: 1 }), "tangent-x-a-b-c-1");
    const whole = patchResult();
    const inputs = [patchInput(), patchInput({ id: "fff" }), patchInput({ id: "eee" })];
    const reached = [0, 1].map((input) => patchTarget(3, { kind: "reached", input, by: "greedy", milliseconds: 1 }));
    const tests = patchTests({ ...whole, inputs, targets: reached });
    const names = tests.map(({ name }) => name);
    assert.deepEqual(names, ["tangent-src-a-b-c-3.sh", "tangent-src-a-b-c-3-2.sh"]);
    assert.match(
      patchTestsReadme(names, "automake", "tests"),
      /TESTS \+= \\\n {2}tests\/tangent-src-a-b-c-3\.sh \\\n {2}tests\/tangent-src-a-b-c-3-2\.sh\n/,
    );
    const program = (of: string): string | undefined => {
      const input = patchInput({ program: of });
      const anything = { status: 0, stdout: ANYTHING, stderr: ANYTHING };
      return /^program=.*$/m.exec(rendered(input, anything, "automake"))?.[0];
    };
    const own = `program=\${PROGRAM:-\${top_builddir-.}/src/prog}`;
    assert.equal(program("/project/src/prog"), own);
    assert.equal(program("/project/.tangent/build/src/prog"), own, "a copy of ours is nothing that a project has");
    assert.equal(program("/project/.tangent/patch/new/src/prog"), own);
  });

  it("an input that was not made here is run by the machine, or not at all", () => {
    const input = patchInput({
      command: ["-p", "-c", "rm -rf ~"],
      stdin: null,
      tree: [],
      environment: ["TANGENT=/evil"],
    });
    const check = { kind: "expect", run: { status: 0, stdout: ANYTHING, stderr: ANYTHING } } as const;
    for (const style of PATCH_EXPORT_STYLES) {
      const text = renderPatchTest(input, [REACHED], patchResult(), { style, native: false, check });
      assert.doesNotMatch(text, /^"\$program"/m);
      assert.match(text, /^"\$tangent" run --argv0 \.\/-p "\$program" -c 'rm -rf ~' </m);
      const { status, out } = run(text, { PROGRAM: "/bin/true", TANGENT: "/there/is/none" });
      assert.equal(status, style === "tap" ? 0 : 77, out);
      assert.match(out, /needs tangent/);
    }
    assert.notDeepEqual(foundInputOf(input), foundInputOf({ ...input, command: ["p"] }));
  });

  it("nothing that the results say becomes a command", () => {
    const odd = "x\n$(touch owned)\n`touch owned`\n'; touch owned; '";
    const input = patchInput({
      program: `/project/${odd}`,
      command: [odd, odd],
      seedCommand: [odd],
      steps: [odd],
      workingDirectory: `/project/${odd}`,
      environment: [`${odd}=1`, `A=${odd}`],
      tree: [
        { kind: "file", path: `/project/f${odd}`, bytes: base64(`${odd}\n`) },
        { kind: "link", path: "/project/l", to: odd },
      ],
    });
    const target = patchTarget(
      3,
      { kind: "reached", input: 0, by: "move", milliseconds: 1 },
      { file: odd, function: odd },
    );
    for (const style of PATCH_EXPORT_STYLES) {
      const check = { kind: "expect", run: { status: 0, stdout: bytes(odd), stderr: ANYTHING } } as const;
      const result = { tool: odd, project: "/project" };
      const text = renderPatchTest(input, [target], result, { style, native: true, check });
      const { status } = run(text, { PROGRAM: "/bin/true" });
      assert.notEqual(status, 99, text);
      assert.equal(existsSync(join(folder, "owned")), false);
    }
  });
});

describe("the layout of an input", () => {
  const layout = (tree: PatchInput["tree"], command: readonly string[] = ["p"]): ReturnType<typeof layoutOf> =>
    layoutOf(patchInput({ tree, command, workingDirectory: "/w/t" }));
  it("begins at the deepest directory that holds everything", () => {
    assert.equal(layout([{ kind: "file", path: "/w/t/a", bytes: "" }]).base, "/w/t");
    const wide = layout([{ kind: "file", path: "/w/u/a", bytes: "" }]);
    assert.deepEqual([wide.base, wide.workingDirectory, wide.entries[0].path], ["/w", "t", "u/a"]);
    assert.equal(layout([], ["p", "../../x"]).base, "/");
    assert.equal(layout([], ["p", "a/../../x"]).base, "/w");
    assert.equal(layout([], ["p", "-o../x", "--a=../x"]).base, "/w");
  });

  it("nothing leads out of it or is laid through a link; the system's files stay where they are", () => {
    const { entries, leftOut } = layout([
      { kind: "link", path: "/w/t/l", to: "/home/somebody" },
      { kind: "file", path: "/w/t/l/.profile", bytes: "" },
      { kind: "file", path: "/w/t/../../../../w/t/ok", bytes: "" },
      { kind: "link", path: "/w/t/up", to: "../../../../../home" },
      { kind: "file", path: "/etc/passwd", bytes: "" },
      { kind: "socket", path: "/w/t/s" },
      { kind: "file", path: "/w/t/ok", bytes: "eA==" },
    ]);
    assert.deepEqual(
      entries.map(({ path }) => path),
      ["ok", "l"],
    );
    assert.equal(leftOut.length, 3);
  });
});
