import assert from "node:assert/strict";
import { test } from "node:test";
import { renderCampaignLcov } from "./campaign-lcov.js";
import type { CampaignResult } from "./campaign-result.js";
import { deepFixture } from "./compose-fixture.js";
import { renderComposition } from "./compose-text.js";
import { renderFindingText } from "./finding-text.js";
import { renderPage } from "./html/page.js";
import { renderJunit } from "./junit.js";
import { renderMarkdown } from "./markdown.js";
import { patchInput, patchResult } from "./patch-fixture.js";
import type { PatchCampaignResult } from "./patch-result.js";
import { parseResult } from "./result-file.js";
import { finding as anyFinding, HOSTILE_SOURCE, result } from "./result-fixture.js";
import { isResultFinding } from "./result-shape.js";
import { renderSarif } from "./sarif.js";

const ODD: readonly unknown[] = [
  null,
  -1,
  1.5,
  9e15,
  1e308,
  "",
  "../../x",
  "'; touch /tmp/x; '",
  [],
  [null],
  {},
  { length: 3 },
  true,
];

/** Every value inside of a value, as the path to it. */
function* paths(value: unknown, at: readonly string[] = []): Generator<readonly string[]> {
  if (at.length > 0) yield at;
  if (typeof value !== "object" || value === null) return;
  // Of long lists the first is as good as all.
  for (const name of Object.keys(value).slice(0, 60)) {
    yield* paths((value as { readonly [name: string]: unknown })[name], [...at, name]);
  }
}

function replaced(value: unknown, path: readonly string[], by: unknown): unknown {
  if (path.length === 0) return by;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
  copy[path[0]] = replaced(copy[path[0]], path.slice(1), by);
  return copy;
}

test("result shape: whatever stands in the place of a value, it is told or shown, and never an exception", () => {
  for (const whole of [result(), patchResult(), deepFixture()]) {
    const { accepted, refused } = tried(whole);
    assert.ok(accepted > 100 && refused > 500, `${whole.technique}: ${accepted} accepted, ${refused} refused`);
  }
});

/** Each value replaced by each odd one, in turn. */
function tried(whole: CampaignResult): { readonly accepted: number; readonly refused: number } {
  let accepted = 0;
  let refused = 0;
  for (const path of paths(whole)) {
    for (const odd of ODD) {
      const read = parseResult(JSON.stringify(replaced(whole, path, odd)), "r.json");
      if (read.kind === "unreadable") {
        refused++;
        continue;
      }
      accepted++;
      for (const render of [renderPage, renderMarkdown]) {
        assert.equal(typeof render(read.result, { readSource: () => HOSTILE_SOURCE }), "string", path.join("."));
      }
      for (const render of [renderSarif, renderJunit, renderCampaignLcov]) {
        assert.equal(typeof render(read.result), "string", path.join("."));
      }
      if (read.result.technique === "compose") assert.equal(typeof renderComposition(read.result, true), "string");
      for (const finding of read.result.findings) {
        assert.ok(/^[0-9a-f]+$/.test(finding.id));
        renderFindingText(finding, { colour: false, shown: (name) => name, readSource: () => HOSTILE_SOURCE });
      }
    }
  }
  return { accepted, refused };
}

test("result shape: what a patch refers to is there, and bytes are bytes", () => {
  const whole = patchResult();
  const readable = (parts: Partial<PatchCampaignResult>): string =>
    parseResult(JSON.stringify({ ...whole, ...parts }), "r.json").kind;
  assert.equal(readable({}), "result");
  assert.equal(readable({ inputs: [] }), "unreadable");
  assert.equal(readable({ targets: [] }), "unreadable");
  assert.equal(readable({ inputs: [patchInput({ stdin: "'; x" })] }), "unreadable");
  assert.equal(readable({ inputs: [patchInput({ id: "../x" })] }), "unreadable");
  assert.equal(readable({ inputs: [patchInput({ tree: [{ kind: "file", path: "/x" }] })] }), "unreadable");
});

test("result shape: what goes into names of files and into scripts is no text that anybody chose", () => {
  const finding = anyFinding();
  assert.equal(isResultFinding(finding), true);
  assert.equal(isResultFinding({ ...finding, id: "../../etc/x" }), false);
  assert.equal(isResultFinding({ ...finding, kind: '"; touch /tmp/x; "' }), false);
  assert.equal(isResultFinding({ ...finding, kind: "toString" }), false);
});
