import assert from "node:assert/strict";
import { test } from "node:test";
import { pathOf } from "./line-table.js";

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
