// What every report says about a patch in the same words: how much of it is run, what became of each target and why,
// which inputs behave differently.

import type { WhyNot } from "../techniques/reach/why-not.js";
import { commandSegments, counted, plainText, type ShownPath, seconds } from "./finding-view.js";
import type {
  BehaviourChange,
  PatchCampaignResult,
  PatchInput,
  PatchLine,
  PatchTarget,
  ReachedBy,
} from "./patch-result.js";

/** A letter for those who see no colour, a short name for legends, and what it means. */
export const LINE_STATES: {
  readonly [State in PatchLine["state"]]: { readonly mark: string; readonly name: string };
} = {
  covered: { mark: "T", name: "run by the tests" },
  reached: { mark: "R", name: "reached by Tangent" },
  "not-reached": { mark: "N", name: "not reached" },
  unreachable: { mark: "U", name: "unreachable" },
  "not-executable": { mark: "·", name: "no code" },
  "white-space": { mark: "=", name: "white space only" },
};

export interface PatchShare {
  /** Changed lines that have code, or targets where there are no lines. */
  readonly all: number;
  readonly tests: number;
  readonly reached: number;
  readonly unreachable: number;
  readonly unit: "changed line" | "target";
}

export function shareOfPatch({ lines, targets }: PatchCampaignResult): PatchShare {
  const states: readonly string[] =
    lines.length > 0 ? lines.map(({ state }) => state) : targets.map(({ state }) => state.kind);
  const number = (kind: string): number => states.filter((state) => state === kind).length;
  return {
    all: states.length - number("not-executable") - number("white-space"),
    tests: number("covered"),
    reached: number("reached"),
    unreachable: number("unreachable"),
    unit: lines.length > 0 ? "changed line" : "target",
  };
}

/** "The tests run 1 of 4 changed lines; with Tangent's inputs it is 2. 1 is unreachable." */
export function shareInWords({ all, tests, reached, unreachable, unit }: PatchShare): string {
  if (all === 0) return unit === "target" ? "There was nothing to reach." : "No changed line has code.";
  const more = reached === 0 ? "Tangent reached no more." : `With Tangent's inputs it is ${tests + reached}.`;
  const dead = unreachable === 0 ? "" : ` ${unreachable} cannot be reached.`;
  return `The tests run ${tests} of ${counted(all, unit)}. ${more}${dead}`;
}

/** The time was over, or the user stopped it, before anything was known: what is not there says nothing. */
export function hasLooked({ reason, targets, timeline }: PatchCampaignResult): boolean {
  return reason === "complete" || targets.length > 0 || timeline.length > 0;
}

export const NOT_LOOKED = "There was no time to look: the programs were still being loaded. More is given by --time.";

/** `tangent reach`: the user named the targets. */
export function isReach({ changes }: PatchCampaignResult): boolean {
  return changes.files.length === 0;
}

const REACHED_WORDS: { readonly [By in ReachedBy]: string } = {
  greedy: "by taking the branches that lead closest to it",
  regeneration: "by going back to the branch that was in the way",
  definition: "by making a variable what the branch wants",
  move: "by changing the structure of a test's input",
  luck: "on the way to something else",
};

export function targetInWords(target: PatchTarget): string {
  const { state } = target;
  switch (state.kind) {
    case "covered":
      return `run by the test ${state.seedId}`;
    case "reached":
      return `reached ${REACHED_WORDS[state.by]}, after ${seconds(Math.max(0, state.milliseconds))}`;
    case "unreachable":
      return `unreachable: ${state.why}`;
    case "not-reached":
      return `not reached: ${state.why.sentence}`;
  }
}

export function placeOfTarget({ file, line, function: name }: PatchTarget): string {
  return `${file}:${line}${name === "" ? "" : ` in ${name}`}`;
}

/** Besides the sentence: where it turned away, what is against it, how far it was. */
export function reasonsOf(why: WhyNot, shown: ShownPath): string[] {
  const reasons: string[] = [];
  const { branch } = why;
  if (branch !== null) {
    reasons.push(
      `the nearest run turned away at ${shown(branch.file)}:${branch.line}: \`${branch.condition}\` would have to be ${branch.side}`,
    );
  }
  for (const { file, line, what } of why.because) reasons.push(`${shown(file)}:${line}: ${what}`);
  if (why.remaining !== null)
    reasons.push(
      `${counted(why.remaining, "branch", "branches")} were left to go`.replace(/^1 branch were/, "1 branch was"),
    );
  if (why.outOfTime) reasons.push("the time for it was up: more time may reach it");
  return reasons;
}

