// What is run natively: `--confirm`, `--confirm=asan`, `replay --native` and exported tests start the program with the very bytes of a
// witness, also where a file or standard input begins with a dash; and a program that could not be run has not survived anything.

import assert from "node:assert/strict";
import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const TANGENT = join(ROOT, "bin/tangent");

const SOURCE = `#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  char line[64], first[64];
  FILE *file = argc > 1 ? fopen(argv[1], "r") : 0;
  if (!file || !fgets(first, 64, file) || !fgets(line, 64, stdin)) return 1;
  if (line[0] != '-' || first[0] != '-' || first[1] != 'r') return 1;
  char *block = calloc(4, 1);
  int at = line[1] - '0';
  if (at >= 0 && at < 8) block[at] = 'x'; /* beyond the block */
  int quotient = 10 / (line[2] - '0'); /* by zero */
  printf("%d %d\\n", block[0], quotient);
  free(block);
  return 0;
}
`;
const TESTS = `printf '%s\\n' -r-- >-in
printf '%s\\n' -23 >input
./dashes ./-in <input
`;
const CONFIG = `build = "sh -c '$CC -g -O1 -o dashes dashes.c'"
test = "sh tests.sh"
`;

const SHELLS = ["sh", "dash", "bash"].filter((shell) => spawnSync(shell, ["-c", ":"]).status === 0);

