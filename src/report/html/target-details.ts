// What is behind a changed line: the input that reaches it, as a command, as files and as a script that can be run as
// it is; or why nothing did.

import { commandSegments, counted, pathsOf, type ShownPath } from "../finding-view.js";
import { renderPatchTest } from "../patch-export.js";
import type { PatchCampaignResult, PatchInput, PatchTarget, ResultTreeEntry } from "../patch-result.js";
import { counterparts, LINE_STATES, placeOfTarget, reasonsOf, targetInWords } from "../patch-view.js";
import { escaped, isPrintable } from "../shell-words.js";
import { type Html, html } from "./markup.js";

export interface TargetSection {
  /** Null: there is nothing more to say than its state. */
  readonly details: Html | null;
  /** As an entry of its own. */
  readonly alone: Html;
}

const CONTENT_SHOWN = 2000;
const ENTRIES_SHOWN = 30;
const SCRIPT_LIMIT = 30_000;
/** All scripts of a page. */
const SCRIPTS_LIMIT = 3_000_000;

export function targetSections(result: PatchCampaignResult): readonly TargetSection[] {
  const shown = pathsOf(result);
  let room = SCRIPTS_LIMIT;
  return result.targets.map((target, index) => {
    let script: string | null = null;
    if (target.state.kind === "reached") {
      const input = result.inputs[target.state.input];
      // Nothing was run for the page: what a test would expect is not known (--export DIR finds it out).
      script = renderPatchTest(input, [target], result, { style: "shell", native: true, check: { kind: "run" } });
      if (script.length > Math.min(room, SCRIPT_LIMIT)) script = null;
      else room -= script.length;
    }
    const details = detailsOf(target, result, script, shown);
    const { mark, name } = LINE_STATES[target.state.kind];
    const head = html`<b class="state ${target.state.kind}" title="${name}">${mark}</b> <span class="where">${placeOfTarget(target)}</span> <span class="quiet">${name}</span>`;
    const alone =
      details === null
        ? html`<p class="target">${head} <span class="quiet">${targetInWords(target)}</span></p>`
        : html`<details class="line target" id="t-${index}"><summary>${head}</summary><div class="line-body">${details}</div></details>`;
    return { details, alone };
  });
}

function detailsOf(
  target: PatchTarget,
  result: PatchCampaignResult,
  script: string | null,
  shown: ShownPath,
): Html | null {
  const { state, distance } = target;
  const away = distance === null ? null : html`<p class="quiet">${distanceInWords(distance)}</p>`;
  const programs = html`<p class="quiet">In ${target.programs.map(shown).join(", ")}.</p>`;
  switch (state.kind) {
    case "covered":
      return null;
    case "reached":
      return html`<p class="message">${sentence(targetInWords(target))}</p>${away}${inputDetails(result.inputs[state.input], script, shown)}`;
    case "unreachable":
      return html`<p class="message">${sentence(targetInWords(target))}</p>${programs}`;
    case "not-reached": {
      const reasons = reasonsOf(state.why, shown);
      const list = reasons.length === 0 ? null : html`<ul>${reasons.map((reason) => html`<li>${reason}</li>`)}</ul>`;
      return html`<p class="message">${sentence(targetInWords(target))}</p>${list}${away}${programs}`;
    }
  }
}

function distanceInWords(distance: number): string {
  if (distance === 0) return "A test already came to its block.";
  return `The nearest test turned away ${counted(distance, "branch", "branches")} before it.`;
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}

function inputDetails(input: PatchInput, script: string | null, shown: ShownPath): Html {
  const stdin = input.stdin === null ? "" : " < stdin";
  const segments = (words: readonly string[], others: readonly string[], mark: "was" | "now"): Html[] =>
    commandSegments(words, counterparts(words, others)).map(({ text, changed }) =>
      changed ? html`<mark class="${mark}">${text}</mark>` : html`${text}`,
    );
  const confirmed = input.confirmed === "native" ? "natively" : "in the VM";
  return html`<div class="commands">
<div class="command seed"><span class="label">Test</span><pre tabindex="0"><code>${segments(input.seedCommand, input.command, "was")}</code></pre></div>
<div class="command" data-copy="the command"><span class="label">Input</span><pre tabindex="0"><code>${segments(input.command, input.seedCommand, "now")}${stdin}</code></pre></div>
</div>
${input.steps.length === 0 ? null : html`<h4>What was done to the test</h4><ol class="steps">${input.steps.map((step) => html`<li>${step}</li>`)}</ol>`}
${input.stdin === null ? null : html`<h4>Standard input</h4>${content(Buffer.from(input.stdin, "base64"))}`}
${files(input.tree, shown)}
<p class="quiet">It was run ${confirmed}${input.end === "" ? "" : `, and ended so: ${input.end}`}. Made from the test <code>${input.seedId}</code> in <code>${shown(input.workingDirectory)}</code>; its id is <code>${input.id}</code>.</p>
<h4>Run it</h4>
<div class="command" data-copy="the command"><pre tabindex="0"><code>tangent replay ${input.id}</code></pre></div>
${
  script === null
    ? html`<p class="quiet">The script is too long for this page: <code>--export DIR</code> writes it.</p>`
    : html`<details class="more"><summary>as a shell script; <code>--export DIR</code> writes it as a test that can be kept</summary><div class="command" data-copy="the script"><pre tabindex="0"><code>${script}</code></pre></div></details>`
}`;
}

function files(tree: readonly ResultTreeEntry[], shown: ShownPath): Html | null {
  const entries = tree.filter(({ kind }) => kind !== "missing");
  if (entries.length === 0) return null;
  const rest = entries.length - ENTRIES_SHOWN;
  return html`<h4>Files</h4><ul class="tree">${entries.slice(0, ENTRIES_SHOWN).map((entry) => html`<li>${fileEntry(entry, shown)}</li>`)}</ul>${rest > 0 ? html`<p class="quiet">and ${rest} more</p>` : null}`;
}

function fileEntry({ kind, path, bytes = "", mode, to = "" }: ResultTreeEntry, shown: ShownPath): Html {
  const name = html`<code>${shown(path)}</code>${mode === undefined ? null : html` <span class="quiet">${(mode & 0o7777).toString(8).padStart(4, "0")}</span>`}`;
  if (kind === "link") return html`${name} <span class="quiet">is a link to</span> <code>${to}</code>`;
  if (kind !== "file") return html`${name} <span class="quiet">is a ${kind}</span>`;
  const bytesOfFile = Buffer.from(bytes, "base64");
  return html`<details class="more"><summary>${name} <span class="quiet">${counted(bytesOfFile.length, "byte")}</span></summary>${content(bytesOfFile)}</details>`;
}

/** Lines of text as they are; other bytes escaped. */
function content(bytes: Buffer): Html {
  if (bytes.length === 0) return html`<p class="quiet">empty</p>`;
  const part = bytes.subarray(0, CONTENT_SHOWN);
  const isText = part.every((byte) => byte === 9 || byte === 10 || isPrintable(Uint8Array.of(byte)));
  const left = bytes.length - part.length;
  return html`<pre class="content" tabindex="0"><code>${isText ? part.toString("latin1") : escaped(part)}</code></pre>${left > 0 ? html`<p class="quiet">${counted(left, "more byte")}</p>` : null}`;
}
