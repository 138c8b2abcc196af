// How long the live page takes with 10,000 findings and 100,000 recorded tests: the server's answers (time and size), and in chromium, if there
// is one, the first paint, the first findings, a filter. Of each answer the first time is told, and the median of five; processor time is of
// server and client together, which are one process here. The project is made anew in a
// temporary folder. `npm run bench:ui -- FINDINGS TESTS [PICTURES]`: PICTURES is a folder for screenshots.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scriptWords } from "../scripts/usage.js";
import type { Finding } from "../src/findings/finding.js";
import { writeSafely } from "../src/project/project-folder.js";
import { lockProject } from "../src/project/project-lock.js";
import { KeptFindings } from "../src/report/kept-findings.js";
import { result } from "../src/report/result-fixture.js";
import { appendHistory, historyEntry } from "../src/ui/history.js";
import { LIVE_NAME } from "../src/ui/live-state.js";
import { LiveWriter } from "../src/ui/live-writer.js";
import { UiServer } from "../src/ui/server.js";
import { type UiProject, uiFinding, uiProject, uiSeed, workDone, writeSeeds } from "../src/ui/ui-fixture.js";
import { Browser, NO_BROWSER } from "../test/end-to-end/browser-fixture.js";

const TIMES = 5;
const PROGRAMS = 98;
const [findingWord = "10000", seedWord = "100000", pictures] = scriptWords(import.meta.url);
const [findingCount, seedCount] = [Number(findingWord), Number(seedWord)];

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}

function say(what: string, value: string): void {
  process.stdout.write(`${what.padEnd(64)} ${value.padStart(14)}\n`);
}

/** A campaign in the middle of its work. */
function prepare({ folder }: UiProject): LiveWriter {
  const { root } = folder;
  const names = Array.from({ length: PROGRAMS }, (_, index) => `${root}/src/prog-${index}`);
  const seeds = Array.from({ length: seedCount }, (_, index) => uiSeed(index, root, names[index % PROGRAMS]));
  writeSeeds(folder, seeds);
  const programs = names.map((name) => ({ content: `content of ${name}`, path: name, name }));
  const live = new LiveWriter(folder, { technique: "amplify", seeds, programs, budgetMs: 300_000, jobs: 2 });
  const kept = new KeptFindings(folder);
  for (let index = 1; index <= findingCount; index++) {
    const found = uiFinding(index, root);
    live.take({ kind: "finding", found, finding: {} as Finding });
    if (index > findingCount - 10) kept.saw(found, "amplify");
  }
  for (let index = 0; index < Math.min(500, seedCount); index++) {
    const notExplored = { "solver gave up": index, "paths beyond the distance's bound": index * 7 };
    const blocks = Math.round(4000 * (1 - Math.exp(-index / 120)));
    live.take(workDone("ended", seeds[index], { checks: index * 9, paths: index * 3, blocks, notExplored }));
  }
  const soFar = {
    checks: 4491,
    paths: 1497,
    blocks: 3940,
    notExplored: { "solver gave up": 499, "made concrete: system-call": 3493 },
  };
  live.take(workDone("begins", seeds[0], soFar));
  live.take(workDone("begins", seeds[1], soFar));
  live.does("distance 0, test 501 of 100000, 4491 checks, 1497 paths, 10000 findings", "src/prog-3 --number n501");
  live.take({
    kind: "note",
    text: "src/prog-7: it did not end in its time, and was terminated; the campaign goes on without it",
  });
  for (let index = 0; index < 24; index++) {
    const found = Array.from({ length: 3 + (index % 5) }, (_, at) => uiFinding(at, root));
    const entry = historyEntry(result(found.map((one, at) => (at < 2 ? { ...one, known: true } : one))));
    appendHistory(folder, { ...entry, lines: 1000, byTests: 500 + index * 6, added: 40 + index * 5 });
  }
  return live;
}

async function measureServer(base: string, headers: { readonly cookie: string }): Promise<void> {
  const paths = [
    ["the page itself", "/"],
    ["first 100 findings", "/findings"],
    ["100 findings in the middle", `/findings?offset=${findingCount >> 1}`],
    ["findings by words, one fits", "/findings?q=function_4321"],
    ["findings by words, none fits", "/findings?q=nothing-has-this"],
    ["one finding", `/finding/${findingCount.toString(16).padStart(12, "0")}`],
    ["first 100 tests", "/seeds"],
    ["100 tests in the middle", `/seeds?offset=${seedCount >> 1}`],
    ["tests by words, none fits among the first 500", "/seeds?q=nothing-has-this"],
    ["history", "/history"],
  ] as const;
  for (const [what, path] of paths) {
    const times: number[] = [];
    const used: number[] = [];
    let size = 0;
    for (let turn = 0; turn < TIMES; turn++) {
      const begun = performance.now();
      const before = process.cpuUsage();
      const answer = await fetch(`${base}${path}`, { headers });
      size = (await answer.arrayBuffer()).byteLength;
      times.push(performance.now() - begun);
      const { user, system } = process.cpuUsage(before);
      used.push((user + system) / 1000);
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    }
    const kilobytes = `${(size / 1000).toFixed(1)} kB`;
    const shown = (values: readonly number[]): string =>
      `${values[0].toFixed(0)} ms, then ${median(values).toFixed(0)} ms`;
    say(what, `${shown(times)}; processor ${shown(used)}; ${kilobytes}`);
  }
}

