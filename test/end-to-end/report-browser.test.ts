// The HTML report in a real browser: Debian's chromium, driven by its own command line so that nothing needs to be installed with
// the project. Skipped with a message where there is none.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { renderPage } from "../../src/report/html/page.js";
import { patchResult } from "../../src/report/patch-fixture.js";
import { finding, HOSTILE_SOURCE, largeFinding, result } from "../../src/report/result-fixture.js";
import { CONTRAST, KEYBOARD, WIDER } from "./page-checks.js";

const BROWSER = ["chromium", "chromium-browser", "google-chrome"].find(
  (name) => spawnSync(name, ["--version"], { stdio: "ignore" }).status === 0,
);
const SKIP = BROWSER === undefined ? "chromium is not on PATH (apt-get install chromium)" : false;

let folder = "";
let page = "";

function browse(path: string, ...more: readonly string[]): string {
  const words = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--hide-scrollbars",
    `--user-data-dir=${folder}/profile`,
  ];
  const run = spawnSync(BROWSER ?? "", [...words, ...more, `file://${path}`], {
    encoding: "utf8",
    timeout: 60_000,
    maxBuffer: 1 << 27,
  });
  assert.equal(run.status, 0, run.stderr);
  return run.stdout;
}

/** The page with a script of the test's at its end, which the page's own policy would stop; gives what it says. */
function ask(script: string, ...more: readonly string[]): string {
  const open = page.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, "");
  const path = join(folder, "asked.html");
  writeFileSync(
    path,
    open.replace("</body>", `<script>document.title = "answer:" + (() => {${script}})()</script></body>`),
  );
  const dom = browse(path, "--dump-dom", ...more);
  return /<title>answer:([^<]*)<\/title>/.exec(dom)?.[1] ?? "no answer";
}

describe("the HTML report in a browser", { skip: SKIP }, () => {
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "tangent-browser-"));
    const hostile = finding({
      id: "bbbbbbbbbbbb",
      title: "<svg onload=document.title='pwned'>",
      severity: "medium",
      witnessCommand: ["./prog", "</code><script>document.title='pwned'</script>"],
    });
    const made = result([finding(), hostile, largeFinding(), finding({ id: "cccccccccccc", severity: "low" })]);
    page = renderPage(made, { readSource: () => HOSTILE_SOURCE });
    writeFileSync(join(folder, "report.html"), page);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it("its own script runs and nothing of the input's does", () => {
    const dom = browse(join(folder, "report.html"), "--dump-dom");
    assert.match(dom, /<html lang="en" class="js">/);
    assert.match(dom, /<title>4 bugs in project · Tangent<\/title>/);
    assert.equal(dom.match(/<script/g)?.length, 1);
    assert.match(dom, /class="copy"/);
  });

  it("filtering, sorting and links work", () => {
    const answer = ask(`
      const shown = () => [...document.querySelectorAll(".finding")].filter((one) => !one.hidden).length;
      const before = shown();
      document.querySelector('[data-severity-filter="critical"]').click();
      const without = shown();
      const find = document.getElementById("find");
      find.value = "no such thing"; find.dispatchEvent(new Event("input"));
      const none = shown();
      document.querySelectorAll("th button")[5].click();
      const first = document.querySelector(".seeds tbody tr").id;
      return [before, without, none, first].join(" ");`);
    assert.equal(answer, "4 2 0 s-5eed000000000002");
  });

  it("nothing is wider than the window, on a desktop and on a phone", () => {
    assert.equal(ask(WIDER, "--window-size=1280,900"), "0");
    assert.equal(ask(WIDER, "--window-size=500,900"), "0");
  });

  it("text has enough contrast in light and in dark", () => {
    assert.equal(ask(CONTRAST, "--blink-settings=preferredColorScheme=1"), "");
    assert.equal(ask(CONTRAST, "--blink-settings=preferredColorScheme=0"), "");
  });

  it("everything that scrolls or acts can be reached with the keyboard, and has a name", () => {
    const answer = ask(KEYBOARD);
    assert.equal(answer, "0");
  });

  it("is drawn in light and dark, wide and narrow", () => {
    for (const [width, scheme] of [
      [1280, 1],
      [1280, 0],
      [500, 1],
      [500, 0],
    ]) {
      const target = join(folder, `${width}-${scheme}.png`);
      const words = [`--window-size=${width},1200`, `--blink-settings=preferredColorScheme=${scheme}`];
      browse(join(folder, "report.html"), `--screenshot=${target}`, ...words);
      const png = readFileSync(target);
      assert.equal(png.readUInt32BE(16), width);
      assert.ok(png.length > 20_000, `${png.length} bytes`);
    }
  });
});

describe("the HTML report of a patch in a browser", { skip: SKIP }, () => {
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "tangent-browser-"));
    page = renderPage(patchResult(), { readSource: () => HOSTILE_SOURCE });
    writeFileSync(join(folder, "report.html"), page);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it("a line opens when it is clicked, and nothing of the input's runs", () => {
    assert.equal(browse(join(folder, "report.html"), "--dump-dom").match(/<script/g)?.length, 1);
    const answer = ask(`
      const line = document.getElementById("t-1");
      const before = line.open;
      line.querySelector("summary").click();
      const clicked = line.open;
      line.open = false;
      return [before, clicked, line.querySelector(".line-body").textContent.includes("#!/bin/sh")].join(" ");`);
    assert.equal(answer, "false true true");
  });

  it("fits the window, has contrast in light and dark, and is there for the keyboard", () => {
    assert.equal(ask(WIDER, "--window-size=1280,900"), "0");
    assert.equal(ask(WIDER, "--window-size=500,900"), "0");
    assert.equal(ask(CONTRAST, "--blink-settings=preferredColorScheme=1"), "");
    assert.equal(ask(CONTRAST, "--blink-settings=preferredColorScheme=0"), "");
    assert.equal(ask(KEYBOARD), "0");
  });
});
