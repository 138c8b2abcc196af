// The architecture as a test: layers, file sizes, opening comments, dead files, and the rules no linter has.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const SOURCE = join(ROOT, "src");

/** A folder imports only from itself and from folders before it. */
const LAYERS = [
  ...["support", "expr", "solver", "ir", "frontend", "jit", "program", "vm", "inputs", "findings"],
  ...["path", "concolic", "search", "engine", "project", "campaign", "techniques", "report", "jobs", "cli"],
];

/** Beyond this a file is more than one idea. */
const MAX_LINES = 620;

/** Started by name: the command line's entry, the public interface, the run's thread. */
const ENTRY_POINTS = new Set([
  "index.ts",
  "cli/main.ts",
  "findings/run-worker.ts",
  "jobs/explore-worker.ts",
  "jobs/campaign-worker.ts",
]);

function filesBelow(folder: string, ending: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

const files = read(filesBelow(SOURCE, ".ts").filter((path) => !path.endsWith(".d.ts")));
const others = ["test", "bench", "scripts"].flatMap((folder) => read(filesBelow(join(ROOT, folder), ".ts")));

function read(paths: readonly string[]): { name: string; text: string; imports: string[] }[] {
  return paths.map(readOne);
}
function readOne(path: string): { name: string; text: string; imports: string[] } {
  const text = readFileSync(path, "utf8");
  const imports = Array.from(text.matchAll(/(?:from|import\(|new URL\()\s*"(\.[^"]+)\.js"/g), (match) =>
    relative(SOURCE, resolve(dirname(path), `${match[1]}.ts`)),
  );
  return { name: relative(SOURCE, path), text, imports };
}

describe("tidy", () => {
  it("there is something to look at", () => {
    assert.ok(files.length > 50);
  });

  it("a folder imports only from folders before it in the list of layers", () => {
    const wrong: string[] = [];
    for (const { name, imports } of files) {
      if (!name.includes("/")) continue;
      const layer = LAYERS.indexOf(name.split("/")[0]);
      if (layer < 0) wrong.push(`${name} is in no known layer`);
      for (const target of imports) {
        if (LAYERS.indexOf(target.split("/")[0]) > layer) wrong.push(`${name} imports ${target}`);
      }
    }
    assert.deepEqual(wrong, []);
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
    const used = new Set([...files, ...others].flatMap(({ imports }) => imports));
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