async function measurePage(address: string): Promise<void> {
  if (NO_BROWSER !== false) {
    say("in the browser", NO_BROWSER);
    return;
  }
  const browser = await Browser.open();
  const base = address.slice(0, address.indexOf("/?"));
  const paints: number[] = [];
  const firsts: number[] = [];
  const filters: number[] = [];
  try {
    await browser.size(1280, 900);
    await browser.visit(address);
    for (let turn = 0; turn < TIMES; turn++) {
      await browser.visit("about:blank");
      await browser.visit(`${base}/`);
      await browser.until(`document.querySelectorAll("#finding-list > details").length === 100`);
      firsts.push(Number(await browser.ask("performance.now()")));
      await browser.until(`performance.getEntriesByName("first-contentful-paint").length === 1`);
      paints.push(Number(await browser.ask(`performance.getEntriesByName("first-contentful-paint")[0].startTime`)));
      await browser.ask(
        `window.begun = performance.now(); document.getElementById("find").value = "function_4321"; document.getElementById("find").dispatchEvent(new Event("input"));`,
      );
      await browser.until(`document.querySelectorAll("#finding-list > details").length === 1`);
      filters.push(Number(await browser.ask("performance.now() - window.begun")));
    }
    say("first paint", `${median(paints).toFixed(0)} ms`);
    say("100 findings are shown (seen within 50 ms)", `${median(firsts).toFixed(0)} ms`);
    say("a filter is answered and shown (150 ms of it a pause for typing)", `${median(filters).toFixed(0)} ms`);
    if (pictures !== undefined) await takePictures(browser, base, pictures);
  } finally {
    await browser.close();
  }
}

async function takePictures(browser: Browser, base: string, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const [name, width, height, isDark] of [
    ["top", 1280, 900, false],
    ["wide", 1280, 4200, false],
    ["phone", 390, 6400, true],
  ] as const) {
    await browser.size(width, height, isDark);
    await browser.visit("about:blank");
    await browser.visit(`${base}/`);
    await browser.until(`document.querySelectorAll("#finding-list > details").length === 100`);
    await browser.until(`document.querySelector("#history-rows tr")`);
    if (height > 900) await browser.until(`document.querySelector("#seed-rows tr")`);
    await browser.ask(`document.querySelectorAll("#finding-list summary")[1].click()`);
    await browser.until(`document.querySelector("#finding-list .body .message")`);
    writeFileSync(join(folder, `${name}.png`), await browser.picture());
  }
}

const project = uiProject();
const lock = lockProject(project.folder, project.state, "amplify");
try {
  process.stdout.write(`${findingCount} findings, ${seedCount} tests of ${PROGRAMS} programs\n`);
  const live = prepare(project);
  // The writer waits for its second to be over; its snapshot is wanted now, and as of a campaign that goes on.
  await new Promise((done) => setTimeout(done, 1500));
  const server = new UiServer(project.folder, project.state);
  const address = await server.listen({ host: "127.0.0.1", port: 0 });
  const base = address.slice(0, address.indexOf("/?"));
  const entered = await fetch(address, { redirect: "manual" });
  const cookie = (entered.headers.get("set-cookie") ?? "").split(";")[0];
  await measureServer(base, { cookie });
  await measurePage(address);
  live.end("complete");
  await server.close();
  const findings = Array.from({ length: findingCount }, (_, index) => uiFinding(index + 1, project.folder.root));
  writeSafely(project.folder.file("report", "results.json"), JSON.stringify(result(findings)));
  rmSync(project.folder.file(LIVE_NAME));
  const after = new UiServer(project.folder, project.state);
  const again = await after.listen({ host: "127.0.0.1", port: 0 });
  const base2 = again.slice(0, again.indexOf("/?"));
  const cookie2 = ((await fetch(again, { redirect: "manual" })).headers.get("set-cookie") ?? "").split(";")[0];
  for (const [what, path] of [
    ["after the end: first findings, from the results", "/findings"],
    ["after the end: the whole report", "/report"],
  ] as const) {
    const begun = performance.now();
    const answer = await fetch(`${base2}${path}`, { headers: { cookie: cookie2 } });
    const size = (await answer.arrayBuffer()).byteLength;
    say(what, `${(performance.now() - begun).toFixed(0)} ms first, ${(size / 1000).toFixed(1)} kB`);
  }
  await after.close();
} finally {
  if (lock.kind === "locked") lock.release();
  rmSync(project.top, { recursive: true, force: true });
}
