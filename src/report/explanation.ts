// The decisive branches of a finding in words: where the witness's path leaves the test's, what of the input decides there, and
// what only the witness decided after it. Whether a branch was "true" as the source writes it is said only where it is
// certain (the translated program may have turned a condition round); what held of the input is always certain.

import type { ProgramImage } from "../jit/image.js";
import type { ReadSource } from "../project/sources.js";
import { visibleLines } from "../support/visible-text.js";
import type { PathComparison, Side } from "../techniques/compare-paths.js";
import { counted, type ShownPath } from "./finding-view.js";

export interface ExplainedPlace {
  readonly function: string;
  readonly file: string | null;
  readonly line: number;
  readonly column: number;
  readonly isOwn: boolean;
}

export interface ExplainedSide {
  /** Arguments are called argv[1] and so on, as in C; so they are in `bytes`. */
  readonly holds: string;
  /** The line where it went on; null if that is not known. */
  readonly nextLine: number | null;
}

export interface ExplainedStep {
  readonly place: ExplainedPlace;
  readonly kind: string;
  readonly bytes: readonly string[];
  readonly test: ExplainedSide;
  readonly witness: ExplainedSide;
  readonly meetsAgain: boolean;
  readonly afterwards: readonly { readonly place: ExplainedPlace; readonly holds: string }[];
  readonly moreAfterwards: number;
}

export interface Explanation {
  readonly common: number;
  readonly decisions: readonly [test: number, witness: number];
  readonly steps: readonly ExplainedStep[];
}

export function explanation(image: ProgramImage, comparison: PathComparison): Explanation {
  const placeOf = (site: number): ExplainedPlace => {
    const location = image.locations[image.sites[site]?.location ?? -1];
    if (location === undefined) return { function: "?", file: null, line: 0, column: 0, isOwn: false };
    const { functionName, file, line, column, origin } = location;
    const isOwn = origin === "program";
    return { function: functionName, file: file === "" ? null : file, line, column, isOwn };
  };
  const sideOf = (site: number, { taken, holds }: Side): ExplainedSide => {
    const found = image.sites[site];
    const block = found?.kind === "branch" ? (found.successors[taken ? 0 : 1] ?? -1) : -1;
    const location = image.coverage[block]?.locations.find((index) => image.locations[index].line > 0);
    return { holds: numbered(holds), nextLine: location === undefined ? null : image.locations[location].line };
  };
  return {
    common: comparison.common,
    decisions: comparison.decisions,
    steps: comparison.partings.map((parting) => ({
      place: placeOf(parting.site),
      kind: image.sites[parting.site]?.kind ?? "branch",
      bytes: parting.bytes.map(numbered),
      test: sideOf(parting.site, parting.first),
      witness: sideOf(parting.site, parting.second),
      meetsAgain: parting.meetsAgain,
      afterwards: parting.afterwards.map(({ site, side }) => ({ place: placeOf(site), holds: numbered(side.holds) })),
      moreAfterwards: parting.moreAfterwards,
    })),
  };
}

const STEP_LIMIT = 20;

export function renderExplanation(
  { common, decisions, steps }: Explanation,
  end: string,
  shown: ShownPath,
  readSource: ReadSource,
): string {
  const lines: string[] = [];
  if (steps.length === 0) {
    lines.push(
      `The witness takes the same branches as the test, all ${counted(decisions[1], "decision")} of it: no branch has to change, only values.`,
    );
  } else {
    lines.push(`Both take the same way for ${counted(common, "decision")} on the input, then they part:`, "");
  }
  for (const [index, step] of steps.slice(0, STEP_LIMIT).entries()) {
    lines.push(`${index + 1}. ${stepWords(step, shown, readSource)}`);
    const told = new Set<string>();
    for (const { place, holds } of step.afterwards) {
      const condition = conditionAt(place, readSource);
      const where = `   then only the witness comes to ${wherePlace(place, shown)}`;
      const held = heldWords(holds);
      const what = [...(condition === null ? [] : [`\`${condition}\``]), ...(held === null ? [] : [`where ${held}`])];
      told.add(what.length === 0 ? where : `${where}: ${what.join(", ")}`);
    }
    lines.push(...told);
    if (step.moreAfterwards > 0) lines.push(`   and to ${counted(step.moreAfterwards, "more decision")}`);
    if (!step.meetsAgain && index < steps.length - 1) lines.push("   from here on they go separate ways");
  }
  if (steps.length > STEP_LIMIT) lines.push(`   and ${counted(steps.length - STEP_LIMIT, "more parting")}`);
  lines.push("", end);
  return visibleLines(lines);
}

/** Arguments are numbered as everywhere: the engine counts them without the program. */
function numbered(text: string): string {
  return text.replace(/(?<![\w/.-])arg(\d+)(?![\w/.-])/g, (_, index: string) => `argv[${Number(index) + 1}]`);
}

