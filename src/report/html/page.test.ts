import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "node:test";
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

  it("is made without sources too", () => {
    checkBalance(renderPage(result(), { readSource: () => null }));
    const noted = renderPage({ ...result(), notes: ["<b>prog</b> could not be loaded"] }, { readSource: () => null });
    checkBalance(noted);
    assert.match(noted, /<li>&lt;b&gt;prog&lt;\/b&gt; could not be loaded<\/li>/);
  });
});

describe("html", () => {
  it("escapes every value but html, and drops nothing else", () => {
    const made = html`<p title="${'"<&'}">${["a", html`<b>x</b>`, 1, null, false]}</p>`;
    assert.equal(made.text, '<p title="&quot;&lt;&amp;">a<b>x</b>1</p>');
  });
});
