// What a terminal shows of a function with many failures and large arguments: so much of the values as is read, and of all failures but the
// first a line each. Failures come in the order of how real their starts are (techniques/compose/explore-starts.ts), so that the first are
// those that an input of the program is most likely to show. --json has everything.

import { userFrameOf } from "../findings/finding.js";
import { visible } from "../support/visible-text.js";
import type { UnitStart } from "../techniques/compose/explore-starts.js";
import type { UnitFailure } from "../techniques/unit/explore-unit.js";
import type { ValueInWords } from "../techniques/unit/value-words.js";
import { pathsBelow } from "./finding-view.js";
import { count } from "./live-view.js";

/** Failures in full. */
export const MOST_IN_FULL = 10;
/** Characters of all arguments. */
const ROOM = 200;
/** Less than this of a value says nothing. */
const LEAST_PART = 20;

/** `n = 5, text = "ab"`; the end is left out where it is long, with what that is. */
export function argumentsInRoom(values: readonly ValueInWords[]): string {
  const shown: string[] = [];
  let room = ROOM;
  for (const { words, value } of values) {
    const text = `${words} = ${value}`;
    if (text.length > room && room < LEAST_PART) break;
    const part = text.slice(0, room);
    const more = text.length - part.length;
    shown.push(more === 0 ? text : `${part}... ${count(more)} more characters, see --json`);
    room -= part.length;
  }
  const left = values.length - shown.length;
  if (left > 0) shown.push(`... ${count(left)} more, see --json`);
  return shown.join(", ") || "none";
}

/** One line, with its newline. `start`: null if there is only one way. */
export function failureInLine(
  { finding }: Pick<UnitFailure, "finding">,
  start: UnitStart | null,
  relativeTo: string | null,
): string {
  const frame = userFrameOf(finding);
  const shown = relativeTo === null ? (path: string) => path : pathsBelow(relativeTo);
  const place = frame?.file == null ? "" : ` at ${shown(frame.file)}:${frame.line}`;
  const where = frame === null ? "" : `${place} in ${frame.functionName}`;
  const how = start === null ? "" : start.at === null ? " (made by its types)" : " (in a test's call)";
  return `==tangent== ERROR: ${visible(`${finding.kind}${where}${how}`)}\n`;
}

/** Before the first of those. */
export const IN_LINES = `tangent: more than ${MOST_IN_FULL} failures: further ones in a line each, --json has all of them\n`;
