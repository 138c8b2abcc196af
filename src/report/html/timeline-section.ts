// Coverage over time as a curve, with a mark where each finding was made. The curve is SVG that stretches with the page;
// words and marks are HTML above it, so that they keep their size on a phone.

import type { CampaignResult } from "../campaign-result.js";
import { counted, type ShownPath, seconds, whereOf } from "../finding-view.js";
import { severityClass } from "./finding-section.js";
import { type Html, html } from "./markup.js";

/** More points than pixels add nothing. */
const POINT_LIMIT = 800;
const WIDTH = 1000;
const HEIGHT = 200;

export function timelineSection(result: CampaignResult, shown: ShownPath): Html {
  const { timeline, durationMs, findings } = result;
  if (timeline.length === 0 || durationMs <= 0)
    return html`<p class="quiet">Nothing was run, so there is nothing to draw.</p>`;
  const step = Math.ceil(timeline.length / POINT_LIMIT);
  const points = timeline.filter((_, index) => index % step === 0 || index === timeline.length - 1);
  const top = Math.max(1, ...points.map(({ blocks }) => blocks)) * 1.08;
  const x = (ms: number): number => Math.min(WIDTH, (ms * WIDTH) / durationMs);
  const y = (blocks: number): number => HEIGHT - (blocks * HEIGHT) / top;
  let curve = `M0 ${HEIGHT}`;
  let height = HEIGHT;
  for (const { ms, blocks } of points) {
    curve += ` L${x(ms).toFixed(1)} ${height.toFixed(1)}`;
    height = y(blocks);
    curve += ` L${x(ms).toFixed(1)} ${height.toFixed(1)}`;
  }
  curve += ` L${WIDTH} ${height.toFixed(1)}`;
  const last = timeline[timeline.length - 1];
  const words = `After ${seconds(durationMs)} ${counted(last.blocks, "block")} of code were reached and ${counted(findings.length, "finding")} made.`;
  const marks = findings.map((finding) => {
    const at = ((Math.min(finding.foundMs, durationMs) * 100) / durationMs).toFixed(2);
    const label = `${finding.title} at ${whereOf(finding, shown)}, after ${seconds(finding.foundMs)}`;
    return html`<a class="mark ${severityClass(finding)}" style="left:${at}%" href="#f-${finding.id}" title="${label}" aria-label="${label}"></a>`;
  });
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((part) => html`<span>${seconds(durationMs * part)}</span>`);
  return html`<figure class="timeline">
<div class="plot"><span class="scale">${counted(last.blocks, "block")}</span>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${words}"><g class="grid">${[0.25, 0.5, 0.75].map((part) => html`<line x1="${WIDTH * part}" x2="${WIDTH * part}" y1="0" y2="${HEIGHT}"/>`)}</g><path class="area" d="${curve} L${WIDTH} ${HEIGHT} Z"/><path class="curve" d="${curve}"/></svg>
<div class="marks">${marks}</div></div>
<div class="ticks" aria-hidden="true">${ticks}</div>
<figcaption>${words} ${findings.length > 0 ? "Each mark is a finding." : ""}</figcaption></figure>`;
}
