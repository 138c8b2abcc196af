// How a failure of a function is led up to `main`, as a picture: a box a function, the caller above the called one, with what must hold at
// its call. A failure that was not led up has the same picture as far as it goes, and what is in the way above it.

import type { ComposeTarget } from "../../techniques/compose/compose-outcome.js";
import type { ChainLink } from "../../techniques/compose/compose-work.js";
import type { ConditionInWords } from "../../techniques/unit/explore-unit.js";
import type { ComposeCampaignResult } from "../compose-result.js";
import {
  findingOf,
  kindInWords,
  liftedOf,
  needOf,
  notLiftedOf,
  obstacleInWords,
  obstaclesOf,
  openOf,
  placeInWords,
  reasonOf,
  shortValue,
  whereOfTarget,
} from "../compose-view.js";
import { asSentence, counted, type ShownPath } from "../finding-view.js";
import { withoutAddresses } from "../unit-text.js";
import { type Html, html } from "./markup.js";

/** A page with more is slow to open; results.json has them all. */
const MOST_TARGETS = 500;
const MOST_CONDITIONS = 12;
const MOST_ARGUMENTS = 12;
const OPEN_ALL = 3;

export function chainSections(result: ComposeCampaignResult, shown: ShownPath): Html {
  const targets = liftedOf(result);
  const parts = targets.slice(0, MOST_TARGETS).map((target, index) => {
    const { finding } = target.state;
    const link =
      findingOf(result, finding) === null
        ? html`<code>${finding}</code>`
        : html`<a href="#f-${finding}"><code>${finding}</code></a>`;
    return html`<details class="lifting" id="c-${index}"${targets.length <= OPEN_ALL || index === 0 ? html` open` : null}>
<summary><span class="headline"><h3>${kindInWords(target)}</h3><span class="where">${whereOfTarget(target, shown)}</span></span><span class="tags"><span class="tag">${counted(target.chain.length, "function")}</span></span></summary>
<div class="lifting-body"><p class="quiet">The failing input is finding ${link}.</p>${chainPicture(target, shown, "fails")}</div></details>`;
  });
  return html`<p class="quiet">A failure was found in the function at the bottom of each picture, tested by itself. What it needs was asked of its caller, and so on; the program's input at the top was then run.</p>
<div class="liftings">${parts}</div>${rest(targets.length)}`;
}

export function notLiftedSections(result: ComposeCampaignResult, shown: ShownPath): Html | null {
  const targets = notLiftedOf(result);
  if (targets.length === 0) return null;
  const parts = targets.slice(0, MOST_TARGETS).map((target) => {
    // A contradiction names it itself.
    const need = obstaclesOf(target)[0]?.state.kind === "contradicted" ? null : needOf(target);
    const obstacles = obstaclesOf(target).map(
      (obstacle) =>
        html`<li><span class="where">${placeInWords(obstacle, shown) || obstacle.caller}</span> ${asSentence(obstacleInWords(obstacle, shown))}</li>`,
    );
    return html`<details class="lifting stopped" data-words="${`${target.functionName} ${target.kind} ${target.file ?? ""}`.toLowerCase()}">
<summary><span class="headline"><h3>${kindInWords(target)}</h3><span class="where">${whereOfTarget(target, shown)}</span></span>
<span class="decisive">${need === null ? null : html`<code>${need}</code> `}${asSentence(reasonOf(target, shown))}</span></summary>
<div class="lifting-body">${target.message === "" || target.message === target.kind ? null : html`<p>${asSentence(target.message)}</p>`}
${obstacles.length === 0 ? null : html`<h4>What each caller has against it</h4><ul class="obstacles">${obstacles}</ul>`}
${target.chain.length === 0 ? null : html`<h4>${target.chain.length === 1 ? "What the function needs" : "How far up it was led"}</h4>${chainPicture(target, shown, "would fail")}`}</div></details>`;
  });
  return html`<p class="quiet">These functions fail for some arguments, but no caller was shown to pass such. So they are not reported as bugs: each says what a function relies on, and where that is checked.</p>
${targets.length > 8 ? html`<p class="controls"><label>Show those with <input type="search" data-filter-rows=".stopped" placeholder="a function, a file or a kind"></label></p>` : null}
<div class="liftings">${parts}</div>${rest(targets.length)}`;
}

export function openList(result: ComposeCampaignResult, shown: ShownPath): Html | null {
  const targets = openOf(result);
  if (targets.length === 0) return null;
  const rows = targets.slice(0, MOST_TARGETS).map((target) => {
    const need = needOf(target);
    return html`<li>${kindInWords(target)} <span class="where">${whereOfTarget(target, shown)}</span>${need === null ? null : html` <code>${need}</code>`}</li>`;
  });
  return html`<h4>There was no time to try</h4><ul class="obstacles">${rows}</ul>${rest(targets.length)}`;
}

function rest(all: number): Html | null {
  return all > MOST_TARGETS ? html`<p class="quiet">${counted(all - MOST_TARGETS, "more")} in results.json.</p>` : null;
}

/** `end`: what the last function does. */
function chainPicture(target: ComposeTarget, shown: ShownPath, end: string): Html {
  const { chain } = target;
  const links = chain.map((link, index) => {
    const isLast = index === chain.length - 1;
    const next = isLast ? null : html`<span class="calls">calls ${chain[index + 1].name}</span>`;
    return html`<li class="link${isLast ? html` failing` : null}">${linkBox(link, shown)}${next}</li>`;
  });
  return html`<ol class="chain" aria-label="The chain of calls, ${chain[0]?.name ?? ""} first">${links}</ol>
<p class="chain-end">${end} at <span class="where">${placeInWords(target, shown) || target.functionName}</span></p>`;
}

function linkBox(link: ChainLink, shown: ShownPath): Html {
  const place = placeInWords(link, shown);
  const values = link.arguments
    .slice(0, MOST_ARGUMENTS)
    .map(({ words, value }) => html`<code>${words} = ${shortValue(value)}</code>`);
  const left = link.arguments.length - values.length;
  return html`<div class="box"><p class="box-name"><b>${link.name}</b>${place === "" ? null : html` <span class="where">${place}</span>`}</p>
${link.condition.length === 0 ? null : html`<p class="box-part"><span class="label">needs</span> ${conditions(link.condition, shown)}</p>`}
${values.length === 0 ? null : html`<p class="box-part"><span class="label">for example</span> <span class="values">${values}${left > 0 ? html`<span class="quiet">${left} more</span>` : null}</span></p>`}</div>`;
}

function conditions(all: readonly ConditionInWords[], shown: ShownPath): Html {
  const { told, ofAddresses } = withoutAddresses(all);
  const parts = told.slice(0, MOST_CONDITIONS).map((condition) => {
    const place = placeInWords(condition, shown);
    return html`<code${place === "" ? null : html` title="${place}"`}>${condition.text}</code>`;
  });
  const left = told.length - parts.length;
  const more = [...(left > 0 ? [`${left} more`] : []), ...(ofAddresses === null ? [] : [ofAddresses])];
  return html`<span class="values conditions">${parts}${more.map((text) => html`<span class="quiet">${text}</span>`)}</span>`;
}
