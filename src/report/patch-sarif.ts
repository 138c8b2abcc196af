// Changed code that nobody reached, as notes of SARIF: a reviewer sees them in the diff, beside the findings. A note is
// known again by its file, its function and what its changed lines say, so that it stays the same one when the code
// around it moves.

import { createHash } from "node:crypto";
import { pathsOf } from "./finding-view.js";
import type { PatchCampaignResult, PatchTarget } from "./patch-result.js";
import { reasonsOf } from "./patch-view.js";

export const TARGET_RULES = [
  {
    id: "changed-code-not-reached",
    name: "ChangedCodeNotReached",
    shortDescription: { text: "Changed code that no test runs" },
    fullDescription: { text: "No test of the project runs this changed code, and Tangent found no input that does." },
    help: { text: "Add a test for it, or see the reason why it was not reached." },
    defaultConfiguration: { level: "note" },
  },
  {
    id: "changed-code-unreachable",
    name: "ChangedCodeUnreachable",
    shortDescription: { text: "Changed code that cannot be reached" },
    fullDescription: { text: "Nothing in the program leads to this changed code." },
    help: { text: "Is it dead code, or is something missing that should lead there?" },
    defaultConfiguration: { level: "note" },
  },
] as const;

export interface TargetNote {
  readonly ruleId: (typeof TARGET_RULES)[number]["id"];
  readonly text: string;
  readonly target: PatchTarget;
  readonly fingerprint: string;
}

export function targetNotes(result: PatchCampaignResult): readonly TargetNote[] {
  const shown = pathsOf(result);
  const texts = changedTexts(result);
  const met = new Map<string, number>();
  return result.targets.flatMap((target): TargetNote[] => {
    const { state } = target;
    if (state.kind === "covered" || state.kind === "reached") return [];
    const key = JSON.stringify([
      target.file,
      target.function,
      target.lines.map((line) => texts.get(`${line} ${target.file}`) ?? ""),
    ]);
    const occurrence = met.get(key) ?? 0;
    met.set(key, occurrence + 1);
    const fingerprint = createHash("sha256").update(`${occurrence} ${key}`).digest("hex").slice(0, 24);
    if (state.kind === "unreachable") {
      return [{ ruleId: "changed-code-unreachable", text: `Cannot be reached: ${state.why}`, target, fingerprint }];
    }
    const text = [`Not reached: ${state.why.sentence}`, ...reasonsOf(state.why, shown)].join("; ");
    return [{ ruleId: "changed-code-not-reached", text, target, fingerprint }];
  });
}

/** What changed lines say, without how they are indented; by `line file`. */
function changedTexts({ changes }: PatchCampaignResult): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const { newPath, hunks } of changes.files) {
    for (const { newStart, lines } of hunks) {
      let number = newStart;
      for (const { kind, text } of lines) {
        if (kind === "removed") continue;
        texts.set(`${number} ${newPath}`, text.trim());
        number++;
      }
    }
  }
  return texts;
}
