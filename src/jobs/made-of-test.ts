// An input that edits made, beside the recorded test that is nearest to it: what of it is different, in words. Many edits follow one another,
// and parts of several tests may have come together, so that what was done to which test says less than what is different in the end. Whoever
// is shown only the command of such an input, which is often the test's, cannot see what breaks the program.

import { basename } from "node:path";
import type { BlobName, Seed } from "../project/seed.js";
import { cString } from "../report/c-strings.js";
import type { ResultFinding } from "../report/campaign-result.js";
import { counted } from "../report/finding-view.js";

type Moved = NonNullable<ResultFinding["moved"]>;
/** Null if there is nothing to say. */
export type MadeOf = (made: Seed) => Moved | null;

/** One part of the input. Null: it is not there. */
interface Difference {
  readonly label: string;
  readonly test: Uint8Array | null;
  readonly made: Uint8Array | null;
}

/** Where bytes differ: from `from` on, up to an end in each. */
interface ChangedPart {
  readonly from: number;
  readonly testEnd: number;
  readonly madeEnd: number;
}

/** Of tests in which as many parts differ, so many are compared byte by byte. */
const MOST_COMPARED = 64;
const SHOWN_BYTES = 24;
const SHOWN_DIFFERENCES = 6;

/** Null if there is no test of the program, or nothing is different. `contentOf`: null if it is no longer there. */
export function madeOfTest(
  made: Seed,
  tests: readonly Seed[],
  contentOf: (name: BlobName) => Uint8Array | null,
): Moved | null {
  const own = tests.filter(({ programContent }) => programContent === made.programContent);
  const compared = own
    .map((test) => ({ test, parts: partsThatDiffer(test, made).length }))
    .sort((a, b) => a.parts - b.parts)
    .filter(({ parts }, _, [first]) => parts === first.parts)
    .slice(0, MOST_COMPARED)
    .map(({ test }) => {
      const differences = partsThatDiffer(test, made).map((part) => part(contentOf));
      return { test, differences, size: differences.reduce((sum, one) => sum + sizeOf(one), 0) };
    })
    .sort((a, b) => a.size - b.size);
  const [nearest] = compared;
  if (nearest === undefined || nearest.differences.length === 0) return null;
  const { test, differences } = nearest;
  const left = differences.length - SHOWN_DIFFERENCES;
  const steps = differences.slice(0, SHOWN_DIFFERENCES).map(inWords);
  if (left > 0) steps.push(`${counted(left, "more difference")}`);
  return { from: test.id, command: test.arguments, steps };
}

type Part = (contentOf: (name: BlobName) => Uint8Array | null) => Difference;

/** Contents are not read for it. */
function partsThatDiffer(test: Seed, made: Seed): readonly Part[] {
  const parts: Part[] = [];
  const count = Math.max(test.arguments.length, made.arguments.length);
  const word = (text: string | undefined): Uint8Array | null =>
    text === undefined ? null : Buffer.from(text, "latin1");
  for (let n = 0; n < count; n++) {
    const [before, after] = [test.arguments[n], made.arguments[n]];
    if (before !== after) parts.push(() => ({ label: `argument ${n}`, test: word(before), made: word(after) }));
  }
  const stdinOf = ({ stdin }: Seed): BlobName | null => (stdin.kind === "bytes" ? stdin.content : null);
  const names = [...new Set([...test.files, ...made.files].map(({ path }) => path))];
  const contentIn = ({ files }: Seed, name: string): BlobName | null =>
    files.find(({ path }) => path === name)?.content ?? null;
  const contents = [
    { label: "standard input", before: stdinOf(test), after: stdinOf(made) },
    ...names.map((name) => {
      return { label: `file ${basename(name)}`, before: contentIn(test, name), after: contentIn(made, name) };
    }),
  ];
  for (const { label, before, after } of contents) {
    if (before === after) continue;
    parts.push((contentOf) => {
      const bytesOf = (name: BlobName | null): Uint8Array | null => (name === null ? null : contentOf(name));
      return { label, test: bytesOf(before), made: bytesOf(after) };
    });
  }
  return parts;
}

function sizeOf({ test, made }: Difference): number {
  const { from, testEnd, madeEnd } = changedPart(test ?? NOTHING, made ?? NOTHING);
  return Math.max(testEnd, madeEnd) - from;
}

const NOTHING = new Uint8Array(0);

/** All but what both begin and end with. */
function changedPart(test: Uint8Array, made: Uint8Array): ChangedPart {
  let from = 0;
  while (from < test.length && from < made.length && test[from] === made[from]) from++;
  let [testEnd, madeEnd] = [test.length, made.length];
  while (testEnd > from && madeEnd > from && test[testEnd - 1] === made[madeEnd - 1]) {
    testEnd--;
    madeEnd--;
  }
  return { from, testEnd, madeEnd };
}

/** `file a.txt changed at byte 3: "ab" -> "q"`. */
function inWords({ label, test, made }: Difference): string {
  if (made === null) return `${label} left out`;
  if (test === null) return `${label} added: ${shown(made, 0, made.length)}`;
  const { from, testEnd, madeEnd } = changedPart(test, made);
  return `${label} changed at byte ${from}: ${shown(test, from, testEnd)} -> ${shown(made, from, madeEnd)}`;
}

function shown(bytes: Uint8Array, from: number, to: number): string {
  const end = Math.min(to, from + SHOWN_BYTES);
  const more = to > end ? `... ${counted(to - end, "more byte")}` : "";
  return `${cString(bytes.subarray(from, end))}${more}`;
}
