// Tests of a library whose inputs are literals in their own sources: `tangent test` finds what other literals would break in the library, says
// which literal changes, runs that again, and writes the changed test. What the tests' own code does then is no finding.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import type { AmplifyCampaignResult, ResultFinding } from "../../src/report/campaign-result.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const TESTS = ["table", "arrays", "own", "words", "numbers", "misuse", "wide", "longer"];
const SOURCES = ["src/pair.c", "src/amounts.c", "src/wide.c", "src/tag.c"];

describe("literals of a library's tests", () => {
  let project = "";
  let result: AmplifyCampaignResult;
  const tangent = (...words: string[]) =>
    spawnSync("sh", [join(ROOT, "bin/tangent"), ...words], { cwd: project, encoding: "utf8" });
  const lineOf = (path: string, text: string): number =>
    readFileSync(join(project, path), "utf8")
      .split("\n")
      .findIndex((line) => line.includes(text)) + 1;
  const test = (...options: string[]): { readonly status: number | null; readonly stderr: string } => {
    const ran = tangent("test", "--time", "120s", "--distance", "3", ...options, "--", "sh", "tests.sh");
    result = JSON.parse(readFileSync(join(project, ".tangent/report/results.json"), "utf8"));
    return { status: ran.status, stderr: ran.stderr };
  };
  const of = (program: string): readonly ResultFinding[] =>
    result.findings.filter((finding) => finding.program.endsWith(`/${program}`));

  before(() => {
    project = mkdtempSync(join(tmpdir(), "tangent-literals-"));
    cpSync(join(ROOT, "test/programs/literals"), project, { recursive: true });
    for (const name of TESTS) {
      const words = ["-g", `tests/test_${name}.c`, ...SOURCES];
      for (const more of [
        ["-o", `test_${name}`],
        ["-DFIXED", "-o", `fixed_${name}`],
      ]) {
        const built = tangent("cc", ...words, ...more);
        assert.equal(built.status, 0, built.stderr);
      }
    }
    const programs = TESTS.flatMap((name) =>
      ["test", "fixed"].map((kind) => `./${kind}_${name}${name === "words" ? " no" : ""}`),
    );
    writeFileSync(join(project, "tests.sh"), `${programs.join(" &&\n")}\n`);
    const { status, stderr } = test();
    assert.equal(status, 1, stderr);
  });
  after(() => rmSync(project, { recursive: true, force: true }));

  it("finds what changed literals break in the library, and nothing in its twin", () => {
    assert.equal(result.totals.divergences, 0);
    assert.equal(result.totals.unconfirmed, 0);
    const hidden = lineOf("src/pair.c", "hidden[k] = value[k]");
    const weight = lineOf("src/pair.c", "sum += weights");
    const lines = (program: string) => of(program).map(({ location }) => location?.line);
    assert.deepEqual([...new Set(lines("test_table"))], [hidden]);
    assert.deepEqual([...new Set(lines("test_arrays"))].sort(), [hidden, weight].sort());
    assert.deepEqual([...new Set(lines("test_words"))], [hidden], "beside an argument");
    for (const name of TESTS) assert.deepEqual(of(`fixed_${name}`), [], name);
  });

  it("strings become longer, unless something beside them says their size", () => {
    const lines = [...new Set(of("test_longer").map(({ location }) => location?.line))];
    const first = lineOf("src/tag.c", "// FAILS: longer");
    const end = lineOf("src/tag.c", "name[n] = 0;");
    assert.ok(lines.includes(first) || lines.includes(end), JSON.stringify(lines));
    assert.deepEqual(
      lines.filter((line) => line !== first && line !== end),
      [],
    );
    assert.deepEqual(of("fixed_longer"), []);
  });

  it("finds what other numbers and wide strings break in the library, and tells nothing that is misuse", () => {
    const places = (program: string) => [...new Set(of(program).map(({ location }) => location?.line))].sort();
    const amounts = ["month", "level", "grade", "window"].map((name) => lineOf("src/amounts.c", `// FAILS: ${name}`));
    assert.deepEqual(places("test_numbers"), amounts.sort());
    assert.deepEqual(
      places("test_wide"),
      ["class", "units"].map((name) => lineOf("src/wide.c", `// FAILS: ${name}`)),
    );
    assert.deepEqual(of("test_misuse"), []);
    // Two programs, and in each: an index, a divisor, digits in a buffer of the test's, a capacity, an assertion. Besides window_sum with two
    // huge numbers, which goes astray in its own way; with one it is told.
    assert.equal(result.notExplored["failures on changed numbers that the library does not check"], 11);
    assert.ok(result.notExplored["numbers that stayed as they are, because they are sizes"] > 0);
  });

  it("formats of variadic functions stay, and failures of the tests' own code are only counted", () => {
    assert.deepEqual(of("test_own"), []);
    assert.ok(result.notExplored["failures of the tests' own code on changed input"] > 0);
  });

  it("says which literal changes, in the test's source", () => {
    const [found] = of("test_table");
    const [input] = found.inputs;
    assert.equal(found.inputs.length, 1, "only what changed");
    assert.match(input.name, /^literal:\/.*\/tests\/test_table\.c:\d+/);
    assert.match(Buffer.from(input.witness, "base64").toString("latin1"), /=<#/);
    const { stdout } = tangent("show", found.id);
    assert.match(stdout, /of the literal at tests\/test_table\.c:\d+ \("(a=bc|key=val)" -> ".*=<#.*"\) changed/);
  });

  it("runs it again in the machine, and says why that cannot be done natively", () => {
    for (const { id } of [...of("test_table"), ...of("test_arrays"), ...of("test_numbers"), ...of("test_wide")]) {
      const { status, stdout } = tangent("replay", id);
      assert.equal(status, 0, stdout);
      assert.match(stdout, /fails again, as recorded/);
      assert.match(tangent("replay", "--native", id).stdout, /literal in the test's source.*must be compiled/);
    }
  });

  it("exports the changed test; compiled with a sanitizer it shows the bug", (context) => {
    const before = readFileSync(join(project, "tests/test_table.c"), "utf8");
    const exported = tangent("report", "--export", "out");
    assert.equal(exported.status, 0, exported.stderr);
    assert.equal(readFileSync(join(project, "tests/test_table.c"), "utf8"), before);
    const files = readdirSync(join(project, "out")).map((name) => join("out", name));
    assert.equal(files.length, result.findings.length);
    const probe = spawnSync("gcc", ["-fsanitize=address", "-x", "c", "-", "-o", join(project, "probe")], {
      input: "int main(void) { return 0; }",
    });
    if (probe.status !== 0) return context.skip("there is no gcc with AddressSanitizer");
    for (const file of files) {
      const text = readFileSync(join(project, file), "utf8");
      // A list of numbers is not looked for in the source.
      if (/TO BE CHANGED BY HAND/.test(text)) {
        assert.match(file, /test_arrays/);
        continue;
      }
      const words = ["-g", "-fsanitize=address", "-iquote", "tests", file, ...SOURCES, "-o", "changed"];
      const built = spawnSync("gcc", words, { cwd: project, encoding: "utf8" });
      assert.equal(built.status, 0, built.stderr);
      const ran = spawnSync(join(project, "changed"), { encoding: "utf8" });
      assert.match(ran.stderr, /AddressSanitizer: (stack-buffer-overflow|global-buffer-overflow|SEGV)/, text);
    }
    return undefined;
  });

  it("goes on with what an earlier campaign has done, and leaves literals alone if told so", () => {
    const ids = result.findings.map(({ id }) => id).sort();
    assert.equal(tangent("amplify", "--distance", "3").status, 1);
    result = JSON.parse(readFileSync(join(project, ".tangent/report/results.json"), "utf8"));
    assert.deepEqual(result.findings.map(({ id }) => id).sort(), ids, "from the journal");
    assert.match(tangent("findings").stdout, new RegExp(ids[0]));
    writeFileSync(join(project, "tangent.toml"), 'literals = "off"\n');
    const { status } = test("--again", "--program", "test_table");
    assert.equal(status, 3, "nothing was checked");
    assert.deepEqual(result.findings, []);
    assert.equal(test("--again", "--program", "test_table", "--literals", "on").status, 1);
  });
});
