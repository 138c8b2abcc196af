// Figures and lists that the documents give and a script can make: what they say is what there is.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, it } from "node:test";
import { KINDS } from "../../src/findings/kinds.js";

const ROOT = resolve(import.meta.dirname, "../../..");
const read = (name: string): string => readFileSync(join(ROOT, name), "utf8");
const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"];
const LARDER = "demo/larder";
const has = (tool: string): boolean => spawnSync(tool, ["--version"], { stdio: "ignore" }).status === 0;

describe("figures of the documents", () => {
  it("the demo's bugs, lines and tests", () => {
    const bugs = (JSON.parse(read("demo/bugs.json")) as readonly unknown[]).length;
    const sources = readdirSync(join(ROOT, LARDER)).filter((name) => /\.[ch]$/.test(name));
    const lines = sources.reduce((all, name) => all + read(`${LARDER}/${name}`).split("\n").length - 1, 0);
    assert.ok(read("README.md").includes(`finds ${NUMBERS[bugs]} bugs next to 26 tests`), `${bugs} bugs`);
    assert.ok(
      read("README.md").includes(`an archive tool of ${Math.round(lines / 100) * 100} lines`),
      `${lines} lines`,
    );
  });

  it("the demo's tests and what they cover", { skip: !has("gcc") || !has("gcov") || !has("make") }, () => {
    const folder = mkdtempSync(join(tmpdir(), "tangent-figures-"));
    try {
      cpSync(join(ROOT, LARDER), folder, { recursive: true });
      const make = (...words: readonly string[]): string =>
        spawnSync("make", ["CC=gcc --coverage -O0", ...words], { cwd: folder, encoding: "utf8" }).stdout;
      assert.match(make("check"), /^26 passed, 0 failed$/m);
      const data = readdirSync(folder).filter((name) => name.endsWith(".gcda"));
      const { stdout } = spawnSync("gcov", ["-n", ...data], { cwd: folder, encoding: "utf8" });
      let all = 0;
      let run = 0;
      for (const [, share, lines] of stdout.matchAll(/File '\w+\.c'\nLines executed:([\d.]+)% of (\d+)/g)) {
        all += Number(lines);
        run += Math.round((Number(share) * Number(lines)) / 100);
      }
      assert.ok(read("README.md").includes(`run ${Math.round((100 * run) / all)} % of its code`), `${run} of ${all}`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("the package's size, within a fifth", () => {
    const words = ["pack", "--dry-run", "--json", "--ignore-scripts"];
    const [{ size }] = JSON.parse(spawnSync("npm", words, { cwd: ROOT, encoding: "utf8" }).stdout) as [
      { size: number },
    ];
    const said = Number(/\[The package\]\(results\/package\.md\) \| ([\d.]+) MB/.exec(read("docs/results.md"))?.[1]);
    assert.ok(Math.abs(size / 1e6 / said - 1) < 0.2, `${size} bytes, ${said} MB said`);
  });

  it("the action's modes", () => {
    const modes = (/^ {10}([\w| ]+)\) ;;$/m.exec(read("action.yml"))?.[1] ?? "").split(" | ");
    const document = read("docs/ci.md");
    assert.ok(document.includes(`has ${NUMBERS[modes.length]} modes:`), String(modes));
    for (const mode of modes) assert.match(document, new RegExp(`^\\| \`${mode}\` \\|`, "m"));
  });

  it("every kind of finding is in the table of severities", () => {
    const document = read("docs/findings.md");
    for (const kind of Object.keys(KINDS)) assert.ok(document.includes(`\`${kind}\``), kind);
  });

  it("every longer check is listed, and none that is not there", () => {
    const { scripts } = JSON.parse(read("package.json")) as { readonly scripts: Readonly<Record<string, string>> };
    const checks = (names: Iterable<string>): string[] => [...new Set(names)].sort();
    const listed = Array.from(
      read("CONTRIBUTING.md").matchAll(/`(?:npm run )?((?:qualify|bench|verify):[\w-]+)/g),
      ([, name]) => name,
    );
    assert.deepEqual(
      checks(listed),
      checks(Object.keys(scripts).filter((name) => /^(qualify|bench|verify):/.test(name))),
    );
  });
});
