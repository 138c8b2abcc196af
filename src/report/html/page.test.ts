import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "node:test";
import { composeResult, deepFixture } from "../compose-fixture.js";
import { patchInput, patchResult, patchTarget, reachResult } from "../patch-fixture.js";
import { finding, HOSTILE_SOURCE, largeFinding, result } from "../result-fixture.js";
import { escapeHtml, html } from "./markup.js";
import { renderPage } from "./page.js";

const VOID = new Set(["meta", "input", "br", "link"]);
/** SVG's empty elements close themselves. */
const TAG = /<(\/?)([a-zA-Z][a-zA-Z0-9]*)((?:"[^"]*"|[^">])*?)(\/?)>/g;

/** Every tag that is opened is closed, in order; gives the elements' names. Text of scripts and styles is not looked at. */
function checkBalance(page: string): string[] {
  const open: string[] = [];
  const seen: string[] = [];
  const text = page.replace(/<(script|style)>[\s\S]*?<\/\1>/g, "<$1></$1>").replace(/^<!DOCTYPE html>/, "");
  let end = 0;
  for (const match of text.matchAll(TAG)) {
    assert.ok(!text.slice(end, match.index).includes("<"), `a stray < before ${match[0]}`);
    end = match.index + match[0].length;
    const [, closing, name, , self] = match;
    if (closing === "/") assert.equal(open.pop(), name, `at ${text.slice(match.index - 80, end)}`);
    else {
      seen.push(name);
      if (!VOID.has(name) && self === "") open.push(name);
    }
  }
  assert.deepEqual(open, []);
  return seen;
}

const page = (findings = [finding()]): string => renderPage(result(findings), { readSource: () => HOSTILE_SOURCE });

