// The live page: an empty frame, the same for every campaign, in the report's own look; live-script.ts fills it. All places have their
// size before anything is in them.

import { basename } from "node:path";
import { type Html, html, Html as Markup } from "../report/html/markup.js";
import { STYLE } from "../report/html/style.js";
import { LIVE_SCRIPT } from "./live-script.js";
import { LIVE_STYLE } from "./live-style.js";

const FIGURES = [
  ["f-time", "time"],
  ["f-tests", "tests"],
  ["f-checks", "checks"],
  ["f-paths", "paths"],
  ["f-blocks", "blocks reached"],
  ["f-findings", "findings"],
] as const;

const SECTIONS: readonly {
  readonly id: string;
  readonly link: string;
  readonly heading: string;
  readonly body: Html;
}[] = [
  {
    id: "findings",
    link: "Findings",
    heading: "Findings, newest first",
    body: html`<div class="controls" role="group" aria-label="Filter the findings"><label class="search"><span class="hidden">Search the findings</span><input type="search" id="find" placeholder="Search: file, function, kind, program" autocomplete="off"></label><span id="finding-count" class="quiet" role="status"></span></div>
<div class="panel" id="finding-list" tabindex="0" role="region" aria-label="Findings"></div>
<div class="below"><button type="button" class="chip away" id="more-findings">Show more findings</button></div>`,
  },
  {
    id: "programs",
    link: "Programs",
    heading: "Programs",
    body: html`<div class="tall" tabindex="0" role="region" aria-label="Table of programs"><table class="seeds"><thead><tr><th scope="col">Program</th>${["Tests looked at", "Items done", "Checks", "Findings"].map((name) => html`<th scope="col" class="number">${name}</th>`)}</tr></thead><tbody id="program-rows"></tbody></table></div><p class="quiet" id="more-programs"></p>`,
  },
  {
    id: "coverage",
    link: "Coverage",
    heading: "Coverage over time",
    body: html`<figure class="timeline"><div class="plot"><svg viewBox="0 0 1000 200" preserveAspectRatio="none" role="img" aria-labelledby="timeline-words"><g class="grid">${[250, 500, 750].map((x) => html`<line x1="${x}" x2="${x}" y1="0" y2="200"/>`)}</g><path class="area" id="area"/><path class="curve" id="curve"/><path class="found-curve" id="found-curve"/></svg></div>
<div class="ticks" id="ticks" aria-hidden="true">${[0, 1, 2, 3, 4].map(() => html`<span>0 s</span>`)}</div>
<p class="legend"><span class="key"><span class="swatch line"></span>blocks of code</span><span class="key"><span class="swatch dashed"></span>findings</span></p>
<figcaption id="timeline-words">Nothing was run yet.</figcaption></figure>`,
  },
  {
    id: "work",
    link: "At work",
    heading: "What is being done",
    body: html`<p class="quiet" id="jobs">No thread is at work.</p><ol class="work" id="working"></ol>`,
  },
  {
    id: "limits",
    link: "Limits",
    heading: "What was given up, and why",
    body: html`<p class="quiet" id="no-reasons">Nothing so far.</p><dl class="reasons" id="reasons"></dl><h4 id="note-count"></h4><ul class="notes" id="notes"></ul>`,
  },
  {
    id: "tests",
    link: "Tests",
    heading: "Recorded tests",
    body: html`<div class="controls"><label class="search"><span class="hidden">Search the tests</span><input type="search" id="find-seed" placeholder="Search: part of a command, program, id" autocomplete="off"></label><span id="seed-count" class="quiet" role="status"></span></div>
<div class="tall" tabindex="0" role="region" aria-label="Table of tests"><table class="seeds"><thead><tr><th scope="col">Test</th><th scope="col">Program</th><th scope="col">Ended</th><th scope="col" class="number">Files</th><th scope="col" class="number">Times</th></tr></thead><tbody id="seed-rows"></tbody></table></div>
<div class="below"><button type="button" class="chip away" id="more-seeds">Show more tests</button></div>`,
  },
  {
    id: "history",
    link: "History",
    heading: "Earlier campaigns",
    body: html`<p class="quiet" id="no-history">No campaign has ended here yet.</p><div id="has-history" hidden><div class="plot"><svg viewBox="0 0 1000 200" preserveAspectRatio="none" role="img" aria-labelledby="history-words"><g id="bars"></g><path class="curve" id="trend"/></svg></div>
<p class="legend"><span class="key"><span class="swatch fresh"></span>new findings</span><span class="key"><span class="swatch known"></span>known findings</span><span class="key"><span class="swatch line"></span>lines covered</span></p>
<p class="quiet" id="history-words"></p>
<div class="tall" tabindex="0" role="region" aria-label="Table of campaigns"><table class="seeds"><thead><tr><th scope="col">When (UTC)</th><th scope="col">Technique</th><th scope="col">Ended</th>${["Tests", "Checks", "New", "Known", "Lines", "Time"].map((name) => html`<th scope="col" class="number">${name}</th>`)}</tr></thead><tbody id="history-rows"></tbody></table></div></div>`,
  },
];

