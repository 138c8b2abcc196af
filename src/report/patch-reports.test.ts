import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { renderPage } from "./html/page.js";
import { renderJunit } from "./junit.js";
import { renderMarkdown } from "./markdown.js";
import { patchResult, patchTarget, reachResult } from "./patch-fixture.js";
import type { PatchCampaignResult } from "./patch-result.js";
import {
  behaviourInWords,
  byUrgency,
  counterparts,
  headlineOfPatch,
  reasonsOf,
  shareInWords,
  shareOfPatch,
  sourceOf,
} from "./patch-view.js";
import { finding } from "./result-fixture.js";
import { isCampaignResult } from "./result-shape.js";
import { renderSarif } from "./sarif.js";

describe("a patch in words", () => {
  it("counts lines, or targets where there are none", () => {
    assert.equal(
      shareInWords(shareOfPatch(patchResult())),
      "The tests run 1 of 4 changed lines. With Tangent's inputs it is 2. 1 cannot be reached.",
    );
    assert.match(shareInWords(shareOfPatch(reachResult())), /^The tests run 1 of 4 targets\./);
    assert.equal(headlineOfPatch(reachResult()), "2 of 4 targets run");
    assert.equal(headlineOfPatch(patchResult({ behaviour: [], lines: [], targets: [] })), "Nothing to reach");
  });

  it("puts failures of the new version first", () => {
    const { behaviour } = patchResult();
    assert.deepEqual(
      byUrgency(behaviour).map(({ severity }) => severity),
      ["crash", "different"],
    );
    assert.match(behaviourInWords(patchResult()), /^Of 9 inputs .* 2 behave differently, 1 of them fails only since/);
    assert.match(behaviourInWords(patchResult({ behaviour: [] })), /both do the same/);
    assert.match(behaviourInWords(reachResult()), /No input was run by the old version/);
  });

  it("an input of a finding is led to the finding, which is counted once", () => {
    const [, crash] = patchResult().behaviour;
    const found = finding();
    const result = patchResult({ behaviour: [{ ...crash, source: { kind: "finding", id: found.id } }] });
    assert.ok(isCampaignResult(JSON.parse(JSON.stringify(result))));
    assert.ok(sourceOf(result.behaviour[0], result).endsWith(`finding ${found.id}`));
    assert.ok(renderPage(result, { readSource: () => null }).includes(`href="#f-${found.id}"`));
    assert.match(renderJunit(result), /failures="1"/);
    assert.doesNotMatch(renderJunit(result), /tangent behaviour/);
  });

  it("says what is in the way, and that time was short", () => {
    const [, , { state }] = patchResult().targets;
    assert.ok(state.kind === "not-reached");
    assert.deepEqual(
      reasonsOf({ ...state.why, remaining: 1 }, (path) => path),
      [
        "the nearest run turned away at src/a b.c:40: `flag<1` would have to be true",
        "src/a b.c:12: flag is 3 since <here>",
        "1 branch was left to go",
        "the time for it was up: more time may reach it",
      ],
    );
  });
});

describe("words of two commands", () => {
  it("belong together where they are the same, and what is between them if there is as much of it", () => {
    assert.deepEqual(counterparts(["p", "-x", "a"], ["p", "a"]), ["p", "", "a"]);
    assert.deepEqual(counterparts(["p", "a"], ["p", "-x", "a"]), ["p", "a"]);
    assert.deepEqual(counterparts(["p", "b", "c"], ["p", "a", "c"]), ["p", "a", "c"]);
    assert.deepEqual(counterparts(["p", "a"], ["p", "b", "-x"]), ["p", ""]);
    assert.deepEqual(counterparts(["q", "a", "b"], ["p", "a", "b"]), ["p", "a", "b"]);
    assert.deepEqual(counterparts([], ["p"]), []);
    assert.deepEqual(counterparts(["p", "a"], []), ["", ""]);
    const many = Array.from({ length: 600 }, (_, at) => String(at));
    assert.deepEqual(counterparts(many, many.slice(1)).slice(0, 2), ["1", "2"]);
  });
});

