// The report as one HTML file: no server, no other file, no framework. It is made from the result and the sources as they
// are when it is written. A content security policy lets nothing run but our own script, by its hash: should an escape
// ever be missed, what gets in is dead text.

import { createHash } from "node:crypto";
import { basename } from "node:path";
import { NO_SOURCES, type ReadSource } from "../../project/sources.js";
import type { CampaignResult, ResultFinding } from "../campaign-result.js";
import { extent, testsDone } from "../extent.js";
import { bugsInWords, groupsOf } from "../finding-groups.js";
import { counted, pathsBelow, seconds } from "../finding-view.js";
import { coverageSection, percentOf, shareOf } from "./coverage-section.js";
import { groupSection } from "./group-section.js";
import { Html, html } from "./markup.js";
import { notExploredSection } from "./not-explored-section.js";
import { SCRIPT } from "./script.js";
import { seedsSection } from "./seeds-section.js";
import { STYLE } from "./style.js";
import { timelineSection } from "./timeline-section.js";

export interface PageOptions {
  readonly readSource: ReadSource;
}

/** So many findings are open at first: all of a few, the first of many. */
const OPEN_ALL = 3;

export function renderPage(result: CampaignResult, options: Partial<PageOptions> = {}): string {
  const readSource = withMemory(options.readSource ?? NO_SOURCES);
  const shown = pathsBelow(result.project);
  const groups = groupsOf(result.findings);
  const findings = groups.flatMap(({ members }) => members);
  const name = basename(result.project) || result.project;
  const hash = createHash("sha256").update(SCRIPT).digest("base64");
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  const page = html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${headline(findings)} in ${name} · Tangent</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the findings</a>
<header class="top">
<div class="bar-inner"><span class="mark-name" aria-label="Tangent"><svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true"><circle cx="10" cy="15" r="6.5"/><path d="M3.2 8.5 21.5 8.5"/><circle class="dot" cx="10" cy="8.5" r="2.4"/></svg>Tangent</span>
<nav aria-label="Sections"><a href="#findings">Findings</a><a href="#coverage">Coverage</a><a href="#tests">Tests</a><a href="#timeline">Timeline</a><a href="#limits">Limits</a></nav></div>
</header>
<main id="main">
<div class="hero">
<p class="project">${name}</p>
<h1 class="${findings.length > 0 ? "bad" : "good"}">${headline(findings)}${findings.length > 0 ? " next to your tests" : ""}</h1>
<p class="lead">${lead(result)}</p>
${figures(result)}
</div>
<section id="findings" aria-labelledby="h-findings">
<h2 id="h-findings">Findings</h2>
${findings.length === 0 ? html`<p class="quiet">${noneFound(result)}</p>` : controls(findings.map(({ severity }) => severity))}
<div class="findings">${groups.map((group, index) => groupSection(group, { shown, readSource, open: groups.length <= OPEN_ALL || index === 0 }))}</div>
</section>
<section id="coverage" aria-labelledby="h-coverage"><h2 id="h-coverage">Coverage</h2>${coverageSection(result.files, shown, readSource)}</section>
<section id="tests" aria-labelledby="h-tests"><h2 id="h-tests">Tests</h2><p class="quiet">${testsInWords(result)}</p>${seedsSection(result.seeds, findings, shown)}</section>
<section id="timeline" aria-labelledby="h-timeline"><h2 id="h-timeline">Timeline</h2>${timelineSection(result, shown)}</section>
<section id="limits" aria-labelledby="h-limits"><h2 id="h-limits">What was not explored, and why</h2>${notExploredSection(result)}</section>
</main>
<footer><p>Made by ${result.tool} from results of version ${result.version} on ${day(result.startedAt)}, in <code>${result.project}</code>.</p></footer>
<script>${new Html(SCRIPT)}</script>
</body>
</html>
`;
  return page.text;
}

function noneFound(result: CampaignResult): string {
  const { done, usable } = testsDone(result);
  const checked = "dangerous operation on their paths was checked for all inputs that take the same path";
  if (done === 0) return "No test was looked at, so this says nothing.";
  if (done < usable) {
    return `${done} of ${counted(usable, "test")} were looked at before the end: every ${checked}, and none fails. More time (--time) does the others.`;
  }
  return `Of ${counted(done, "test")} every ${checked}, and the paths around them were explored up to distance ${result.totals.distance}. None of them fails.`;
}

function headline(findings: readonly ResultFinding[]): string {
  return findings.length === 0 ? "No bugs found" : bugsInWords(findings);
}

function lead(result: CampaignResult): string {
  const { durationMs, reason } = result;
  const why = {
    complete: "Everything within the limits was done",
    time: "The time was used up",
    aborted: "It was stopped",
  }[reason];
  return `${why} after ${seconds(durationMs)}: ${extent(result)}. Each finding was run again before it was put here.`;
}

function figures({ totals, files, seeds }: CampaignResult): Html {
  const share = shareOf(files);
  const entries: [string, string][] = [
    [String(testsDone({ seeds }).done), "tests amplified"],
    [thousands(totals.checks), "checks made"],
    [thousands(totals.paths), "paths run"],
    [thousands(totals.queries), "solver queries"],
    [percentOf(share.tests, share.all), "of lines by the tests"],
    [`+${share.added}`, "lines by Tangent"],
  ];
  return html`<dl class="figures">${entries.map(([value, name]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function controls(severities: readonly string[]): Html {
  const present = ["critical", "high", "medium", "low"].filter((severity) => severities.includes(severity));
  const count = (severity: string): number => severities.filter((one) => one === severity).length;
  return html`<div class="controls findings-controls" role="group" aria-label="Filter the findings">
<label class="search"><span class="hidden">Search the findings</span><input type="search" id="find" placeholder="Search: file, function, kind"></label>
${present.map((severity) => html`<button type="button" class="chip" data-severity-filter="${severity}" aria-pressed="true"><span class="dot ${severity}"></span>${severity} <span class="count">${count(severity)}</span></button>`)}
<button type="button" class="chip" data-toggle-all=".finding">Open or close all</button>
<span id="shown" class="quiet" role="status"></span></div>`;
}

function testsInWords({ totals, seeds }: CampaignResult): string {
  const skipped = seeds.filter((seed) => seed.skipped !== null).length;
  const left = skipped === 0 ? "" : ` ${skipped} could not be used.`;
  return `${counted(totals.invocations, "invocation")} of the programs under test were recorded, ${counted(totals.seeds, "different one")}.${left}`;
}

function thousands(value: number): string {
  return value.toLocaleString("en-US").replaceAll(",", "\u202f");
}

function day(iso: string): string {
  return iso.slice(0, 16).replace("T", " at ");
}

/** Several sections look at the same file. */
function withMemory(read: ReadSource): ReadSource {
  const known = new Map<string, string | null>();
  return (file) => {
    const before = known.get(file);
    if (before !== undefined) return before;
    const source = read(file);
    known.set(file, source);
    return source;
  };
}
