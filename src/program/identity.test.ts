import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, describe, it } from "node:test";
import { engineIdentity, PACKAGE_IDENTITY } from "./identity.js";

const folder = mkdtempSync(join(tmpdir(), "tangent-identity-"));
after(() => rmSync(folder, { recursive: true }));

/** npm gives every file of a package this time. */
const NPM_TIME = new Date("1985-10-26T08:15:00.000Z");

function place(name: string, files: Readonly<Record<string, string>>): string {
  const root = join(folder, name);
  for (const [path, text] of Object.entries({ "package.json": '{"version":"1.2.3"}', ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    utimesSync(join(root, path), NPM_TIME, NPM_TIME);
  }
  return root;
}

describe("the identity of a build", () => {
  it("two packages of one version and different code differ; the same code at two places is the same", () => {
    const files = { "runtime/trusted/heap.c": "one" };
    const first = engineIdentity(place("first", { ...files, [PACKAGE_IDENTITY]: "aaaa\n" }));
    const second = engineIdentity(place("second", { ...files, [PACKAGE_IDENTITY]: "bbbb\n" }));
    const again = engineIdentity(place("again", { ...files, [PACKAGE_IDENTITY]: "aaaa\n" }));
    assert.notEqual(first, second);
    assert.equal(first, again);
    assert.match(first, /^1\.2\.3 /);
  });

  it("in a working tree a rebuild and an edit of the runtime count, whatever an earlier npm pack has left", () => {
    const files = { [PACKAGE_IDENTITY]: "aaaa\n", "dist/.tsbuildinfo": "{}", "runtime/trusted/heap.c": "one" };
    const before = engineIdentity(place("tree", files));
    assert.equal(engineIdentity(place("tree", files)), before);
    assert.notEqual(engineIdentity(place("tree", { ...files, "dist/.tsbuildinfo": "{ }" })), before);
    assert.notEqual(engineIdentity(place("tree", { ...files, "runtime/trusted/heap.c": "other" })), before);
    assert.notEqual(engineIdentity(place("tree", { ...files, "runtime/trusted/new.c": "" })), before);
  });

  it("without either the runtime's files still count", () => {
    const before = engineIdentity(place("bare", { "runtime/libc/string.c": "one" }));
    assert.notEqual(engineIdentity(place("bare", { "runtime/libc/string.c": "other" })), before);
  });
});
