// What `npm pack` would put into the package: all that runs, nothing that only we need. The package itself is installed
// and tried by `npm run qualify:package`.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

describe("the package", () => {
  let shipped: ReadonlySet<string> = new Set();
  before(() => {
    // Without scripts: prepack would remove the folder this test runs from.
    const packed = spawnSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
      cwd: ROOT,
      encoding: "utf8",
    });
    assert.equal(packed.status, 0, packed.stderr);
    const [{ files }] = JSON.parse(packed.stdout) as [{ readonly files: readonly { readonly path: string }[] }];
    shipped = new Set(files.map(({ path }) => path));
  });

  it("holds no tests, fixtures, source maps or sources in TypeScript", () => {
    const ours = [...shipped].filter(
      (path) =>
        /\.map$|\.test\.|-fixture\.|\.tsbuildinfo$/.test(path) ||
        (path.endsWith(".ts") && !path.endsWith(".d.ts")) ||
        /^(src|test|bench|scripts|\.github|\.ci|dist\/(test|bench|scripts)|docs\/(results|plots))\//.test(path),
    );
    assert.deepEqual(ours, []);
  });

  it("holds every module that a module in it imports", () => {
    const missing: string[] = [];
    for (const path of shipped) {
      if (!path.endsWith(".js")) continue;
      const text = readFileSync(join(ROOT, path), "utf8");
      for (const [, target] of text.matchAll(/(?:from|import\(|new URL\()\s*"(\.[^"]+\.js)"/g)) {
        const file = normalize(join(dirname(path), target));
        if (!shipped.has(file)) missing.push(`${path} needs ${file}`);
      }
    }
    assert.deepEqual(missing, []);
  });

  it("holds the launcher, the whole runtime, the demo, the schema, and what a reader looks for first", () => {
    const wanted = [
      "bin/tangent",
      "bin/start.cjs",
      "dist/src/cli/main.js",
      "dist/src/index.js",
      "dist/src/index.d.ts",
      "demo/bugs.json",
    ];
    wanted.push("examples/inventory.c", "docs/tangent.schema.json", "README.md", "LICENSE", "CHANGELOG.md");
    for (const folder of ["runtime", "demo/larder"]) {
      for (const entry of readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })) {
        if (entry.isFile()) wanted.push(normalize(join(entry.parentPath, entry.name)).slice(ROOT.length));
      }
    }
    assert.deepEqual(
      wanted.filter((path) => !shipped.has(path)),
      [],
    );
  });
});
