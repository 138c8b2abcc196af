// The parts of a page that every technique's has.

import type { ReadSource } from "../../project/sources.js";
import type { CampaignResult } from "../campaign-result.js";
import { groupsOf } from "../finding-groups.js";
import { pathsOf } from "../finding-view.js";
import { unsuppressed } from "../suppressed.js";
import { coverageSection } from "./coverage-section.js";
import { groupSection } from "./group-section.js";
import { type Html, html } from "./markup.js";
import { notExploredSection } from "./not-explored-section.js";
import { timelineSection } from "./timeline-section.js";

export interface PageContent {
  /** For the tab, and as the page's headline. */
  readonly title: { readonly short: string; readonly long: string };
  readonly isBad: boolean;
  readonly lead: string;
  /** Below the lead. */
  readonly hero: Html;
  readonly sections: readonly PageSection[];
}

export interface PageSection {
  readonly id: string;
  /** In the bar at the top. */
  readonly link: string;
  readonly heading: string;
  readonly body: Html;
}

/** So many findings are open at first: all of a few, the first of many. */
const OPEN_ALL = 3;

/** `none`: what is said if there are none. `hasTests`: whether the page lists the tests that findings refer to. */
export function findingsSection(
  result: CampaignResult,
  readSource: ReadSource,
  { none, hasTests }: { readonly none: string; readonly hasTests: boolean },
): PageSection {
  const shown = pathsOf(result);
  const groups = groupsOf(unsuppressed(result.findings));
  const findings = groups.flatMap(({ members }) => members);
  const left = groupsOf(result.findings.filter(({ suppressed }) => suppressed !== undefined));
  const context = { shown, readSource, hasTests };
  const body = html`${findings.length === 0 ? html`<p class="quiet">${none}</p>` : controls(findings.map(({ severity }) => severity))}
<div class="findings">${groups.map((group, index) => groupSection(group, { ...context, open: groups.length <= OPEN_ALL || index === 0 }))}</div>
${(result.hints ?? []).map((hint) => html`<p class="hint">${hint}</p>`)}
${left.length === 0 ? null : html`<h3 class="suppressed-head">Suppressed by tangent.toml</h3><div class="findings">${left.map((group) => groupSection(group, { ...context, open: false }))}</div>`}`;
  return { id: "findings", link: "Findings", heading: "Findings", body };
}

export function coverageOf(result: CampaignResult, readSource: ReadSource): PageSection {
  const body = coverageSection(result.files, pathsOf(result), readSource);
  return { id: "coverage", link: "Coverage", heading: "Coverage", body };
}

export function lastSections(result: CampaignResult): readonly PageSection[] {
  const timeline = timelineSection(result, pathsOf(result));
  const limits = notExploredSection(result);
  return [
    { id: "timeline", link: "Timeline", heading: "Timeline", body: timeline },
    { id: "limits", link: "Limits", heading: "What was not explored, and why", body: limits },
  ];
}

export function figureList(entries: readonly (readonly [value: string, name: string])[]): Html {
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

export function thousands(value: number): string {
  return value.toLocaleString("en-US").replaceAll(",", "\u202f");
}
