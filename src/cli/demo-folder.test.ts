import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { demoFolder } from "./demo-folder.js";

/** No process has had this number for so long. */
const GONE = JSON.stringify({ pid: 1, started: "0" });

describe("the demo's folder", () => {
  let parent = "";
  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), "tangent-demo-folder-"));
  });
  afterEach(() => rmSync(parent, { recursive: true, force: true }));

  it("is the same each time, and empty", () => {
    const first = demoFolder(parent);
    writeFileSync(join(first, "owner.json"), GONE);
    writeFileSync(join(first, "old"), "");
    assert.equal(demoFolder(parent), first);
    assert.equal(existsSync(join(first, "old")), false);
  });

  it("is another one while a demo is at work in it", () => {
    const first = demoFolder(parent);
    writeFileSync(join(first, "mine"), "");
    const second = demoFolder(parent);
    assert.notEqual(second, first);
    assert.ok(existsSync(join(first, "mine")));
  });

  it("empties nothing that is not a demo's: a folder without its note, one that others may write to, a link", () => {
    const usual = demoFolder(parent);
    const strange: (() => void)[] = [
      () => mkdirSync(usual, { mode: 0o700 }),
      () => {
        mkdirSync(usual, { mode: 0o700 });
        writeFileSync(join(usual, "owner.json"), '{"pid":');
      },
      () => {
        mkdirSync(join(parent, "other"), { mode: 0o700 });
        writeFileSync(join(parent, "other", "owner.json"), GONE);
        symlinkSync(join(parent, "other"), usual);
      },
    ];
    for (const make of strange) {
      rmSync(usual, { recursive: true });
      make();
      const before = readdirSync(usual);
      assert.notEqual(demoFolder(parent), usual);
      assert.deepEqual(readdirSync(usual), before);
    }
  });
});
