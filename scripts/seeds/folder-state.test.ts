import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { folderState, stateDifferences, withChanges } from "./folder-state.js";

const folder = mkdtempSync(join(tmpdir(), "tangent-state-"));
after(() => rmSync(folder, { recursive: true }));
const NOTHING = new Uint8Array(0);

test("folder state: what a run would have changed is what the same run has changed", () => {
  mkdirSync(join(folder, "d/e"), { recursive: true });
  for (const name of ["d/e/gone", "kept", "written"]) writeFileSync(join(folder, name), "old");
  const before = folderState(folder);
  const at = (name: string): string => join(folder, name);
  const told = [
    { path: at("d"), kind: "removed", bytes: NOTHING, size: 0, mode: 0 },
    { path: at("written"), kind: "file", bytes: Buffer.from("new"), size: 3, mode: 0o600 },
    { path: at("link"), kind: "link", bytes: Buffer.from("kept"), size: 4, mode: 0 },
    { path: at("made"), kind: "directory", bytes: NOTHING, size: 0, mode: 0o750 },
    { path: "/elsewhere", kind: "file", bytes: NOTHING, size: 0, mode: 0o644 },
  ] as const;
  const predicted = withChanges(before, told, folder);

  rmSync(at("d"), { recursive: true });
  writeFileSync(at("written"), "new");
  chmodSync(at("written"), 0o600);
  symlinkSync("kept", at("link"));
  mkdirSync(at("made"));
  chmodSync(at("made"), 0o750);
  utimesSync(at("kept"), 1, 1);
  assert.deepEqual(stateDifferences(folderState(folder), predicted), []);

  writeFileSync(at("written"), "neu");
  const [other, ...more] = stateDifferences(folderState(folder), predicted);
  assert.equal(other.path, at("written"));
  assert.notEqual(other.one, other.two);
  assert.deepEqual(more, []);
});