describe("a patch in Markdown", () => {
  it("has coverage, what was not reached, behaviour and bugs, with nothing of it as markup", () => {
    const text = renderMarkdown(patchResult());
    assert.match(text, /^### Tangent: 1 input fails only since this patch\n/);
    assert.match(text, /\| src\/a b\.c \| 4 \| 1 \(25\.0.%\) \| 2 \(50\.0.%\) \| 1 \| 1 \|/);
    assert.match(text, /- \*\*src\/a b\.c:4 in compare&lt;files>\*\*: the branch at/);
    assert.ok(text.indexOf("Behaviour that this patch changes") < text.indexOf("#### Not reached"), "failures first");
    assert.match(text, /#### Bugs\n\n1 bug\.\n/);
    assert.doesNotMatch(text.replace(/^```[\s\S]*?^```/gm, ""), /<(b|i|u|img|script|here)>/);
    assert.equal(text.match(/<details/g)?.length, text.match(/<\/details>/g)?.length);
  });

  it("without failures what nobody reached comes first; without anything else it says so", () => {
    const calm = patchResult({ findings: [], behaviour: patchResult().behaviour.slice(0, 1) });
    const text = renderMarkdown(calm);
    assert.ok(text.indexOf("#### Not reached") < text.indexOf("Behaviour that"));
    assert.match(text, /No bugs found\./);
    assert.match(renderMarkdown(reachResult()), /^### Tangent: 2 of 4 targets run\n/);
  });

  it("stays below what code hosts take, and says what it left out", () => {
    const whole = patchResult();
    const long = "y".repeat(5000);
    const targets = Array.from({ length: 500 }, (_, line) => patchTarget(line, { kind: "unreachable", why: long }));
    const findings = Array.from({ length: 300 }, (_, index) => finding({ id: String(index) }));
    const text = renderMarkdown({ ...whole, targets: [...whole.targets, ...targets], findings });
    assert.ok(text.length < 65_000, `${text.length}`);
    assert.match(text, /parts did not fit/);
  });
});

describe("a patch in JUnit", () => {
  it("a target is a case: reached ones pass, others are skipped with the reason; findings and regressions fail", () => {
    const xml = renderJunit(patchResult());
    assert.match(xml, /<testsuites name="tangent" tests="6" failures="2" errors="0" skipped="2"/);
    assert.match(xml, /<testcase classname="src\/a b\.c" name="2:3 compare&lt;files&gt;" time="0\.000"\/>/);
    assert.match(xml, /<system-out>reached by changing the structure .*\n\.\/prog &apos;--&lt;b&gt;brief/);
    assert.match(xml, /<skipped message="not reached: the branch at .*; 2 branches were left to go; the time/);
    assert.match(xml, /<failure type="regression" message="fails only since this patch: \.\/prog --brief">/);
    assert.match(xml, /<failure type="heap-buffer-overflow"/);
    assert.equal(/\p{Cc}/u.test(xml.replaceAll("\n", "")), false);
    assert.doesNotMatch(xml, /<b>|<here>/);
  });

  it("a known finding fails nothing", () => {
    const xml = renderJunit(patchResult({ findings: [finding({ known: true })], behaviour: [] }));
    assert.match(xml, /failures="0"/);
  });
});

interface Log {
  readonly runs: readonly [
    {
      readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
      readonly results: readonly {
        readonly ruleId: string;
        readonly ruleIndex: number;
        readonly level: string;
        readonly message: { readonly text: string };
        readonly locations: readonly { readonly physicalLocation: unknown }[];
        readonly partialFingerprints: { readonly [name: string]: string };
      }[];
    },
  ];
}

describe("a patch in SARIF", () => {
  const log = (result: PatchCampaignResult): Log["runs"][0] => (JSON.parse(renderSarif(result)) as Log).runs[0];

  it("has a note for what nobody reached, in its place", () => {
    const { results, tool } = log(patchResult());
    const notes = results.filter(({ level }) => level === "note");
    assert.deepEqual(
      notes.map(({ ruleId }) => ruleId),
      ["changed-code-not-reached", "changed-code-unreachable"],
    );
    for (const { ruleId, ruleIndex } of results) assert.equal(tool.driver.rules[ruleIndex].id, ruleId);
    assert.deepEqual(notes[0].locations[0].physicalLocation, {
      artifactLocation: { uri: "src/a%20b.c", uriBaseId: "SRCROOT" },
      region: { startLine: 4, startColumn: 3 },
    });
    assert.match(notes[0].message.text, /^Not reached: .*; 2 branches were left to go/);
    assert.equal(results.length, 3);
  });

  it("a note is the same one when code before it moves, and another one for other text", () => {
    const prints = (result: PatchCampaignResult): string[] =>
      log(result).results.flatMap(({ partialFingerprints: { "tangentTarget/v1": print } }) => print ?? []);
    const whole = patchResult();
    const moved: PatchCampaignResult = {
      ...whole,
      targets: whole.targets.map((target) => ({
        ...target,
        line: target.line + 7,
        lines: target.lines.map((line) => line + 7),
      })),
      changes: {
        ...whole.changes,
        files: whole.changes.files.map((file) => ({
          ...file,
          hunks: file.hunks.map((hunk) => ({ ...hunk, newStart: hunk.newStart + 7 })),
        })),
      },
    };
    assert.deepEqual(prints(moved), prints(whole));
    assert.equal(new Set(prints(whole)).size, 2);
  });
});
