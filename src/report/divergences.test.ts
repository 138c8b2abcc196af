import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { CampaignResult } from "./campaign-result.js";
import { divergencesInWords } from "./divergences.js";
import { renderPage } from "./html/page.js";
import { renderJunit } from "./junit.js";
import { renderMarkdown } from "./markdown.js";
import { result } from "./result-fixture.js";
import { renderSarif } from "./sarif.js";

function withDivergences(divergences: number): CampaignResult {
  const made = result();
  return { ...made, totals: { ...made.totals, divergences } };
}

describe("divergences", () => {
  it("none are no words", () => {
    assert.equal(divergencesInWords(withDivergences(0)), null);
    for (const render of [renderJunit, renderMarkdown, renderSarif]) {
      assert.ok(!render(withDivergences(0)).includes("divergences"));
    }
  });

  it("every report says how many there were", () => {
    for (const render of [renderJunit, renderMarkdown, renderSarif]) {
      assert.match(render(withDivergences(21)), /21 runs took another path than predicted \(divergences\)/);
    }
    assert.match(renderPage(withDivergences(21)), /21<\/span> runs that took another path than predicted/);
  });
});
