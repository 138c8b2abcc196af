import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { safeOutput } from "../support/visible-text.js";
import {
  CONTRADICTED,
  composeResult,
  composeTarget,
  condition,
  deepFixture,
  LIFTED,
  notLifted,
} from "./compose-fixture.js";
import { renderComposition } from "./compose-text.js";
import {
  argumentsText,
  chainOfFinding,
  composedNothing,
  notLiftedOf,
  obstacleInWords,
  obstaclesOf,
  reasonOf,
} from "./compose-view.js";
import { pathsBelow } from "./finding-view.js";
import { renderPage } from "./html/page.js";
import { renderJunit } from "./junit.js";
import { renderMarkdown } from "./markdown.js";
import { parseResult } from "./result-file.js";
import { finding } from "./result-fixture.js";
import { renderSarif } from "./sarif.js";

const shown = pathsBelow("/project");

describe("why a failure was not lifted, in words", () => {
  it("names what is needed, what every way has instead, and where that is checked", () => {
    const obstacle = { caller: "parse", file: "/project/src/parse.c", line: 10, state: CONTRADICTED };
    assert.equal(
      obstacleInWords(obstacle, shown),
      "needs len > 64, but every explored way to the call in parse has len <= 64 (src/parse.c:120)",
    );
    const many = Array.from({ length: 6 }, (_, at) => condition(`x != ${at}`));
    assert.match(
      obstacleInWords({ ...obstacle, state: { ...CONTRADICTED, against: many } }, shown),
      /x != 3 and 2 more$/,
    );
    assert.match(
      obstacleInWords({ ...obstacle, state: { ...CONTRADICTED, against: [] } }, shown),
      /needs len > 64, but no explored way to the call in parse allows it$/,
    );
  });

  it("does without words that are not known, and says what is no decision of the program's", () => {
    const obstacle = (state: Partial<typeof CONTRADICTED>) => ({
      ...{ caller: "./prog", file: null, line: 0 },
      state: { ...CONTRADICTED, ...state },
    });
    assert.equal(
      obstacleInWords(obstacle({ needed: [], against: [condition("", 17), condition("", 17)] }), shown),
      "every explored way to the call in the test ./prog is decided against it at src/parse.c:17",
    );
    const pin = { ...condition("n == 0", 7), kind: "pin" } as const;
    assert.match(
      obstacleInWords(obstacle({ against: [pin, condition("n < 4", 17)] }), shown),
      /has n < 4 \(src\/parse\.c:17\) and n == 0 \[only this value was tried\] \(src\/parse\.c:7\)$/,
    );
  });

  it("says the most telling of several callers first, and counts the others", () => {
    const [target] = notLiftedOf(composeResult({ targets: [notLifted({ kind: "not-called" }, CONTRADICTED)] }));
    assert.match(reasonOf(target, shown), /^needs len > 64, .*; 1 more caller beside that$/);
    const test = { caller: "./prog x", file: null, line: 0, state: { ...CONTRADICTED, against: [] } };
    const caller = { ...test, caller: "parse", file: "/project/src/parse.c", line: 10 };
    const last = { ...caller, caller: "check", state: CONTRADICTED };
    const state = { kind: "not-lifted", callers: [test, caller, last] } as const;
    const [mixed] = notLiftedOf(composeResult({ targets: [{ ...target, state }] }));
    assert.deepEqual(
      obstaclesOf(mixed).map(({ caller: name }) => name),
      ["check", "parse", "./prog x"],
    );
    assert.match(reasonOf(mixed, shown), /in check has len <= 64 .*; 2 more callers or tests beside that$/);
    const [alone] = notLiftedOf(composeResult({ targets: [notLifted()] }));
    assert.equal(reasonOf(alone, shown), "no function that was explored calls it");
  });

  it("puts failures with a contradiction before those of which little is known", () => {
    const targets = [notLifted(), notLifted({ kind: "not-called" }), notLifted(CONTRADICTED)];
    const order = notLiftedOf(composeResult({ targets }));
    assert.deepEqual(order, [targets[2], targets[1], targets[0]]);
  });
});

