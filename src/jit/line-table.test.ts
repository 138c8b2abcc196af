import assert from "node:assert/strict";
import { test } from "node:test";
import type { DebugLoc } from "../ir/debug-info.js";
import { LineTable, NO_LOCATION, pathOf } from "./line-table.js";

test("line table: a file has one name, however the build that compiled it calls it", () => {
  const named = (file: string, directory: string): string =>
    pathOf({ functionName: "f", line: 1, column: 1, file, directory });
  assert.equal(named("../lib/a.c", "/project/build"), "/project/lib/a.c");
  assert.equal(named("lib/a.c", "/project"), "/project/lib/a.c");
  assert.equal(named("/project/build/../lib/./a.c", "/elsewhere"), "/project/lib/a.c");
  assert.equal(named("./a.c", ""), "a.c");
  assert.equal(named("../lib/a.c", ""), "../lib/a.c");
  assert.equal(named("", "/project"), "");
});

test("line table: code whose location says nothing is nowhere, not where the code before it is", () => {
  const told = { functionName: "f", line: 1, column: 1, file: "/a.c", directory: "" };
  const loc = (id: number): DebugLoc =>
    ({ id, inlinedAt: null, debug: { frame: (one: number) => (one === 1 ? told : null) } }) as DebugLoc;
  const lines = new LineTable(() => "program");
  lines.add(0, loc(1));
  lines.add(10, loc(2));
  lines.add(20, loc(1));
  assert.deepEqual([...lines.finish().codeLocations], [0, NO_LOCATION, 0]);
});
