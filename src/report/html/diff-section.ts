// The patch as reviewers know it, with what is known of each changed line: its letter, its colour, and behind a click
// the input that reaches it or the reason why none does. Lines are details elements, so that it works without a script.

import type { ChangedFile, DiffLine, Hunk } from "../../project/patch/changes.js";
import type { PatchCampaignResult, PatchLine } from "../patch-result.js";
import { LINE_STATES } from "../patch-view.js";
import { highlightLines } from "./highlight.js";
import { type Html, html } from "./markup.js";
import type { TargetSection } from "./target-details.js";

export interface DiffSection {
  readonly body: Html;
  /** Targets that are behind a line of it, by index. */
  readonly shown: ReadonlySet<number>;
}

/** A larger patch would make a page that no browser likes. */
const LINE_LIMIT = 20_000;

export function diffSection(result: PatchCampaignResult, targets: readonly TargetSection[]): DiffSection {
  const { changes, lines } = result;
  const states = new Map<string, PatchLine>();
  for (const line of lines) states.set(`${line.line} ${line.file}`, line);
  const context: Context = { states, targets, shown: new Set(), room: LINE_LIMIT };
  const files = changes.files.map((file) => fileOf(file, context));
  const left =
    context.room < 0
      ? html`<p class="quiet">${-context.room} lines of the patch are not shown: too many for one page.</p>`
      : null;
  return { body: html`${legend()}${files}${left}`, shown: context.shown };
}

interface Context {
  readonly states: ReadonlyMap<string, PatchLine>;
  readonly targets: readonly TargetSection[];
  readonly shown: Set<number>;
  /** Lines that may still be shown; below zero: those that were not. */
  room: number;
}

function legend(): Html {
  const keys = Object.entries(LINE_STATES).map(
    ([state, { mark, name }]) => html`<span class="key"><b class="state ${state}">${mark}</b>${name}</span>`,
  );
  return html`<div class="legend states">${keys}</div>`;
}

function fileOf(file: ChangedFile, context: Context): Html {
  const { oldPath, newPath, hunks } = file;
  const name = newPath ?? oldPath ?? "";
  const what =
    oldPath === null ? "new file" : newPath === null ? "deleted" : oldPath === newPath ? "" : `renamed from ${oldPath}`;
  const counts = { added: 0, removed: 0, context: 0 };
  for (const { lines } of hunks) for (const { kind } of lines) counts[kind]++;
  return html`<details class="patch-file" open><summary><h3>${name}</h3>${what === "" ? null : html` <span class="tag">${what}</span>`} <span class="counts"><span class="plus">+${counts.added}</span> <span class="minus">−${counts.removed}</span></span></summary>
<div class="hunks">${hunks.map((hunk) => hunkOf(hunk, name, context))}</div></details>`;
}

function hunkOf({ oldStart, newStart, heading, lines }: Hunk, file: string, context: Context): Html {
  const removed = lines.filter(({ kind }) => kind !== "added").length;
  const added = lines.filter(({ kind }) => kind !== "removed").length;
  let oldLine = oldStart;
  let newLine = newStart;
  const rows: Html[] = [
    html`<div class="dl hunk"><code>@@ −${oldStart},${removed} +${newStart},${added} @@ ${heading}</code></div>`,
  ];
  for (const line of lines) {
    const numbers = { old: line.kind === "added" ? null : oldLine, new: line.kind === "removed" ? null : newLine };
    if (line.kind !== "added") oldLine++;
    if (line.kind !== "removed") newLine++;
    context.room--;
    if (context.room >= 0) rows.push(rowOf(line, numbers, file, context));
  }
  return html`${rows}`;
}

const SIGNS = { context: " ", added: "+", removed: "−" } as const;

function rowOf(
  { kind, text }: DiffLine,
  numbers: { readonly old: number | null; readonly new: number | null },
  file: string,
  { states, targets, shown }: Context,
): Html {
  const known = kind === "added" ? states.get(`${numbers.new} ${file}`) : undefined;
  const state = kind === "added" ? (known?.state ?? "not-executable") : null;
  const words = state === null ? null : LINE_STATES[state];
  const mark =
    words === null || state === null
      ? html`<span></span>`
      : html`<b class="state ${state}" title="${words.name}"><span aria-hidden="true">${words.mark}</span><span class="hidden">${words.name}</span></b>`;
  const cells = html`<i>${numbers.old}</i><i>${numbers.new}</i><span class="sign">${SIGNS[kind]}</span>${mark}<code>${highlightLines(text)}</code>`;
  const names = `dl ${kind}${state === null ? "" : ` is-${state}`}`;
  const index = known?.targets.find((target) => targets[target].details !== null);
  if (index === undefined) {
    for (const target of known?.targets ?? []) shown.add(target);
    return html`<div class="${names}">${cells}</div>`;
  }
  if (shown.has(index)) return html`<a class="${names}" href="#t-${index}">${cells}</a>`;
  shown.add(index);
  return html`<details class="line" id="t-${index}"><summary class="${names}">${cells}</summary><div class="line-body">${targets[index].details}</div></details>`;
}
