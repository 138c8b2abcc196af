import assert from "node:assert/strict";
import { test } from "node:test";
import { runChecked } from "../findings/check.js";
import { FAULTS } from "../jit/boundary.js";
import { DEFAULT_OPTIONS } from "../vm/run-options.js";
import { callHost, NO_VALUES, tinyImage } from "../vm/tiny-module.js";
import { runJson } from "./json.js";

test("json: a run is one value that survives being written and read, with its version", () => {
  const body = callHost("fault", FAULTS.write, 8, 0, 4);
  const image = tinyImage([{ name: "main", signature: NO_VALUES, body }]);
  const heap = () => ({ findBlock: () => null, liveBlocks: () => [], otherRanges: () => [] });
  const run = runJson(runChecked(image, DEFAULT_OPTIONS, { repeat: "always", leaks: false, heap }));
  const [finding] = run.findings as Record<string, unknown>[];
  assert.equal(run.version, 1);
  assert.deepEqual(run.end, { kind: "finding" });
  assert.equal(finding.kind, "null-dereference");
  assert.equal(finding.cwe, 476);
  assert.equal(finding.confirmed, true);
  assert.deepEqual((finding.location as Record<string, unknown>).function, "main");
  assert.deepEqual(JSON.parse(JSON.stringify(run)), run);
});
