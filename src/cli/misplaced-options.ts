// Options of ours that stand after the program or command, where its own arguments are: `tangent explore ./prog --max-time 60s`. Nobody
// can know whose they are meant to be, and a time limit that is silently given to somebody else costs an evening. So the user is shown how to
// say either; a `--` before the program says that all that follows is the program's.

import type { OptionSpecs } from "./command.js";
import { optionNamed, valueCount } from "./option-names.js";

interface Found {
  readonly at: number;
  /** With its values. */
  readonly length: number;
}

/** Only long names: `-o` after a program is the program's, as everywhere. */
function find(specs: OptionSpecs, words: readonly string[], isMeant: (name: string) => boolean): Found[] {
  const found: Found[] = [];
  for (let at = 0; at < words.length; at++) {
    const flag = words[at].split("=", 1)[0];
    const name = /^--[a-z]/.test(flag) ? optionNamed(specs, flag) : undefined;
    if (name === undefined || !isMeant(name)) continue;
    const length = words[at] === flag ? 1 + valueCount(specs[name]) : 1;
    found.push({ at, length });
    at += length - 1;
  }
  return found;
}

/** `words`: the program's, up to its own `--` if it has one. `isMeant`: by the name in the declaration. */
export function misplacedOptions(
  specs: OptionSpecs,
  words: readonly string[],
  isMeant: (name: string) => boolean = () => true,
): readonly string[] {
  return find(specs, words, isMeant).map(({ at }) => words[at]);
}

/** `before`: what stands before the program. Null if there is nothing to refuse. */
export function refusalOf(
  command: string,
  specs: OptionSpecs,
  before: readonly string[],
  program: string,
  words: readonly string[],
  isMeant: (name: string) => boolean = () => true,
): string | null {
  const found = find(specs, words, isMeant);
  if (found.length === 0) return null;
  const isOurs = (index: number): boolean => found.some(({ at, length }) => index >= at && index < at + length);
  const ours = words.filter((_, index) => isOurs(index));
  const own = words.filter((_, index) => !isOurs(index));
  const line = (parts: readonly string[]): string => ["tangent", command, ...parts].map(shown).join(" ");
  const right = line([...before, ...ours, "--", program, ...own]);
  const other = line([...before, "--", program, ...words]);
  const [first] = found;
  return (
    `${words[first.at]} is an option of tangent's, but stands among the arguments of ${program}. Write\n` +
    `    ${right}\n` +
    `or, if it is meant for ${program},\n` +
    `    ${other}`
  );
}

function shown(word: string): string {
  return /^[\w./:=+,@%-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
