// The live page in a real browser: a campaign's snapshots appear as they come, hostile names stay text, filter and keyboard work, nothing is
// wider than a phone. Skipped with a message where there is no chromium.

import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { after, afterEach, before, beforeEach, describe, it } from "node:test";
import type { Finding } from "../../src/findings/finding.js";
import { type LockResult, lockProject } from "../../src/project/project-lock.js";
import type { ResultFinding } from "../../src/report/campaign-result.js";
import { KeptFindings } from "../../src/report/kept-findings.js";
import { result } from "../../src/report/result-fixture.js";
import { appendHistory, historyEntry } from "../../src/ui/history.js";
import { LiveWriter } from "../../src/ui/live-writer.js";
import { UiServer } from "../../src/ui/server.js";
import {
  HOSTILE_NAME,
  type UiProject,
  uiFinding,
  uiProject,
  uiSeed,
  workDone,
  writeSeeds,
} from "../../src/ui/ui-fixture.js";
import { Browser, NO_BROWSER } from "./browser-fixture.js";
import { CONTRAST, KEYBOARD, WIDER } from "./page-checks.js";

const SEEDS = 8;
/** What a person reads at a place of the page. */
const text = (id: string): string => `document.getElementById("${id}").textContent`;
const shownFindings = `document.querySelectorAll("#finding-list > details").length`;
const run = (body: string): string => `(() => {${body}})()`;

