import assert from "node:assert/strict";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { InputSpace } from "../concolic/input-space.js";
import { SavedInputs } from "./saved-inputs.js";

const folder = mkdtempSync(join(tmpdir(), "tangent-saved-"));
after(() => rmSync(folder, { recursive: true }));

test("saved inputs: another process gives every object the same variables and defaults", () => {
  const path = join(folder, "a");
  const space = new InputSpace();
  const saved = new SavedInputs(path, space);
  space.declare("stdin", 0, 4);
  saved.update();
  space.seed([{ name: "x", occurrence: 1, bytes: Uint8Array.of(9, 8) }]);
  space.declare("x", 1, 2);
  space.declare("x", 0, 2);
  saved.update();
  saved.update();
  const other = new InputSpace();
  other.declare("stdin", 0, 4);
  assert.equal(new SavedInputs(path, other).restore(), "restored");
  assert.deepEqual(other.objects, space.objects);
  assert.deepEqual(other.defaults, space.defaults);
  assert.equal(readFileSync(path, "utf8").split("\n").length, 4);
});

test("saved inputs: a torn last line is left out, and what comes after is whole", () => {
  const path = join(folder, "b");
  const space = new InputSpace();
  space.declare("a", 0, 1);
  new SavedInputs(path, space).update();
  appendFileSync(path, '{"name":"b","occ');
  const other = new InputSpace();
  const saved = new SavedInputs(path, other);
  assert.equal(saved.restore(), "restored");
  assert.equal(other.objects.length, 1);
  other.declare("c", 0, 1);
  saved.update();
  const third = new InputSpace();
  assert.equal(new SavedInputs(path, third).restore(), "restored");
  assert.deepEqual(
    third.objects.map(({ name }) => name),
    ["a", "c"],
  );
});

test("saved inputs: a space that already has other objects is refused", () => {
  const path = join(folder, "c");
  const space = new InputSpace();
  space.declare("a", 0, 1);
  new SavedInputs(path, space).update();
  const other = new InputSpace();
  other.declare("b", 0, 1);
  assert.equal(new SavedInputs(path, other).restore(), "changed");
});

test("saved inputs: a line that makes no sense is damage, since those after it would be other variables", () => {
  const path = join(folder, "d");
  const space = new InputSpace();
  space.declare("a", 0, 1);
  new SavedInputs(path, space).update();
  for (const line of ['{"name":"b","occ{"name":"b"}', '{"name":"b"}', "null"]) {
    const good = readFileSync(path, "utf8").split("\n")[0];
    writeFileSync(path, `${good}\n${line}\n`);
    assert.equal(new SavedInputs(path, new InputSpace()).restore(), "damaged", line);
  }
});
