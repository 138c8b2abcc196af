// What the two versions do differently with the same input, side by side; failures of the new one first.

import { commandSegments, counted, plainText } from "../finding-view.js";
import type { BehaviourChange, BehaviourDifference, PatchCampaignResult } from "../patch-result.js";
import { behaviourInWords, byUrgency, SEVERITY_WORDS, sourceOf } from "../patch-view.js";
import { type Html, html } from "./markup.js";

const CHANGES_SHOWN = 500;
const TEXT_SHOWN = 6000;
const OPEN_AT_MOST = 3;
const MARKS: { readonly [Severity in BehaviourChange["severity"]]: string } = {
  crash: "✗",
  different: "≠",
  fixed: "✓",
};

export function behaviourSection(result: PatchCampaignResult): Html {
  const changes = byUrgency(result.behaviour);
  const rest = changes.length - CHANGES_SHOWN;
  return html`<p class="quiet">${behaviourInWords(result)}</p>
${changes.slice(0, CHANGES_SHOWN).map((change, index) => changeOf(change, result, index < OPEN_AT_MOST))}
${rest > 0 ? html`<p class="quiet">${counted(rest, "more input is", "more inputs are")} in results.json.</p>` : null}`;
}

function changeOf(change: BehaviourChange, result: PatchCampaignResult, isOpen: boolean): Html {
  const { severity, command, differences, source } = change;
  const what = differences.map((difference) => difference.what).join(", ");
  const from = sourceOf(change, result);
  const target =
    source.kind === "input"
      ? result.targets.findIndex(({ state }) => state.kind === "reached" && state.input === source.input)
      : -1;
  const link = target >= 0 ? `#t-${target}` : source.kind === "finding" ? `#f-${source.id}` : null;
  return html`<details class="change ${severity}"${isOpen ? html` open` : null}>
<summary><b class="verdict ${severity}" aria-hidden="true">${MARKS[severity]}</b><span class="headline"><h3>${SEVERITY_WORDS[severity]}</h3> <code>${plainText(commandSegments(command, command, 200))}</code></span><span class="tag">${what}</span></summary>
<div class="change-body"><p class="quiet">From ${link === null ? from : html`<a href="${link}">${from}</a>`}.</p>
${differences.map(sides)}</div></details>`;
}

function sides({ what, before, after }: BehaviourDifference): Html {
  const [old, fresh] = [before, after].map((text) => cut(text).split("\n"));
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start++;
  let end = 0;
  const most = Math.min(old.length, fresh.length) - start;
  while (end < most && old[old.length - 1 - end] === fresh[fresh.length - 1 - end]) end++;
  const side = (name: string, lines: readonly string[], mark: "was" | "now"): Html =>
    html`<figure><figcaption>${name}</figcaption><pre tabindex="0"><code>${lines.map((line, at) => (at >= start && at < lines.length - end && line !== "" ? html`<mark class="${mark}">${line}</mark>\n` : html`${line}\n`))}</code></pre></figure>`;
  return html`<h4>${what}</h4><div class="sides">${side("Before", old, "was")}${side("After", fresh, "now")}</div>`;
}

function cut(text: string): string {
  const shown = text.slice(0, TEXT_SHOWN).replace(/\n$/, "");
  return text.length > TEXT_SHOWN ? `${shown}\n… ${text.length - TEXT_SHOWN} more characters` : shown;
}
