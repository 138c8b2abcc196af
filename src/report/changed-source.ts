// A finding whose input are literals of a test, as a test: a copy of the test's source with these literals changed. The compiler makes one of
// equal strings in a source, so all of them changed together, and are changed together in the copy. A number is one argument of one
// call. Where the source does not show the literal plainly (a macro made it, or it is a list of numbers), the copy says in a comment what is
// to be changed by hand.

import { basename, dirname } from "node:path";
import { type LiteralPlace, placeOfLiteral, WIDE_FORMS } from "../support/literal-names.js";
import { numberText } from "../support/literal-numbers.js";
import { visible } from "../support/visible-text.js";
import { argumentIn } from "./c-calls.js";
import { cString, type SourceString, stringsIn, wideCString } from "./c-strings.js";
import type { ResultFinding } from "./campaign-result.js";
import { sourcePath } from "./source-path.js";

/** One literal with the bytes that it had and has. */
export interface LiteralChange extends LiteralPlace {
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}

/** The literals of the tests' sources that the witness changes. */
export function literalChanges({ inputs }: Pick<ResultFinding, "inputs">): readonly LiteralChange[] {
  return inputs.flatMap(({ name, seed, witness }) => {
    const place = placeOfLiteral(name);
    if (place === null || seed === witness) return [];
    return [{ ...place, before: Buffer.from(seed, "base64"), after: Buffer.from(witness, "base64") }];
  });
}

/** Characters that are shown before and behind what changed. */
const CONTEXT = 20;

/** As a C source has it. */
function literalText({ wide, argument }: Partial<LiteralPlace>, bytes: Uint8Array): string {
  if (argument !== undefined) return numberText(argument.form, bytes);
  return wide === undefined ? cString(bytes) : wideCString(bytes, wide);
}

/** `"abc" -> "abd"`, as a C source has them; of long ones the part that changed. */
export function shortChange(before: Uint8Array, after: Uint8Array, place: Partial<LiteralPlace> | null = null): string {
  const { wide, argument } = place ?? {};
  if (argument !== undefined) return `${numberText(argument.form, before)} -> ${numberText(argument.form, after)}`;
  const unit = wide === undefined ? 1 : WIDE_FORMS[wide];
  let first = 0;
  while (first < after.length && before[first] === after[first]) first++;
  let last = after.length;
  // One that grew or shrank is shown to its end.
  while (before.length === after.length && last > first && before[last - 1] === after[last - 1]) last--;
  const from = Math.max(0, Math.floor(first / unit) - CONTEXT) * unit;
  const to = Math.min(after.length, (Math.ceil(last / unit) + CONTEXT) * unit);
  const shown = (bytes: Uint8Array): string =>
    `${from > 0 ? "..." : ""}${literalText(place ?? {}, bytes.subarray(from, to))}${to < bytes.length ? "..." : ""}`;
  return `${shown(before)} -> ${shown(after)}`;
}

/** A source for each file with changed literals: names to write them under, which begin with the finding's own. */
export function changedTests(
  finding: ResultFinding,
  read: (file: string) => string | null,
  shown: (path: string) => string,
): readonly { readonly name: string; readonly text: string }[] {
  const changes = literalChanges(finding);
  return [...new Set(changes.map(({ file }) => file))].map((file) => {
    const own = changes.filter((change) => change.file === file);
    const text = changedSource(read(file), own, finding, sourcePath(file, shown));
    // What the file is called comes from debugging information.
    const stem = basename(file).replace(/[^\w.-]/g, "_");
    return { name: `tangent-${finding.id}-${stem}`, text };
  });
}

/** `source`: null if there is none to be read. */
function changedSource(
  source: string | null,
  changes: readonly LiteralChange[],
  { id, title }: Pick<ResultFinding, "id" | "title">,
  shown: string,
): string {
  const all = stringsIn(source ?? "");
  const byHand = new Set<LiteralChange>();
  const edits: { readonly at: Pick<SourceString, "start" | "end">; readonly text: string }[] = [];
  for (const change of changes) {
    const own = change.argument === undefined ? editsOf(all, change) : numberEdits(source ?? "", change);
    if (own.length === 0) byHand.add(change);
    edits.push(...own);
  }
  let text = source ?? "";
  for (const { at, text: other } of edits.sort((a, b) => b.at.start - a.at.start)) {
    text = text.slice(0, at.start) + other + text.slice(at.end);
  }
  const lines = [
    `${shown} with other literals, made by tangent from finding ${id}: ${title}.`,
    `Compile it in the place of ${shown}, with \`-iquote ${dirname(shown)}\` for what it includes.`,
    "With -fsanitize=address it shows the bug, as `tangent replay` does without compiling anything.",
    ...(source === null ? [`${shown} could not be read: this is only what to change in it.`] : []),
    ...changes.map((change) => {
      const { line, before, after, argument } = change;
      const what = argument === undefined ? "" : `argument ${argument.argument} of ${argument.callee}, `;
      const words = `${what}${literalText(change, before)} -> ${literalText(change, after)}`;
      return `${byHand.has(change) ? "TO BE CHANGED BY HAND: " : ""}line ${line}: ${words}`;
    }),
  ];
  // Whatever names and literals hold, a comment ends with its line: no backslash is the last of one.
  const head = lines.map((line) => `// ${visible(line)}${line.endsWith("\\") ? " ." : ""}`);
  return [...head, `#line 1 ${cString(Buffer.from(shown))}`, text].join("\n");
}

interface SourceEdit {
  readonly at: Pick<SourceString, "start" | "end">;
  readonly text: string;
}

function editsOf(all: readonly SourceString[], change: LiteralChange): readonly SourceEdit[] {
  return placesOf(all, change).map((at) => ({ at, text: changedText(at, change) }));
}

function numberEdits(source: string, { argument, line, number, before, after }: LiteralChange): readonly SourceEdit[] {
  if (argument === undefined) return [];
  const at = argumentIn(source, { ...argument, line, number, before });
  return at === null ? [] : [{ at, text: numberText(argument.form, after) }];
}

/** Where the literal stands: an array with this content at its own line, else all equal strings. */
function placesOf(all: readonly SourceString[], { before, line, wide }: LiteralChange): readonly SourceString[] {
  const size = wide === undefined ? 1 : WIDE_FORMS[wide];
  const equal = all.filter(({ bytes, prefix }) => sizeOf(prefix) === size && isContent(bytes, before));
  const array = equal.find((one) => one.isArray && one.line === line);
  return array === undefined ? equal.filter(({ isArray }) => !isArray) : [array];
}

/** The end of a string is no part of the input, nor is what is beyond the limit for one literal. */
function isContent(bytes: Uint8Array, before: Uint8Array): boolean {
  let end = bytes.length;
  while (end > before.length && bytes[end - 1] === 0) end--;
  const isCut = before.length >= CUT_BYTES && end > before.length;
  return (end === before.length || isCut) && Buffer.compare(bytes.subarray(0, before.length), before) === 0;
}

/** As in program/test-code.ts. */
const CUT_BYTES = 1024;

function sizeOf(prefix: SourceString["prefix"]): number {
  return prefix === null ? 1 : prefix === "u" ? WIDE_FORMS.w16 : WIDE_FORMS.w32;
}

function changedText({ bytes, prefix }: SourceString, { after }: LiteralChange): string {
  const whole = Buffer.concat([after, bytes.subarray(after.length)]);
  return prefix === null ? cString(whole) : wideCString(whole, prefix === "u" ? "w16" : "w32", prefix);
}