describe("native runs of findings", () => {
  const directory = mkdtempSync(join(tmpdir(), "tangent-confirm-test-"));
  const tangent = (...words: string[]): SpawnSyncReturns<string> =>
    spawnSync(TANGENT, words, { encoding: "utf8", cwd: directory });
  /** By kind. */
  const findings = new Map<string, string>();
  after(() => rmSync(directory, { recursive: true, force: true }));
  before(() => {
    writeFileSync(join(directory, "dashes.c"), SOURCE);
    writeFileSync(join(directory, "tests.sh"), TESTS);
    writeFileSync(join(directory, "tangent.toml"), CONFIG);
    const tested = tangent("test", "--distance", "0", "--confirm", "--export", "shell", "out");
    assert.equal(tested.status, 1, tested.stderr);
    assert.match(tested.stderr, /\(division-by-zero\): the program dies of SIGFPE\n/);
    assert.match(tested.stderr, /\(heap-buffer-overflow\): natively the program survives it \(status 0\)\n/);
    const result = JSON.parse(readFileSync(join(directory, ".tangent/report/results.json"), "utf8"));
    for (const { id, kind } of result.findings) findings.set(kind, id);
  });

  it("replay --native starts the program itself", () => {
    const replayed = tangent("replay", "--native", findings.get("division-by-zero") ?? "");
    assert.equal(replayed.status, 0, replayed.stderr);
    assert.match(replayed.stdout, /the program dies of SIGFPE/);
  });

  it("a program that cannot be run has not survived", () => {
    for (const program of ["/nonexistent/dashes", "/etc/passwd"]) {
      const replayed = tangent("replay", "--native", "-p", program, findings.get("heap-buffer-overflow") ?? "");
      assert.equal(replayed.status, 3);
      assert.match(replayed.stdout, /not run natively: .*cannot start natively/);
      assert.doesNotMatch(replayed.stdout, /survives/);
    }
    writeFileSync(
      join(directory, "unloadable"),
      "#!/bin/sh\necho 'p: error while loading shared libraries: libx.so.1' >&2\nexit 127\n",
      {
        mode: 0o755,
      },
    );
    const unloadable = tangent("replay", "--native", "-p", "./unloadable", findings.get("heap-buffer-overflow") ?? "");
    assert.match(unloadable.stdout, /not run natively: \.\/unloadable cannot be loaded: libx\.so\.1/);
    assert.equal(unloadable.status, 3);
  });

  it("exported tests fail for the reason they are there for, in every sh there is", () => {
    const scripts = readdirSync(join(directory, "out")).filter((name) => name.endsWith(".sh"));
    assert.equal(scripts.length, 2);
    for (const shell of SHELLS) {
      for (const script of scripts) {
        const ran = spawnSync(shell, [join(directory, "out", script)], {
          ...{ encoding: "utf8", env: { ...process.env, TANGENT } },
        });
        assert.equal(ran.status, 1, `${shell} ${script}: ${ran.stderr}`);
        assert.match(ran.stdout, /FAILED: (division-by-zero|heap-buffer-overflow)\n/);
      }
    }
  });

  const probe = join(directory, "probe.c");
  writeFileSync(probe, "int main(void) { return 0; }\n");
  const hasAsan =
    spawnSync("cc", ["-fsanitize=address", "-o", join(directory, "probe"), probe]).status === 0 &&
    spawnSync(join(directory, "probe"), { env: { ASAN_OPTIONS: "detect_leaks=0" } }).status === 0;
  rmSync(probe);
  rmSync(join(directory, "probe"), { force: true });
  it("--confirm=asan builds the program beside and says what is seen there", {
    skip: hasAsan ? false : "needs cc with AddressSanitizer",
  }, () => {
    // A copy that came with the repository is nobody's build.
    const planted = join(directory, ".tangent/asan/build/planted");
    mkdirSync(join(directory, ".tangent/asan/build"), { recursive: true });
    writeFileSync(planted, "");
    for (const isFirst of [true, false]) {
      const ended = tangent("amplify", "--again", "--distance", "0", "--confirm=asan");
      assert.equal(ended.stderr.includes("building once more with AddressSanitizer"), isFirst, ended.stderr);
      assert.match(
        ended.stderr,
        /\(heap-buffer-overflow\): AddressSanitizer sees heap-buffer-overflow at dashes\.c:10 in main\n/,
      );
    }
    assert.ok(!existsSync(planted));
    const result = JSON.parse(readFileSync(join(directory, ".tangent/report/results.json"), "utf8"));
    for (const { confirmed } of result.findings) assert.equal(confirmed, "sanitizer");
  });

  it("show --save writes what fails by itself: tried with AddressSanitizer, with all files, in the project's names", {
    skip: hasAsan ? false : "needs cc with AddressSanitizer",
  }, () => {
    for (const [kind, told] of [
      ["heap-buffer-overflow", /AddressSanitizer sees heap-buffer-overflow at dashes\.c:10 in main/],
      ["division-by-zero", /AddressSanitizer sees FPE at dashes\.c:11 in main/],
    ] as const) {
      const saved = tangent("show", findings.get(kind) ?? "", "--save", `saved/${kind}`);
      assert.equal(saved.status, 0, saved.stderr);
      assert.match(saved.stdout, /saved to saved\/.*; sh saved\/.*\/run\.sh runs it\. It fails natively: /);
      const folder = join(directory, "saved", kind);
      assert.match(readFileSync(join(folder, "README.md"), "utf8"), told);
      assert.match(readFileSync(join(folder, "expected-output.txt"), "utf8"), /AddressSanitizer/);
      assert.deepEqual(readdirSync(join(folder, "input")), ["0-in", "1-stdin"]);
      // Somebody else, somewhere else, without anything of ours.
      const ran = spawnSync("sh", [join(folder, "run.sh")], {
        cwd: "/",
        encoding: "utf8",
        env: { PATH: "/usr/bin:/bin" },
      });
      assert.notEqual(ran.status, 0);
      assert.match(ran.stderr, /ERROR: AddressSanitizer: /);
    }
    const wrong = [
      ["show", "--save", "x"],
      ["show", findings.get("division-by-zero") ?? "", "--json", "--save", "x"],
    ];
    for (const words of wrong) assert.equal(tangent(...words).status, 2);
    assert.ok(!existsSync(join(directory, "x")));
  });

  it("show --save says if it does not fail natively, and its script then runs it in the machine", () => {
    const id = findings.get("heap-buffer-overflow") ?? "";
    const saved = spawnSync(TANGENT, ["show", id, "--save", "other"], {
      ...{ encoding: "utf8", cwd: directory, env: { ...process.env, TANGENT_CC: "/nonexistent/cc" } },
    });
    assert.equal(saved.status, 0, saved.stderr);
    assert.match(
      saved.stdout,
      /It does NOT fail natively here: no build with AddressSanitizer: .*survives it \(status 0\)/,
    );
    const script = join(directory, "other/run.sh");
    const ran = spawnSync("sh", [script], { encoding: "utf8", env: { ...process.env, TANGENT } });
    assert.equal(ran.status, 99, ran.stderr);
    assert.match(ran.stderr, /heap-buffer-overflow/);
  });

  it("commands name the program and the files as the project does", () => {
    for (const id of findings.values()) {
      const { stdout } = tangent("show", id);
      assert.match(stdout, /^ {2}witness {2}\.\/dashes \.\/-in <stdin$/m);
      assert.doesNotMatch(stdout, /\.tangent/);
    }
  });

  it("--confirm=asan without a compiler that can do it says so, and runs the program", () => {
    const ended = spawnSync(TANGENT, ["amplify", "--again", "--distance", "0", "--confirm=asan"], {
      ...{ encoding: "utf8", cwd: directory, env: { ...process.env, TANGENT_CC: "/nonexistent/cc" } },
    });
    assert.match(ended.stderr, /no AddressSanitizer: \/nonexistent\/cc makes no program/);
    assert.match(ended.stderr, /; natively the program survives it \(status 0\)\n/);
  });
});