describe("a composition in the terminal", () => {
  it("shows of a large value its beginning only", () => {
    const value = `{${"0x2e, ".repeat(64)}0}`;
    const link = { function: 0, name: "f", file: null, line: 0, condition: [], arguments: [{ words: "grid", value }] };
    assert.equal(argumentsText(link), `grid = ${value.slice(0, 60)}…`);
  });

  it("has the chain, main first, then what was not lifted and why, then the sum of it", () => {
    const text = renderComposition(composeResult(), false);
    assert.match(
      text,
      /Heap buffer overflow at src\/copy\.c:12 in copy \(tangent show c0ffee000001\)\n {6}main \(src\/parse\.c:40\), for example argv\[1\] = "<script>\\u202e"\n {4}> parse \(src\/parse\.c:10\): text\[0\] == '\[' && size > 66\n {4}> copy .*: len > 64\n/,
    );
    assert.match(
      text,
      /no caller was shown to allow it[^\n]*\n {2}Heap buffer overflow at src\/copy\.c:12 in copy: len > 64\n/,
    );
    assert.match(text, /every explored way to the call in other<i>4 has len <= 64 \(src\/parse\.c:120\)/);
    assert.match(text, /1 failure of a function was not tried on all callers/);
    assert.match(text, /4 of 5 functions tested by themselves, 4 failing lines, 1 of them shown by an input/);
    assert.match(
      text,
      /functions by themselves 3\.0 s, callers 900 ms, whole inputs 400 ms, running the tests 300 ms, edits towards conditions 200 ms\n$/,
    );
    assert.equal(text.includes("\x1b"), false);
    assert.ok(safeOutput(renderComposition(composeResult(), true)).includes("\x1b[1mmain\x1b[0m"));
  });

  it("is short where there is nothing, and cut where there is much", () => {
    const nothing = composeResult({ targets: [], findings: [] });
    const totals = { ...nothing.totals, targets: 0, lifted: 0 };
    assert.match(
      renderComposition({ ...nothing, totals }, false),
      /^4 of 5 functions tested by themselves, no failing line\n/,
    );
    const many = composeResult({ targets: Array.from({ length: 100 }, () => notLifted(CONTRADICTED)) });
    assert.match(renderComposition(many, false), /\.\.\. 80 more in the report/);
  });
});