describe("the HTML report", () => {
  it("is well formed and has landmarks and one heading of the first rank", () => {
    const tags = checkBalance(page());
    assert.equal(tags.filter((tag) => tag === "h1").length, 1);
    for (const landmark of ["header", "nav", "main", "footer", "aside"]) assert.ok(tags.includes(landmark), landmark);
  });

  it("shows the findings of one cause in one frame, and counts causes", () => {
    const places = ["one", "two", "three"].map((id) => finding({ id, group: "same" }));
    const text = page([...places, finding({ id: "else" })]);
    checkBalance(text);
    assert.match(text, /<h1 class="bad">2 bugs in 4 places next to your tests<\/h1>/);
    assert.equal(text.match(/class="group"/g)?.length, 1);
    assert.match(text, /The same cause shows at 2 more places/);
    for (const id of ["one", "two", "three", "else"]) assert.ok(text.includes(`id="f-${id}"`), id);
  });

  it("escapes sources, inputs, commands and messages", () => {
    const text = page();
    assert.equal(text.match(/<script/g)?.length, 1);
    assert.ok(!text.includes("<img"));
    assert.ok(!text.includes("<b>of</b>"));
    assert.ok(!text.includes("\0") && !text.includes("\u202e"));
    assert.ok(text.includes("&lt;/script&gt;&lt;script&gt;alert(1)"));
    assert.ok(text.includes("‹U+202E›"));
    assert.ok(text.includes("a reason &lt;without&gt; words"));
  });

  it("refers to nothing outside of itself and lets only its own script run", () => {
    const text = page();
    assert.doesNotMatch(text, /(src|href)="(?!#)/);
    assert.doesNotMatch(text, /url\(|@import/);
    const script = /<script>([\s\S]*)<\/script>/.exec(text)?.[1] ?? "";
    const hash = createHash("sha256").update(script).digest("base64");
    assert.ok(text.includes(escapeHtml(`script-src 'sha256-${hash}'`)));
  });

  it("marks the changed bytes of arguments, text and binary files", () => {
    const text = page();
    assert.ok(text.includes('<mark class="now">\\xff</mark>'));
    assert.ok(text.includes('thr<mark class="now">&lt;</mark>e'));
    assert.ok(text.includes('00 01 <mark class="now">fe</mark> 03'));
    assert.ok(text.includes('<mark class="was">02</mark>'));
  });

  it("cuts an input of a megabyte and says how much is not shown", () => {
    const text = page([largeFinding()]);
    checkBalance(text);
    assert.ok(text.length < 300_000, `${text.length}`);
    assert.match(text, /more changed bytes? not shown/);
    assert.match(text, /more bytes/);
  });

  it("says that nothing was found, and what was not explored", () => {
    const text = page([]);
    checkBalance(text);
    assert.match(text, /No bugs found/);
    assert.match(text, /solver gave up/);
  });

  it("shows coverage by line: by the tests, by Tangent, by nobody", () => {
    const text = page();
    assert.match(text, /class="l t"><i>2<\/i>/);
    assert.match(text, /class="l a"><i>6<\/i>/);
    assert.match(text, /class="l m"><i>7<\/i>/);
  });

  it("copies a command that runs the failing input, and shows tabs as wide as the project has them", () => {
    const text = renderPage(result(), {
      readSource: Object.assign(() => HOSTILE_SOURCE, { tabWidth: () => 4 }),
    });
    // What is copied is what stands there, and it has the files: the input by itself may need some that the page lacks.
    const fails = /data-copy="[^"]*"><span class="label">Fails<\/span><pre tabindex="0"><code>([^<]*)</.exec(text)?.[1];
    const folder = "tangent-0123456789ab";
    assert.equal(fails, `tangent show 0123456789ab --save ${folder} &amp;&amp; sh ${folder}/run.sh`);
    assert.doesNotMatch(text, /data-copy-text=/);
    assert.match(text, /<pre tabindex="0" style="tab-size:4">/);
    assert.match(text, /<pre class="listing" tabindex="0" style="tab-size:4">/);
    const usual = renderPage(result(), { readSource: () => HOSTILE_SOURCE });
    assert.match(usual, /tab-size: 8/);
    assert.doesNotMatch(usual, /style="tab-size/);
  });

  it("is made without sources too", () => {
    checkBalance(renderPage(result(), { readSource: () => null }));
    const noted = renderPage({ ...result(), notes: ["<b>prog</b> could not be loaded"] }, { readSource: () => null });
    checkBalance(noted);
    assert.match(noted, /<li>&lt;b&gt;prog&lt;\/b&gt; could not be loaded<\/li>/);
  });
});

describe("the HTML report of a patch", () => {
  const patch = (parts: Parameters<typeof patchResult>[0] = {}): string =>
    renderPage(patchResult(parts), { readSource: () => HOSTILE_SOURCE });

  it("is well formed, escapes all of it, and refers to nothing outside", () => {
    const text = patch();
    const tags = checkBalance(text);
    assert.equal(tags.filter((tag) => tag === "h1").length, 1);
    assert.equal(text.match(/<script/g)?.length, 1);
    for (const markup of ["<img", "<b>brief", "<u>same", "<here>", "reached<b>"]) {
      assert.ok(!text.includes(markup), markup);
    }
    assert.ok(!text.includes("\u202e"));
    assert.doesNotMatch(text, /(src|href)="(?!#)/);
    const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    assert.equal(new Set(ids).size, ids.length, "every id once");
    for (const [, to] of text.matchAll(/href="#([^"]+)"/g)) assert.ok(ids.includes(to), to);
  });

  it("shows the diff with the numbers of both sides and the state of each changed line, also as a letter", () => {
    const text = patch();
    const row = (state: string, mark: string, code: string): RegExp =>
      new RegExp(
        `class="dl added is-${state}"><i></i><i>\\d+</i><span class="sign">\\+</span><b class="state ${state}"[^>]*><span aria-hidden="true">${mark}</span>.*?${code}`,
      );
    assert.match(text, row("covered", "T", "covered"));
    assert.match(text, row("reached", "R", "reached"));
    assert.match(text, row("not-reached", "N", "missed"));
    assert.match(text, row("unreachable", "U", "dead"));
    assert.match(text, row("not-executable", "·", "a comment"));
    assert.match(text, /class="dl removed"><i>2<\/i><i><\/i><span class="sign">−<\/span>/);
    assert.match(text, /class="dl context"><i>1<\/i><i>1<\/i>/);
    assert.match(text, /@@ −1,3 \+1,7 @@ int main/);
    for (const name of ["run by the tests", "reached by Tangent", "not reached", "unreachable"])
      assert.ok(text.includes(`</b>${name}`), name);
  });

  it("behind a line is its input with a script, or why it was not reached; without a script of the page's", () => {
    const text = patch();
    assert.match(text, /<details class="line" id="t-1"><summary class="dl added is-reached">[\s\S]*?#!\/bin\/sh/);
    assert.match(text, /What was done to the test<\/h4><ol class="steps"><li>the option --&lt;b&gt;brief/);
    assert.match(
      text,
      /<details class="line" id="t-2"><summary class="dl added is-not-reached">[\s\S]*?was never true/,
    );
    assert.match(text, /<li>src\/a b\.c:12: flag is 3 since &lt;here&gt;<\/li>/);
    assert.match(text, /2 branches were left to go/);
  });

  it("a target of several lines is told once, and the other lines lead there", () => {
    const whole = patchResult();
    const both = patchTarget(3, { kind: "reached", input: 0, by: "greedy", milliseconds: 1 }, { lines: [3, 4] });
    const lines = [3, 4].map((line) => ({ file: "src/a b.c", line, state: "reached" as const, targets: [0] }));
    const text = renderPage({ ...whole, targets: [both], lines });
    checkBalance(text);
    assert.equal(text.match(/id="t-0"/g)?.length, 1);
    assert.match(text, /<a class="dl added is-reached" href="#t-0">/);
  });

  it("says how much is run before and after, and puts failures of the new version first, side by side", () => {
    const text = patch();
    assert.match(text, /<strong>25\.0\u00a0%<\/strong> by the tests .* <strong>50\.0\u00a0%<\/strong>/);
    assert.match(text, /1 bug, 1 input fails only since this patch/);
    const crash = text.indexOf('class="change crash"');
    const different = text.indexOf('class="change different"');
    assert.ok(crash > 0 && different > crash);
    assert.match(
      text,
      /Before<\/figcaption><pre tabindex="0"><code>one\n<mark class="was">two<\/mark>\n&lt;script&gt;\n<\/code>/,
    );
    assert.match(
      text,
      /After<\/figcaption><pre tabindex="0"><code>one\n<mark class="now">2<\/mark>\n&lt;script&gt;\n<\/code>/,
    );
  });

  it("targets without a diff are listed by themselves", () => {
    const text = renderPage(reachResult());
    checkBalance(text);
    assert.match(text, /<h2 id="h-targets">Targets<\/h2>/);
    assert.doesNotMatch(text, /id="patch"|id="behaviour"/);
    for (const index of [1, 2, 3]) assert.ok(text.includes(`id="t-${index}"`));
  });

  it("stays of a size that opens: long inputs and patches are cut and told", () => {
    const bytes = Buffer.alloc(200_000, 0xff).toString("base64");
    const whole = patchResult({ inputs: [patchInput({ stdin: bytes })] });
    const [file] = whole.changes.files;
    const lines = Array.from({ length: 30_000 }, (_, at) => ({ kind: "added" as const, text: `x${at}` }));
    const files = [{ ...file, hunks: [{ ...file.hunks[0], lines }] }];
    const text = renderPage({ ...whole, changes: { ...whole.changes, files } });
    checkBalance(text);
    assert.match(text, /10000 lines of the patch are not shown/);
    assert.match(text, /The script is too long for this page/);
    assert.match(text, /198 000 more bytes/);
  });
});

describe("the HTML report of a composition", () => {
  const compose = (whole = composeResult()): string => renderPage(whole, { readSource: () => HOSTILE_SOURCE });

  it("is well formed, escapes all of it, and every link leads somewhere in it", () => {
    for (const text of [compose(), compose(deepFixture())]) {
      const tags = checkBalance(text);
      assert.equal(tags.filter((tag) => tag === "h1").length, 1);
      assert.equal(text.match(/<script/g)?.length, 1);
      for (const markup of ["<b>of", "log_<b>", "<arguments>", "other<i>"]) assert.ok(!text.includes(markup), markup);
      assert.ok(!text.includes("\u202e"));
      assert.doesNotMatch(text, /(src|href)="(?!#)/);
      const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      assert.equal(new Set(ids).size, ids.length, "every id once");
      for (const [, to] of text.matchAll(/href="#([^"]+)"/g)) assert.ok(ids.includes(to), to);
    }
  });

  it("draws the chain of callers, main first, with what each needs", () => {
    const text = compose();
    const chain = /<ol class="chain"[\s\S]*?<\/ol>/.exec(text.slice(text.indexOf('id="chains"')))?.[0] ?? "";
    const names = [...chain.matchAll(/<b>([^<]*)<\/b>/g)].map(([, name]) => name);
    assert.deepEqual(names, ["main", "parse", "copy"]);
    assert.match(chain, /calls parse<\/span>[\s\S]*title="src\/parse\.c:22">text\[0\] == &#39;\[&#39;<\/code>/);
    assert.match(chain, /class="link failing"><div class="box"><p class="box-name"><b>copy<\/b>/);
    assert.match(chain, /<code>argv\[1\] = &quot;&lt;script&gt;/);
  });

  it("lists what was not lifted with the decisive condition, and what there was no time for", () => {
    const text = compose();
    assert.match(
      text,
      /<span class="decisive">Needs len &gt; 64, but every explored way to the call in other&lt;i&gt;4 has len &lt;= 64 \(src\/parse\.c:120\)/,
    );
    for (const words of [
      "comes to the call",
      "a pointer is null",
      "none of them failed there",
      "could not be decided",
    ]) {
      assert.ok(text.includes(words), words);
    }
    assert.match(text, /There was no time to try<\/h4><ul class="obstacles"><li>Heap buffer overflow/);
  });

  it("has a table of functions, those that fail first, and says of which nothing could be made", () => {
    const text = compose();
    assert.match(text, /<code>copy<\/code>[\s\S]*data-value="7500">6 of 8 \(75\.0/);
    assert.match(text, /not tested: it takes any number of &lt;arguments&gt;/);
    assert.ok(text.indexOf("<code>copy</code></td>") < text.indexOf("<code>log_&lt;b&gt;</code>"));
  });

  it("has the tests that were amplified before, and is made of nothing too", () => {
    assert.match(compose(deepFixture()), /<a href="#s-5eed000000000001">/);
    assert.doesNotMatch(compose(), /id="tests"/);
    const empty = composeResult({ targets: [], functions: [], findings: [] });
    const text = compose({ ...empty, totals: { ...empty.totals, units: 0, targets: 0, lifted: 0 } });
    checkBalance(text);
    assert.match(text, /No function was tested, so this says nothing/);
    assert.doesNotMatch(text, /id="chains"|id="not-lifted"/);
  });
});

describe("html", () => {
  it("escapes every value but html, and drops nothing else", () => {
    const made = html`<p title="${'"<&'}">${["a", html`<b>x</b>`, 1, null, false]}</p>`;
    assert.equal(made.text, '<p title="&quot;&lt;&amp;">a<b>x</b>1</p>');
  });
});
