import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { Journal, type JournalHeader } from "./journal.js";

const folder = mkdtempSync(join(tmpdir(), "tangent-journal-"));
const HEADER: JournalHeader = { tool: "1.0.0", technique: "amplify", settings: { seed: 1, bytes: 5 } };
let files = 0;
const fresh = (): string => join(folder, `${files++}.journal`);

describe("journal", () => {
  after(() => rmSync(folder, { recursive: true, force: true }));

  it("remembers what was done, also when the last line was torn by a kill", () => {
    const path = fresh();
    const first = new Journal(path, HEADER);
    assert.equal(first.isBegunAnew, false);
    first.add("a/0", { memory: { ms: 3 } });
    first.add("b/0", { memory: null });
    appendFileSync(path, '{"item":"c/0","mem');
    const second = new Journal(path, HEADER);
    assert.deepEqual([...second.done.keys()], ["a/0", "b/0"]);
    assert.deepEqual(second.done.get("a/0")?.memory, { ms: 3 });
    assert.deepEqual(second.notes, []);
    second.add("c/0", { memory: 1 });
    assert.deepEqual([...new Journal(path, HEADER).done.keys()], ["a/0", "b/0", "c/0"]);
  });

  it("is begun anew for another version, technique or settings, and says so", () => {
    for (const [other, word] of [
      [{ ...HEADER, tool: "0.9.0" }, /0\.9\.0.*1\.0\.0/],
      [{ ...HEADER, technique: "patch" }, /another technique/],
      [{ ...HEADER, settings: { seed: 2, bytes: 5 } }, /settings \(seed\)/],
      [{ ...HEADER, settings: { seed: 1, bytes: 5, more: 1 } }, /settings/],
    ] as const) {
      const path = fresh();
      new Journal(path, other).add("a", { memory: 1 });
      const journal = new Journal(path, HEADER);
      assert.equal(journal.isBegunAnew, true);
      assert.equal(journal.done.size, 0);
      assert.match(journal.notes[0], word);
      // And from then on it is ours.
      journal.add("b", { memory: 1 });
      assert.deepEqual([...new Journal(path, HEADER).done.keys()], ["b"]);
    }
  });

  it("--again forgets, but what was done stays written down", () => {
    const path = fresh();
    new Journal(path, HEADER).add("a", { memory: 1 });
    const again = new Journal(path, HEADER, true);
    assert.equal(again.done.size, 0);
    again.add("b", { memory: 1 });
    assert.deepEqual([...new Journal(path, HEADER).done.keys()], ["a", "b"]);
  });

  it("of an older format, or with nonsense in it, is not believed", () => {
    const old = fresh();
    writeFileSync(old, '{"task":"a/0","seed":"a","path":"1","ms":1}\n');
    assert.equal(new Journal(old, HEADER).isBegunAnew, true);
    const strange = fresh();
    new Journal(strange, HEADER).add("a", { memory: 1 });
    appendFileSync(strange, 'null\n[]\n{"item":7}\n{"item":""}\nnot json\n{"item":"b","memory":1}\n');
    const journal = new Journal(strange, HEADER);
    assert.deepEqual([...journal.done.keys()], ["a", "b"]);
    assert.match(journal.notes[0], /5 lines/);
  });

  it("a link or a pipe in its place is replaced, not followed and not waited for", () => {
    const target = join(folder, "target");
    writeFileSync(target, "precious");
    const link = fresh();
    symlinkSync(target, link);
    const journal = new Journal(link, HEADER);
    assert.match(journal.notes[0], /link/);
    journal.add("a", { memory: 1 });
    assert.equal(readFileSync(target, "utf8"), "precious");
    assert.deepEqual([...new Journal(link, HEADER).done.keys()], ["a"]);
    const pipe = fresh();
    execFileSync("mkfifo", [pipe]);
    assert.match(new Journal(pipe, HEADER).notes[0], /not a file/);
    assert.ok(statSync(pipe).isFile());
  });

  it("tells once that it cannot be written", () => {
    const path = join(folder, "no-such-folder", "journal");
    const journal = new Journal(path, HEADER);
    assert.match(journal.notes[0], /cannot be written/);
    assert.equal(journal.add("a", { memory: 1 }), null);
  });
});