describe("a composition in the other reports", () => {
  it("says that nothing was checked where no function came to be tested", () => {
    const { totals } = composeResult();
    const nothing = composeResult({ findings: [], targets: [], totals: { ...totals, units: 0, queries: 0 } });
    assert.match(composedNothing(nothing)?.why ?? "", /none of \d+ functions? came to be tested/);
    assert.match(renderMarkdown(nothing), /^### Tangent: nothing was checked/);
    assert.match(renderPage(nothing), /Nothing was checked/);
    assert.equal(composedNothing(composeResult({ findings: [] })), null);
    assert.equal(composedNothing(composeResult()), null);
  });

  it("says how many tests could not be run and why, and that finding nothing says nothing if it is all of them", () => {
    const ended = (why: string, tests: number) => [{ why, tests, example: "./prog x" }];
    const cut = (tests: number) => ended("it was cut short by the limit of time", tests);
    const broken = ended("it ended at asm, which is not supported", 2);
    const some = composeResult({ findings: [], unfinished: cut(1) });
    const said = /1 of 2 tests could not be run to its end: it was cut short by the limit of time /;
    assert.equal(composedNothing(some), null);
    assert.match(renderMarkdown(some), /^### Tangent: no bugs found\n/);
    for (const text of [renderComposition(some, false), renderMarkdown(some), renderPage(some)])
      assert.match(text, said);

    assert.equal(composedNothing(composeResult({ findings: [], unfinished: cut(2) })), null, "they did something");

    const all = composeResult({ findings: [], unfinished: broken });
    assert.match(composedNothing(all)?.why ?? "", /^2 of 2 tests could not .* \(2 tests, \.\/prog x for one\)$/);
    assert.match(renderMarkdown(all), /^### Tangent: no test could be run to its end\n\n2 of 2 tests/);
    assert.match(renderPage(all), /No test could be run to its end/);
    assert.match(renderPage(all), /prog x for one\)\. So this says nothing\./);
    assert.doesNotMatch(renderPage(all), /No bugs found/);
    assert.equal(composedNothing(composeResult({ unfinished: broken })), null, "something was found");
    const { amplified } = deepFixture();
    assert.equal(composedNothing({ ...all, ...(amplified === undefined ? {} : { amplified }) }), null);
    assert.equal(parseResult(JSON.stringify(all), "r.json").kind, "result");
  });

  it("JUnit: each finding is a case that fails", () => {
    const xml = renderJunit(composeResult());
    assert.match(xml, /<testsuites name="tangent" tests="1" failures="1" errors="0" skipped="0"/);
    assert.match(xml, /<testcase classname="tangent findings" name="heap-buffer-overflow in main \[c0ffee000001\]"/);
    assert.match(renderJunit(composeResult({ findings: [] })), /tests="0" failures="0"/);
    assert.match(renderJunit(composeResult({ findings: [finding({ known: true })] })), /failures="0"[\s\S]*known: /);
  });

  it("JUnit of tests that were amplified before: they are the cases, and a finding of none of them is one too", () => {
    assert.match(
      renderJunit(deepFixture()),
      /<testsuites name="tangent" tests="2" failures="1" errors="0" skipped="1"/,
    );
    const stranger = { ...deepFixture(), findings: [finding({ seedId: "gone" })] };
    assert.match(renderJunit(stranger), /tests="3" failures="1" errors="0" skipped="1"/);
  });

  it("SARIF: the findings, and nothing of what was not lifted", () => {
    const [run] = JSON.parse(renderSarif(composeResult())).runs;
    assert.equal(run.results.length, 1);
    assert.equal(run.results[0].partialFingerprints["tangentIdentity/v3"], "c0ffee000001");
  });

  it("Markdown: findings with their chains, the others folded; nothing of it is markup", () => {
    const text = renderMarkdown(composeResult());
    assert.match(text, /^### Tangent: 1 bug\n\n4 of 5 functions tested by themselves/);
    assert.match(
      text,
      /`c0ffee000001`: \*\*main\*\* → \*\*parse\*\* \(text&#91;0&#93; == '&#91;' &amp;&amp; size > 66\) → \*\*copy\*\* /,
    );
    assert.match(text, /\| composed \| `c0ffee000001` \|/);
    assert.match(text, /Composed \(a failure of one function/);
    assert.match(text, /<summary>2 failures of functions, but no caller/);
    assert.equal(text.match(/<details>/g)?.length, text.match(/<\/details>/g)?.length);
    assert.ok(!text.includes("<i>") && !text.includes("<b>"));
    assert.match(renderMarkdown(deepFixture()), /1 test up to distance 2; 4 of 5 functions/);
  });

  it("Markdown stays below what code hosts take", () => {
    const targets = Array.from({ length: 500 }, (_, at) => (at % 2 === 0 ? LIFTED : notLifted(CONTRADICTED)));
    const text = renderMarkdown(composeResult({ targets }));
    assert.ok(text.length < 65_000, `${text.length}`);
    assert.match(text, /more chains in the HTML report/);
    assert.match(text, /more failures in the HTML report/);
  });
});

describe("the chain of a finding", () => {
  it("is that of the target it proves", () => {
    const whole = composeResult({ targets: [composeTarget({ kind: "open" }), LIFTED] });
    assert.deepEqual(
      chainOfFinding(whole, "c0ffee000001").map(({ name }) => name),
      ["main", "parse", "copy"],
    );
    assert.deepEqual(chainOfFinding(whole, "ffff"), []);
  });
});