describe("the live page in a browser", { skip: NO_BROWSER }, () => {
  let browser: Browser;
  let project: UiProject;
  let server: UiServer;
  let lock: LockResult;
  let live: LiveWriter;
  let address = "";
  let signalled: number[] = [];

  const found = (parts: ResultFinding): void => {
    new KeptFindings(project.folder).saw(parts, "amplify");
    live.take({ kind: "finding", found: parts, finding: {} as Finding });
  };
  const seeds = (): ReturnType<typeof uiSeed>[] =>
    Array.from({ length: SEEDS }, (_, index) =>
      uiSeed(index, project.folder.root, `${project.folder.root}/${index < 4 ? "prog" : HOSTILE_NAME}`),
    );
  const programs = (): { readonly content: string; readonly path: string; readonly name: string }[] =>
    [...new Set(seeds().map(({ program }) => program))].map((name) => ({
      content: `content of ${name}`,
      path: name,
      name,
    }));
  const begin = (): LiveWriter =>
    new LiveWriter(project.folder, {
      ...{ technique: "amplify", seeds: seeds(), programs: programs(), budgetMs: 60_000, jobs: 2 },
    });

  before(async () => {
    browser = await Browser.open();
  });
  after(() => browser.close());
  beforeEach(async () => {
    project = uiProject();
    signalled = [];
    server = new UiServer(project.folder, project.state, (pid) => signalled.push(pid));
    address = await server.listen({ host: "127.0.0.1", port: 0 });
    lock = lockProject(project.folder, project.state, "amplify");
    writeSeeds(project.folder, seeds());
    live = begin();
    await browser.size(1280, 900);
  });
  afterEach(async () => {
    live.end("complete");
    if (lock.kind === "locked") lock.release();
    await browser.visit("about:blank");
    await server.close();
    rmSync(project.top, { recursive: true, force: true });
  });

  it("shows a campaign as it goes on, and its end", async () => {
    await browser.visit(address);
    await browser.until(`${text("headline")} === "Running: amplify"`);
    assert.equal(await browser.ask("location.search"), "", "the token has left the address bar");
    await browser.until(`${text("n-tests")} === "of 8 tests"`);
    live.take(workDone("begins", seeds()[0]));
    await browser.until(`document.querySelectorAll("#working li").length === 1`);
    live.take(workDone("ended", seeds()[0], { checks: 5, paths: 2, blocks: 33, notExplored: { "solver gave up": 3 } }));
    live.does("distance 0, test 1 of 8", "prog --number 0");
    found(uiFinding(1, project.folder.root));
    await browser.until(`${text("f-findings")} === "1"`);
    await browser.until(`${shownFindings} === 1`);
    await browser.until(`${text("f-blocks")} === "33"`);
    assert.match(String(await browser.ask(text("doing"))), /distance 0, test 1 of 8: prog --number 0/);
    assert.match(String(await browser.ask(text("reasons"))), /3 solver gave up.*too hard/);
    assert.match(String(await browser.ask(`document.getElementById("curve").getAttribute("d")`)), /^M0 200 L/);
    appendHistory(project.folder, historyEntry(result()));
    live.end("time");
    await browser.until(`${text("headline")} === "tangent amplify is at work"`);
    if (lock.kind === "locked") lock.release();
    await browser.until(`${text("headline")} === "Ended: the time is up"`);
    assert.equal(await browser.ask(text("go-on-command")), "tangent amplify");
    assert.equal(await browser.ask(`document.getElementById("go-on").classList.contains("away")`), false);
  });

  it("what programs under test have named is text", async () => {
    found({ ...uiFinding(2, project.folder.root), title: HOSTILE_NAME, program: HOSTILE_NAME });
    live.take({ kind: "note", text: HOSTILE_NAME });
    await browser.visit(address);
    await browser.until(`${shownFindings} === 1`);
    await browser.ask(`document.getElementById("tests").scrollIntoView()`);
    await browser.until(`${shownFindings} === 1 && document.querySelectorAll("#seed-rows tr").length === ${SEEDS}`);
    await browser.ask(`document.querySelector("#finding-list summary").click()`);
    await browser.until(`document.querySelector("#finding-list .body .message")`);
    await browser.until(`document.querySelector("#finding-list .copy")`);
    await browser.until(`${text("notes")}.includes("onerror")`);
    assert.equal(await browser.ask(`document.querySelectorAll("img").length`), 0);
    assert.doesNotMatch(String(await browser.ask("document.title")), /pwned/);
    assert.doesNotMatch(String(await browser.ask("document.body.textContent")), /\u202e/);
  });

  it("filter and keyboard", async () => {
    for (let index = 1; index <= 120; index++) found(uiFinding(index, project.folder.root));
    await browser.visit(address);
    await browser.until(`${shownFindings} === 100`);
    assert.match(String(await browser.ask(text("finding-count"))), /^120 findings$/);
    await browser.ask(`document.getElementById("more-findings").click()`);
    await browser.until(`${shownFindings} === 120`);
    const at = `document.activeElement.closest("details")?.dataset.id`;
    await browser.press("j");
    assert.equal(await browser.ask(at), "000000000078", "the newest first");
    await browser.press("j");
    assert.equal(await browser.ask(at), "000000000077");
    await browser.press("k");
    assert.equal(await browser.ask(at), "000000000078");
    await browser.press("Enter");
    await browser.until(`document.querySelector('details[data-id="000000000078"][open] .body')`);
    await browser.press("/");
    assert.equal(await browser.ask("document.activeElement.id"), "find");
    for (const key of "function_77") await browser.press(key);
    await browser.until(`${shownFindings} === 1`);
    assert.match(String(await browser.ask(text("finding-count"))), /^1 of 120 findings$/);
    await browser.press("Escape");
    assert.notEqual(await browser.ask("document.activeElement.id"), "find");
    await browser.press("?");
    assert.equal(await browser.ask(`document.getElementById("help").open`), true);
    await browser.press("Escape");
    await browser.until(`!document.getElementById("help").open`);
  });

  it("new findings do not move what is read, nor what lies below", async () => {
    for (let index = 1; index <= 40; index++) found(uiFinding(index, project.folder.root));
    await browser.visit(address);
    await browser.until(`${shownFindings} === 40`);
    const below = `document.getElementById("programs").getBoundingClientRect().top + scrollY`;
    const before = await browser.ask(below);
    for (let index = 41; index <= 60; index++) found(uiFinding(index, project.folder.root));
    await browser.until(`${shownFindings} === 60`);
    assert.equal(await browser.ask(below), before);
  });

  it("stop tells the campaign's process", async () => {
    await browser.visit(address);
    await browser.until(`!document.getElementById("stop").disabled`);
    await browser.ask(`document.getElementById("stop").click()`);
    await browser.until(`${text("stop-answer")}.includes("what was found is kept")`);
    assert.deepEqual(signalled, [process.pid]);
    await browser.until(`${text("stop")} === "Stopping…"`);
  });

  it("one test can be looked at", async () => {
    await browser.visit(address);
    await browser.until(`${text("headline")} === "Running: amplify"`);
    await browser.ask(`document.getElementById("tests").scrollIntoView()`);
    await browser.until(`document.querySelectorAll("#seed-rows tr").length === ${SEEDS}`);
    await browser.ask(`document.querySelector("#seed-rows button").click()`);
    await browser.until(`document.querySelector(".seed-details")?.textContent.includes("tangent amplify ")`);
  });

  it("fits a desktop and a phone, has contrast in light and dark, and is there for the keyboard", async () => {
    for (let index = 1; index <= 12; index++) found(uiFinding(index, project.folder.root));
    live.take(workDone("begins", { ...seeds()[1], arguments: ["x".repeat(300)] }));
    live.does("distance 0, test 1 of 8, 12 checks, 3 paths, 12 findings", `prog ${"y".repeat(300)}`);
    live.take({ kind: "note", text: "z".repeat(500) });
    for (let count = 0; count < 5; count++) appendHistory(project.folder, historyEntry(result()));
    await browser.visit(address);
    await browser.until(`${shownFindings} === 12 && document.querySelector("#history-rows tr")`);
    await browser.until(`document.querySelectorAll("#working li").length === 1`);
    await browser.ask(`document.querySelector("#finding-list summary").click()`);
    await browser.until(`document.querySelector("#finding-list .body .message")`);
    for (const [width, isDark] of [
      [1280, false],
      [1280, true],
      [390, false],
      [320, true],
    ] as const) {
      await browser.size(width, 900, isDark);
      const [wider, contrast] = [await browser.ask(run(WIDER)), await browser.ask(run(CONTRAST))];
      assert.equal(wider, 0, `${width} wide`);
      assert.equal(contrast, "", `contrast, dark: ${isDark}`);
      const picture = await browser.picture();
      assert.equal(picture.readUInt32BE(16), width);
      assert.ok(picture.length > 10_000, `${picture.length} bytes`);
    }
    assert.equal(await browser.ask(run(KEYBOARD)), 0);
  });

  it("says so when the server has ended", async () => {
    await browser.visit(address);
    await browser.until(`${text("headline")} === "Running: amplify"`);
    await server.close();
    await browser.until(`${text("lost")}.includes("tangent has ended")`);
    assert.equal(await browser.ask(`document.getElementById("stop").disabled`), true);
  });
});
