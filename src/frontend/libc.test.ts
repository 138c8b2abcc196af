import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { openCache } from "./cache.js";
import { type CompileProgress, openLibc } from "./libc.js";
import { findToolchain, type Toolchain } from "./toolchain.js";

const folder = mkdtempSync(join(tmpdir(), "tangent-libc-test-"));
after(() => rmSync(folder, { recursive: true }));
const cache = openCache(join(folder, "cache"));

function theToolchain(): Toolchain {
  const found = findToolchain({ env: {} });
  if (found.kind === "missing") assert.fail(found.message);
  return found.toolchain;
}

function open(toolchain = theToolchain()) {
  return openLibc({ toolchain, cache, env: process.env, jobs: 2 });
}

test("libc: what was prepared is compiled once, with progress, and comes from the cache the next time", async () => {
  const seen: CompileProgress[] = [];
  const first = open();
  assert.deepEqual(await first.prepare(["strcpy"], (progress) => seen.push(progress)), { kind: "ready" });
  const total = first.index.closure(["strcpy"]).length;
  assert.deepEqual(
    seen.map(({ done }) => done),
    Array.from({ length: total }, (_, k) => k + 1),
  );
  const again: CompileProgress[] = [];
  const second = open();
  assert.deepEqual(await second.prepare(["strcpy"], (progress) => again.push(progress)), { kind: "ready" });
  assert.deepEqual(again, []);
  const fn = second.module("strcpy")?.globals.get("strcpy");
  assert.equal(fn?.kind, "function");
  assert.equal(fn?.isDeclaration, false);
});

test("libc: one source is one module, whichever of its symbols is asked for", () => {
  const libc = open();
  assert.equal(libc.module("strcpy"), libc.module("strcat"));
  assert.equal(libc.module("strcpy")?.origin, "runtime");
  assert.equal(libc.module("__tangent_memcpy")?.origin, "trusted");
  assert.equal(libc.module("no_such_function"), null);
});

test("libc: what was not prepared is compiled when it is asked for", () => {
  const module = open().module("abs");
  assert.equal(module?.globals.get("abs")?.isDeclaration, false);
});

test("libc: a compiler that fails is reported with the source and the command", async () => {
  const toolchain = theToolchain();
  const broken = { ...toolchain, clang: { file: "/bin/false", args: [] }, identity: "broken" };
  const result = await open(broken).prepare(["qsort"]);
  assert.equal(result.kind, "failed");
  assert.match(result.kind === "failed" ? result.message : "", /libc\/sort\.c.*\n.*\/bin\/false/s);
});
