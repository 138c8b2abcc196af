import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { recordedEnd } from "./recorded-end.js";

const base = mkdtempSync(join(tmpdir(), "tangent-recorded-"));
after(() => rmSync(base, { recursive: true }));

function file(name: string, text = ""): string {
  const path = join(base, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
  return path;
}

test("recorded end: a run's table says it, a finding's folder, our error text, or KLEE's", () => {
  const rows = new Map();
  file("run/tests.csv", "test,end,covers_new,instructions,seconds\ntest000001,exit 3,1,10,0.1\n");
  assert.deepEqual(recordedEnd(file("run/test000001.ktest"), rows), { kind: "end", end: "exit 3" });
  file("findings/001-abort/finding.json", '{"kind":"abort"}');
  assert.deepEqual(recordedEnd(file("findings/001-abort/input.ktest"), rows), { kind: "end", end: "abort" });
  file("ours/test000002.ptr.err", "Error: x\nInfo: \n\tkind: heap-buffer-overflow\n");
  const ours = recordedEnd(file("ours/test000002.ktest"), rows);
  assert.deepEqual(ours, { kind: "end", end: "heap-buffer-overflow" });
  file("klee/test000003.div.err", "Error: divide by zero\n");
  assert.deepEqual(recordedEnd(file("klee/test000003.ktest"), rows), { kind: "klee", suffix: "div" });
});

test("recorded end: without any of these nothing is claimed", () => {
  const rows = new Map();
  assert.equal(recordedEnd(file("alone/test000001.ktest"), rows), null);
  assert.equal(recordedEnd(file("alone/crash-1"), rows), null);
});

test("recorded end: a finding's folder that somebody made up says nothing", () => {
  for (const [name, text] of [
    ["none", "{"],
    ["null", "null"],
    ["list", '{"kind":["x"]}'],
    ["other", '{"kind":"constructor"}'],
  ]) {
    file(`${name}/finding.json`, text);
    assert.equal(recordedEnd(file(`${name}/input.ktest`), new Map()), null);
  }
});