/** An expression that nobody would read is left out; files are named without their folders. */
function heldWords(holds: string): string | null {
  const short = holds.replace(/file:[^[\]]*\/([^/[\]]+)\[/g, "$1[");
  return short.length > LONGEST_HELD || short.startsWith("[") ? null : short;
}
const LONGEST_HELD = 110;

function stepWords(whole: ExplainedStep, shown: ShownPath, readSource: ReadSource): string {
  const { place } = whole;
  const bytes = whole.bytes.map((name) => heldWords(`${name}`) ?? name).join(", ");
  const decided = { test: heldWords(whole.test.holds), witness: heldWords(whole.witness.holds) };
  const step = {
    kind: whole.kind,
    test: { ...whole.test, holds: decided.test ?? `one side, decided by ${bytes}` },
    witness: { ...whole.witness, holds: decided.witness ?? "the other side" },
  };
  const { test, witness } = step;
  const where = wherePlace(place, shown);
  const condition = conditionAt(place, readSource);
  if (step.kind === "switch") {
    const text = condition === null ? "the switch" : `\`switch (${condition})\``;
    return `${where}: ${text} goes to one case with the test (${test.holds}), to another with the witness (${witness.holds})`;
  }
  const sides = condition === null ? null : sidesOf(condition, test.holds, witness.holds);
  const text = condition === null ? "a branch" : `\`${condition}\``;
  if (sides !== null) {
    return `${where}: the test took the ${sides[0]} side of ${text} (${test.holds}), the witness the ${sides[1]} side (${witness.holds})`;
  }
  const next = ({ nextLine }: ExplainedSide, other: ExplainedSide): string =>
    nextLine !== null && nextLine !== other.nextLine ? `, and goes on at line ${nextLine}` : "";
  return `${where}: ${text}: with the test ${test.holds}${next(test, witness)}; with the witness ${witness.holds}${next(witness, test)}`;
}

function wherePlace(place: ExplainedPlace, shown: ShownPath): string {
  if (!place.isOwn) return `in the library's ${place.function}`;
  return place.file === null ? place.function : `${shown(place.file)}:${place.line}`;
}

/** An equality in the source whose input condition is one too: the side on which it holds is the true one. */
function sidesOf(
  condition: string,
  test: string,
  witness: string,
): readonly ["true" | "false", "true" | "false"] | null {
  const source = /^[^=!<>&|?]*(==|!=)[^=!<>&|?]*$/.exec(condition)?.[1] ?? null;
  const sign = (text: string): string | null => /^[^=!<>&|?]* (==|!=) [^=!<>&|?]*$/.exec(text)?.[1] ?? null;
  const first = sign(test);
  const second = sign(witness);
  if (source === null || first === null || second === null || first === second) return null;
  return first === source ? ["true", "false"] : ["false", "true"];
}

const KEYWORD = /^(if|while|for|switch)\s*\(/;
const LONGEST = 80;

/** The condition in the source at a branch's position: in the parentheses of its statement, or around its operator. */
export function conditionAt({ file, line, column, isOwn }: ExplainedPlace, readSource: ReadSource): string | null {
  if (!isOwn || file === null || line < 1 || column < 1) return null;
  const text = readSource(file)?.split("\n")[line - 1];
  if (text === undefined || column > text.length) return null;
  const rest = text.slice(column - 1);
  const keyword = KEYWORD.exec(rest);
  let found: string;
  if (keyword !== null) {
    const inside = rest.slice(keyword[0].length, endOfExpression(rest, keyword[0].length, false));
    found = keyword[1] === "for" ? (inside.split(";")[1] ?? "") : inside;
  } else {
    const from = startOfExpression(text, column - 1);
    found = text.slice(from, endOfExpression(text, column - 1, true));
  }
  const trimmed = found.replace(/^\s*(?:if|while|return|else)\b\s*/, "").trim();
  if (trimmed === "") return null;
  return trimmed.length > LONGEST ? `${trimmed.slice(0, LONGEST)}…` : trimmed;
}

/** Where the parenthesis around a position ends, or the part of a condition at `&&`, `||`, `?`. Quotes hide what is in them. */
function endOfExpression(text: string, from: number, isPart: boolean): number {
  let depth = 0;
  let quote = "";
  for (let at = from; at < text.length; at++) {
    const char = text[at];
    if (quote !== "") {
      if (char === "\\") at++;
      else if (char === quote) quote = "";
      continue;
    }
    if (char === '"' || char === "'") quote = char;
    else if (char === "(" || char === "[") depth++;
    else if (char === ")" || char === "]") {
      if (depth === 0) return at;
      depth--;
    } else if (depth === 0 && isPart) {
      if (char === ";" || char === "{" || char === "," || char === "?") return at;
      if ((char === "&" || char === "|") && text[at + 1] === char) return at;
    }
  }
  return text.length;
}

/** Backwards: quotes are not followed, a quote with a parenthesis in it shortens the text and does no harm. */
function startOfExpression(text: string, from: number): number {
  let depth = 0;
  for (let at = from - 1; at >= 0; at--) {
    const char = text[at];
    if (char === ")" || char === "]") depth++;
    else if (char === "(" || char === "[") {
      if (depth === 0) return at + 1;
      depth--;
    } else if (depth === 0) {
      if (char === ";" || char === "{" || char === "}" || char === ",") return at + 1;
      if ((char === "&" || char === "|") && text[at - 1] === char) return at + 1;
    }
  }
  return 0;
}