const KEYS = [
  ["j", "next finding"],
  ["k", "finding before"],
  ["Enter", "open or close it"],
  ["/", "search the findings"],
  ["Esc", "leave the search"],
  ["?", "this help"],
] as const;

/** `root`: the project's directory. */
export function livePage(root: string): string {
  const name = basename(root) || root;
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${name} · Tangent</title>
<style>${new Markup(`${STYLE}${LIVE_STYLE}`)}</style>
</head>
<body>
<a class="skip" href="#findings">Skip to the findings</a>
<header class="top">
<div class="bar-inner"><span class="mark-name" aria-label="Tangent"><svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true"><circle cx="10" cy="15" r="6.5"/><path d="M3.2 8.5 21.5 8.5"/><circle class="dot" cx="10" cy="8.5" r="2.4"/></svg>Tangent</span>
<nav aria-label="Sections">${SECTIONS.map(({ id, link }) => html`<a href="#${id}">${link}</a>`)}<a href="/report">Report</a></nav></div>
<p id="lost" class="lost away" role="status">The server does not answer; trying again.</p>
</header>
<main id="main">
<div class="hero">
<p class="project">${name}</p>
<h1 id="headline" class="good">Connecting…</h1>
<p class="lead" id="doing"></p>
<noscript><p>This page shows a campaign as it goes on, by its script. Without one: <code>tangent report</code> writes a report that needs none.</p></noscript>
<div class="bar time" aria-hidden="true"><span class="tests" id="time-bar"></span></div>
<div class="acts"><button type="button" class="chip stop" id="stop" disabled>Stop</button><button type="button" class="chip" id="help-open">Keys</button><span id="stop-answer" class="quiet" role="status"></span><span id="go-on" class="away">To go on, type <code id="go-on-command">tangent amplify</code></span></div>
<dl class="figures">${FIGURES.map(([id, words]) => html`<div><dt id="${id.replace("f-", "n-")}">${words}</dt><dd id="${id}">–</dd></div>`)}</dl>
<p id="news" class="hidden" role="status"></p>
</div>
${SECTIONS.map(({ id, heading, body }) => html`<section id="${id}" aria-labelledby="h-${id}"><h2 id="h-${id}">${heading}</h2>${body}</section>`)}
</main>
<dialog id="help" aria-labelledby="h-help"><h2 id="h-help">Keys</h2><dl>${KEYS.map(([key, words]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${words}</dd></div>`)}</dl><button type="button" class="chip" id="help-close">Close</button></dialog>
<footer><p>Shows <code>${root}</code> as it is now.</p></footer>
<script>${new Markup(LIVE_SCRIPT)}</script>
</body>
</html>
`.text;
}