export function commandOfInput({ command, stdin, stdinKind }: PatchInput): string {
  const text = plainText(commandSegments(command, command));
  if (stdinKind === "closed") return `${text} <&-`;
  if (stdin === null) return text;
  return stdinKind === "pipe" ? `cat stdin | ${text}` : `${text} < stdin`;
}

/** More would take longer to compare than anybody looks. */
const ALIGNED_WORDS = 500;

/**
 * For each word its counterpart in the other command, the empty word if it has none: a move may have put one in or taken one out, and
 * then words do not stand where they stood.
 */
export function counterparts(words: readonly string[], others: readonly string[]): readonly string[] {
  if (words.length > ALIGNED_WORDS || others.length > ALIGNED_WORDS) return words.map((_, at) => others[at] ?? "");
  // Lengths of the longest common rest from each pair on.
  const rest = Array.from({ length: words.length + 1 }, () => new Uint16Array(others.length + 1));
  for (let one = words.length - 1; one >= 0; one--) {
    for (let two = others.length - 1; two >= 0; two--) {
      const isSame = words[one] === others[two];
      rest[one][two] = isSame ? rest[one + 1][two + 1] + 1 : Math.max(rest[one + 1][two], rest[one][two + 1]);
    }
  }
  const found: string[] = [];
  let gap: string[] = [];
  let two = 0;
  let from = 0;
  for (let one = 0; one <= words.length; one++) {
    while (
      two < others.length &&
      words[one] !== others[two] &&
      (one === words.length || rest[one][two + 1] === rest[one][two])
    ) {
      gap.push(others[two++]);
    }
    const isSame = one < words.length && words[one] === others[two] && rest[one][two] > rest[one + 1][two];
    if (one < words.length && !isSame) continue;
    // As many of what is between as there are on both sides belong together.
    const count = one - from;
    for (let at = 0; at < count; at++) found.push(count === gap.length ? gap[at] : "");
    gap = [];
    if (isSame) found.push(others[two++]);
    from = one + 1;
  }
  return found;
}

const SEVERITIES: readonly BehaviourChange["severity"][] = ["crash", "different", "fixed"];
export const SEVERITY_WORDS: { readonly [Severity in BehaviourChange["severity"]]: string } = {
  crash: "fails only since this patch",
  different: "behaves differently",
  fixed: "fails no more",
};

/** Failures of the new version first. */
export function byUrgency(behaviour: readonly BehaviourChange[]): readonly BehaviourChange[] {
  return [...behaviour].sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
}

/** Inputs that only the new version fails with: what a patch must not bring. */
export function regressionsOf({ behaviour }: PatchCampaignResult): readonly BehaviourChange[] {
  return behaviour.filter(({ severity }) => severity === "crash");
}

/** "2 of 9 inputs behave differently, 1 of them fails only since this patch". */
export function behaviourInWords(result: PatchCampaignResult): string {
  const { behaviour, compared } = result;
  if (compared === 0) return "No input was run by the old version too.";
  if (behaviour.length === 0) {
    return compared === 1
      ? "1 input was run by both versions, and both do the same with it."
      : `${compared} inputs were run by both versions, and both do the same with each.`;
  }
  const failing = regressionsOf(result).length;
  const worst = failing === 0 ? "" : `, ${failing} of them ${failing === 1 ? "fails" : "fail"} only since this patch`;
  return `Of ${counted(compared, "input")} that both versions were run with, ${behaviour.length} ${behaviour.length === 1 ? "behaves" : "behave"} differently${worst}.`;
}

/** The test or the input that it came from, in words. */
export function sourceOf({ source }: BehaviourChange, { inputs }: PatchCampaignResult): string {
  switch (source.kind) {
    case "test":
      return `the test ${source.seedId}`;
    case "input":
      return `the input ${inputs[source.input].id} made by Tangent`;
    case "finding":
      return `the witness of finding ${source.id}`;
  }
}

/** "3 of 7 -> 5 of 7 changed lines". */
export function headlineOfPatch(result: PatchCampaignResult): string {
  if (!hasLooked(result)) return "No time to look";
  const failing = regressionsOf(result).length;
  if (failing > 0) return `${counted(failing, "input")} ${failing === 1 ? "fails" : "fail"} only since this patch`;
  const { all, tests, reached, unit } = shareOfPatch(result);
  if (all === 0) return unit === "target" ? "Nothing to reach" : "No changed code to test";
  return `${tests + reached} of ${counted(all, unit)} run`;
}
