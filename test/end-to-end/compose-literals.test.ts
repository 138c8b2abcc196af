// Composition on the tests of a library, whose inputs are literals in the tests' own sources: a function of the library that fails by itself
// is led up to a literal of a test. What the tests' own code does with changed literals is no finding.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import type { ComposeCampaignResult } from "../../src/report/compose-result.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const SOURCES = ["src/pair.c", "src/amounts.c", "src/wide.c"];
const PROGRAMS = ["test_table", "fixed_table", "test_own"];

describe("composition on literals of a library's tests", () => {
  let project = "";
  const tangent = (...words: string[]) =>
    spawnSync("sh", [join(ROOT, "bin/tangent"), ...words], { cwd: project, encoding: "utf8" });
  const compose = (...options: string[]): ComposeCampaignResult => {
    const { stderr } = tangent("compose", "--time", "40s", "--again", ...options);
    assert.doesNotMatch(stderr, /TypeError|error of tangent's own/);
    return JSON.parse(readFileSync(join(project, ".tangent/report/results.json"), "utf8"));
  };
  const failing = (text: string): number =>
    readFileSync(join(project, "src/pair.c"), "utf8")
      .split("\n")
      .findIndex((line) => line.includes(text)) + 1;

  before(() => {
    project = mkdtempSync(join(tmpdir(), "tangent-composed-literals-"));
    cpSync(join(ROOT, "test/programs/literals"), project, { recursive: true });
    for (const program of PROGRAMS) {
      const [kind, name] = program.split("_");
      const options = ["-g", ...(kind === "fixed" ? ["-DFIXED"] : []), "-o", program];
      const built = tangent("cc", ...options, `tests/test_${name}.c`, ...SOURCES);
      assert.equal(built.status, 0, built.stderr);
    }
    writeFileSync(join(project, "tests.sh"), PROGRAMS.map((program) => `./${program}\n`).join(""));
    assert.equal(tangent("record", "--", "sh", "tests.sh").status, 0);
  });
  after(() => rmSync(project, { recursive: true, force: true }));

  it("leads a failing function up to a literal, which the finding names, and tells it once", () => {
    const { findings, targets, totals } = compose("--function", "pair_parse");
    const line = failing("hidden[k] = value[k]");
    assert.deepEqual(
      findings.map(({ program, location, by }) => [program.split("/").at(-1), location?.line, by]),
      [["test_table", line, "unit"]],
    );
    const [{ id, seedId, isMade }] = findings;
    assert.equal(isMade, undefined, "its test is the recorded one");
    assert.match(tangent("seeds").stdout, new RegExp(seedId.slice(0, 8)));
    assert.equal(totals.units, 1, "one function, in however many programs");
    assert.deepEqual(
      targets.map(({ state, line: at }) => [state.kind, at]),
      [["lifted", line]],
    );
    assert.match(tangent("show", id).stdout, /literal at (tests\/)?test_table\.c:\d+/);
    assert.match(tangent("replay", id).stdout, /stack-buffer-overflow/);
  });

  it("a function by itself is explored as the tests call it, with the literals that it is given free", () => {
    const { stdout, stderr } = tangent("unit", "pair_parse", "test_table", "--json", "-", "--quiet");
    assert.notEqual(stdout, "", stderr);
    const { failures } = JSON.parse(stdout) as { failures: readonly { readonly start: { readonly kind: string } }[] };
    assert.deepEqual(
      failures.map(({ start }) => start.kind),
      ["input"],
    );
  });

  it("explores and edits tests with their literals, where functions are left alone", () => {
    const { findings } = compose("--without", "units", "--program", "test_table");
    assert.ok(findings.some(({ program }) => program.endsWith("/test_table")));
    assert.deepEqual([...new Set(findings.map(({ location }) => location?.file?.split("/").at(-1)))], ["pair.c"]);
    assert.ok(findings.every(({ program }) => !program.endsWith("/fixed_table")));
  });

  it("leaves them alone if it is told so", () => {
    const { findings } = compose("--literals", "off", "--function", "pair_parse");
    assert.deepEqual(findings, []);
  });
});
