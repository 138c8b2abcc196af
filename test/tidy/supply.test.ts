// What others deliver: packages as the lock file has them, and actions by the hash of a commit, since
// whoever owns a tag can move it.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, it } from "node:test";

const ROOT = resolve(import.meta.dirname, "../../..");
const read = (name: string): string => readFileSync(join(ROOT, name), "utf8");

interface Package {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly resolved?: string;
}

describe("what others deliver", () => {
  it("the lock file agrees with package.json and names no registry", () => {
    const lock = JSON.parse(read("package-lock.json")) as { readonly packages: Readonly<Record<string, Package>> };
    const manifest = JSON.parse(read("package.json")) as Readonly<Record<string, unknown>>;
    const { "": root, ...packages } = lock.packages;
    for (const [field, value] of Object.entries(root)) assert.deepEqual(value, manifest[field], field);
    for (const [place, { dependencies, resolved }] of Object.entries(packages)) {
      assert.equal(resolved, undefined, place);
      for (const name of Object.keys(dependencies ?? {})) {
        const isThere = `${place}/node_modules/${name}` in packages || `node_modules/${name}` in packages;
        assert.ok(isThere, `${place} needs ${name}, which the lock file lacks`);
      }
    }
    assert.match(read(".npmrc"), /^omit-lockfile-registry-resolved=true$/m);
  });

  it("actions are named by a commit, with the tag beside it", () => {
    const workflows = readdirSync(join(ROOT, ".github/workflows")).map((name) => `.github/workflows/${name}`);
    for (const name of ["action.yml", ...workflows]) {
      const used = read(name).match(/uses:.*/g) ?? [];
      assert.notEqual(used.length, 0, name);
      for (const use of used) assert.match(use, /^uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/, name);
    }
  });
});
