// Documents that people can read: lines short enough for a screen, and nothing in them that leads out of the repository.
// Tables may be longer, because a row is one line.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const MAX_COLUMNS = 120;
/** Three printed pages. */
const MAX_ARCHITECTURE_LINES = 180;

/** The documents, by their paths from the root. */
function documents(): string[] {
  const below = readdirSync(join(ROOT, "docs"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".md"))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
  return ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", ...below.sort()];
}

function linesOf(path: string): string[] {
  return readFileSync(join(ROOT, path), "utf8").split("\n");
}

describe("documents", () => {
  it("have no line that is wider than a screen, but for tables", () => {
    const long = documents().flatMap((path) =>
      linesOf(path).flatMap((line, i) =>
        line.startsWith("|") || Array.from(line).length <= MAX_COLUMNS ? [] : [`${path}:${i + 1}`],
      ),
    );
    assert.deepEqual(long, []);
  });

  it("name nothing outside of the repository", () => {
    const folders = ["src", "test", "bench", "scripts", "runtime"].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && /\.(ts|c|h)$/.test(entry.name))
        .map((entry) => relative(ROOT, join(entry.parentPath, entry.name))),
    );
    // In two parts, or this file would be found.
    const outside = new RegExp(["\\.\\./sha", "red/|\\bDESI", "GN\\b"].join(""));
    const wrong = [...documents(), ...folders].flatMap((path) =>
      linesOf(path).flatMap((line, i) => (outside.test(line) ? [`${path}:${i + 1}`] : [])),
    );
    assert.deepEqual(wrong, []);
  });

  it("tell the architecture in three pages", () => {
    const { length } = linesOf("docs/architecture.md");
    assert.ok(length <= MAX_ARCHITECTURE_LINES, `docs/architecture.md has ${length} lines`);
  });

  it("lead from the index of results to every page of it", () => {
    const index = linesOf("docs/results.md").join("\n");
    const missing = readdirSync(join(ROOT, "docs", "results")).filter((name) => !index.includes(`](results/${name})`));
    assert.deepEqual(missing, []);
  });
});
