// What can be done with a finding once it is found: shown, explained, replayed, confirmed natively, compared with a baseline,
// exported as a test that fails today, and reported in every format.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import type { CampaignResult } from "../../src/report/campaign-result.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
/** One bug off the test's path that native code survives, one on it that it does not. */
const PROGRAM = `#include <stdio.h>
#include <stdlib.h>
static const char letters[16] = "abcdefghijklmno";
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 0, c = getchar();
  if (n < 0 || n > 20) return 1;
  printf("%d\\n", 100 / (n - 14));
  if (c == 'q')
    printf("%c\\n", letters[n + 6]);
  return 0;
}
`;

let project = "";
let result: CampaignResult;
const tangentWith = (env: NodeJS.ProcessEnv, ...words: string[]) =>
  spawnSync("sh", [join(ROOT, "bin/tangent"), ...words], {
    cwd: project,
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
const tangent = (...words: string[]) => tangentWith({}, ...words);
const idOf = (kind: string): string => result.findings.find((finding) => finding.kind === kind)?.id ?? "none";

describe("a finding", () => {
  before(() => {
    project = mkdtempSync(join(tmpdir(), "tangent-findings-"));
    writeFileSync(join(project, "prog.c"), PROGRAM);
    writeFileSync(join(project, "tests.sh"), "printf 'a\\n' | ./prog 12 > /dev/null\n");
    assert.equal(tangent("cc", "-g", "-o", "prog", "prog.c").status, 0);
    const files = ["--sarif", "r/f.sarif", "--junit", "r/f.xml", "--markdown", "r/f.md", "--lcov", "r/f.info"];
    const ran = tangent(
      "test",
      ...["--distance", "2", "--time", "60s", "--confirm", "--export", "automake", "regress"],
      ...files,
      ...["--", "sh", "tests.sh"],
    );
    assert.equal(ran.status, 1, ran.stderr);
    assert.match(ran.stderr, /report: \.tangent\/report\/index\.html/);
    result = JSON.parse(readFileSync(join(project, ".tangent/report/results.json"), "utf8")) as CampaignResult;
  });
  after(() => rmSync(project, { recursive: true, force: true }));

  it("is confirmed natively where the program crashes, and only there", () => {
    const levels = Object.fromEntries(result.findings.map(({ kind, confirmed }) => [kind, confirmed]));
    assert.deepEqual(levels, { "division-by-zero": "native", "global-buffer-overflow": "vm" });
  });

  it("is in every report", () => {
    for (const name of ["f.sarif", "f.xml", "f.md"]) {
      const text = readFileSync(join(project, "r", name), "utf8");
      for (const { id } of result.findings) assert.ok(text.includes(id), `${name} ${id}`);
    }
    assert.match(readFileSync(join(project, "r/f.info"), "utf8"), /DA:9,1/);
    assert.match(readFileSync(join(project, ".tangent/report/index.html"), "utf8"), /2 bugs/);
  });

  it("is shown with its source and the difference to the test", () => {
    const { status, stdout } = tangent("show", idOf("global-buffer-overflow"));
    assert.equal(status, 0);
    assert.match(stdout, /letters\[n \+ 6\]/);
    assert.match(stdout, /- a\\n/);
    assert.match(stdout, /\+ q/);
    assert.equal(tangent("show", "nothing").status, 3);
  });

  it("is explained by the branch where its path leaves the test's", () => {
    const { status, stdout, stderr } = tangent("explain", idOf("global-buffer-overflow").slice(0, 6));
    assert.equal(status, 0, stderr);
    assert.match(
      stdout,
      /prog\.c:8: the test took the false side of `c == 'q'` \(stdin\[0\] != 'q'\), the witness the true side/,
    );
  });

  it("fails again when it is replayed, in the VM and natively", () => {
    const all = tangent("replay", idOf("global-buffer-overflow"), idOf("division-by-zero"));
    assert.equal(all.status, 0, all.stderr);
    assert.match(all.stdout, /2 findings replayed: 2 as recorded/);
    for (const option of [["--json"], ["--memory", "9"], ["--arg", "x"], ["--flag", "-O1"], ["--clang", "x"]]) {
      const wrong = tangent("replay", ...option, idOf("division-by-zero"));
      assert.equal(wrong.status, 2, wrong.stdout);
      assert.ok(wrong.stderr.includes(option[0]), wrong.stderr);
    }
    // As short as `tangent show` takes it.
    const [first, second] = [idOf("division-by-zero"), idOf("global-buffer-overflow")];
    const digits = [...first].findIndex((digit, at) => digit !== second[at]) + 1;
    const native = tangent("replay", "--native", first.slice(0, digits));
    assert.equal(native.status, 0, native.stderr);
    assert.match(native.stdout, /SIGFPE/);
  });

  it("does not fail the build once it is in the baseline", () => {
    writeFileSync(join(project, "base.json"), readFileSync(join(project, ".tangent/report/results.json")));
    const words = ["amplify", "--distance", "2", "--time", "60s", "--baseline", "base.json"];
    const ran = tangent(...words, "--again", "--json", "-");
    assert.equal(ran.status, 0, ran.stderr);
    const printed = JSON.parse(ran.stdout) as CampaignResult;
    assert.deepEqual(
      printed.findings.map(({ known }) => known),
      [true, true],
    );
    assert.match(ran.stderr, /2 findings are in the baseline/);
    assert.equal(tangent("amplify", "--baseline", "no-such.json").status, 2);
    for (const option of ["--sarif", "--json"]) {
      assert.equal(
        tangent(...words, option, "/dev/null/none").status,
        3,
        `${option} that cannot be written is trouble`,
      );
    }
  });

  it("is exported as a test that fails today and passes when the bug is gone", () => {
    const script = (kind: string): string => join(project, "regress", `tangent-${idOf(kind)}.sh`);
    const run = (path: string, env: NodeJS.ProcessEnv): number | null =>
      spawnSync("sh", [path], { env: { ...process.env, TANGENT: join(ROOT, "bin/tangent"), ...env } }).status;
    const fixed = join(project, "fixed");
    writeFileSync(`${fixed}.c`, PROGRAM.replace("100 / (n - 14)", "n").replace("letters[n + 6]", "letters[0]"));
    assert.equal(tangent("cc", "-g", "-o", "fixed", "fixed.c").status, 0);
    for (const kind of ["division-by-zero", "global-buffer-overflow"]) {
      assert.ok((statSync(script(kind)).mode & 0o100) !== 0);
      assert.equal(run(script(kind), {}), 1, kind);
      assert.equal(run(script(kind), { PROGRAM: fixed }), 0, kind);
    }
    assert.equal(run(script("global-buffer-overflow"), { TANGENT: "/no/such/tangent" }), 77);
    assert.ok(existsSync(join(project, "regress/tangent.mk")));
    assert.match(readFileSync(join(project, "regress/tangent.mk"), "utf8"), /TESTS \+= \\\n {2}regress\/tangent-/);
  });

  it("is exported again from the results, by either spelling", () => {
    const name = `tangent-${idOf("division-by-zero")}.sh`;
    for (const words of [["again"], ["automake", "again-too"], ["styled", "--export-style", "automake"]]) {
      const ran = tangent("report", "--export", ...words);
      assert.equal(ran.status, 0, ran.stderr);
      assert.match(ran.stderr, /2 regression tests written/);
    }
    assert.ok(existsSync(join(project, "again", name)) && existsSync(join(project, "again-too", name)));
    assert.ok(!existsSync(join(project, "again/tangent.mk")) && existsSync(join(project, "again-too/tangent.mk")));
    assert.ok(existsSync(join(project, "styled/tangent.mk")));
    assert.equal(tangent("report", "--export-style", "shell").status, 2);
  });

  it("is tried with another build of the program, and only with that, whatever its name", () => {
    const id = idOf("division-by-zero");
    mkdirSync(join(project, "other"));
    copyFileSync(join(project, "fixed"), join(project, "other/prog"));
    for (const program of ["./fixed", "other/prog"]) {
      const ran = tangent("replay", "--native", "--program", program, id);
      assert.equal(ran.status, 1, ran.stdout);
      assert.ok(ran.stdout.includes(`natively ${program} survives it`), ran.stdout);
    }
    const absent = tangent("replay", "--native", "--program", "./absent", id);
    assert.equal(absent.status, 3, absent.stdout);
    assert.match(absent.stdout, /not run natively/);
  });

  it("is not the same kind of failure at another place", () => {
    writeFileSync(
      join(project, "moved.c"),
      PROGRAM.replace("int n =", "volatile int zero = argc * 0; zero = 1 / zero; int n ="),
    );
    assert.equal(tangent("cc", "-g", "-o", "moved", "moved.c").status, 0);
    const ran = tangent("replay", "--program", "./moved", idOf("division-by-zero"));
    assert.equal(ran.status, 1, ran.stderr);
    assert.match(ran.stdout, /division-by-zero[\s\S]*does not fail as recorded/);
  });

  it("counts although it cannot be confirmed natively, and a build that is of no program is told", () => {
    const words = ["amplify", "--time", "60s", "--distance", "2", "--confirm", "--sanitized", "./fixed"];
    const ran = tangentWith({ TMPDIR: join(project, "absent") }, ...words);
    assert.equal(ran.status, 1, ran.stderr);
    assert.match(ran.stderr, /--sanitized \.\/fixed was not run: the findings are of prog/);
    assert.match(ran.stderr, /was not run natively: ENOENT/);
    const written = JSON.parse(readFileSync(join(project, ".tangent/report/results.json"), "utf8")) as CampaignResult;
    assert.equal(written.findings.length, 2);
  });

  it("is reported again from the results, and a wrong file is told", () => {
    const again = tangent("report", "--sarif", "-");
    assert.equal(again.status, 0);
    assert.equal((JSON.parse(again.stdout) as { version: string }).version, "2.1.0");
    writeFileSync(join(project, "bad.json"), "{");
    const bad = tangent("report", "bad.json");
    assert.equal(bad.status, 3);
    assert.match(bad.stderr, /bad\.json is not JSON/);
  });
});
