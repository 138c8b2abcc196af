// What was checked of a test's own path, in words that claim no more than was done: all that depends on the input, some of
// it, or nothing; and in the last two cases why. A test of which nothing was checked is no test that passed.

import type { InputObject, PathEnd } from "../engine/executor.js";
import { isSystemFile } from "../inputs/system-files.js";
import type { TestInput } from "../inputs/test-input.js";
import type { ProgramImage } from "../jit/image.js";
import type { SiteId } from "../path/observer.js";
import { DEFAULT_INVOCATION_LIMITS } from "../project/invocation-test.js";
import { isLiteralName } from "../support/literal-names.js";

/** What is known of the inputs of a test and of what its run did with them. */
export interface InputAccount {
  /** Objects that vary, and whether the run has read each; arguments always count as read. */
  readonly varied: readonly { readonly name: string; readonly bytes: number; readonly isRead: boolean }[];
  /** Inputs that stayed as they are because they are too large. */
  readonly fixed: readonly { readonly name: string; readonly bytes: number }[];
  /** What may depend on the input and was not followed, in words. */
  readonly lost: readonly string[];
  /** Where what depended on the input was made concrete on the test's path, most often first. */
  readonly pins: readonly { readonly place: string; readonly count: number }[];
}

export interface OwnPath {
  readonly testEnd: PathEnd | null;
  readonly checks: number;
  readonly checksSkipped: number;
  /** Questions that the solver gave up. */
  readonly unknown: number;
  readonly decisions: number;
  readonly isComplete: boolean;
  readonly input: InputAccount;
}

export interface Checked {
  readonly extent: "all" | "part" | "none";
  /** Empty if it is all. */
  readonly why: readonly string[];
}

const SHOWN_NAMES = 3;
const MEGABYTE = 0x10_0000;

export function accountOf(
  test: TestInput,
  root: string,
  read: ReadonlySet<string>,
): Omit<InputAccount, "pins" | "lost"> {
  const { symbolicBytes } = DEFAULT_INVOCATION_LIMITS;
  const own = [root, test.workingDirectory];
  return {
    varied: test.values
      .filter(({ bytes }) => bytes.length > 0)
      .map(({ name, bytes }) => ({ name, bytes: bytes.length, isRead: isAlwaysRead(name) || read.has(name) })),
    fixed: (test.given.files ?? [])
      .filter(({ path, bytes }) => bytes.length > symbolicBytes && !isSystemFile(path, own))
      .map(({ path, bytes }) => ({ name: path, bytes: bytes.length })),
  };
}

/** Those in memory from the start: of them nobody knows whether a run has looked at them. */
function isAlwaysRead(name: string): boolean {
  return name.startsWith("arg") || isLiteralName(name);
}

/** Places of pins by their sites. */
export function placesOfPins(image: ProgramImage, counts: ReadonlyMap<SiteId, number>): InputAccount["pins"] {
  const places = new Map<string, number>();
  for (const [site, count] of counts) {
    const at = image.locations[image.sites[site]?.location ?? -1];
    const place = at === undefined ? "a system call" : `${at.file.split("/").pop()}:${at.line} in ${at.functionName}`;
    places.set(place, (places.get(place) ?? 0) + count);
  }
  return [...places].map(([place, count]) => ({ place, count })).sort((a, b) => b.count - a.count);
}

export function checkedOf(path: OwnPath): Checked {
  const cut = whyCut(path);
  if (path.checks === 0) return { extent: "none", why: cut.length > 0 ? cut : whyNothing(path) };
  const why = [...cut];
  if (path.checksSkipped > 0) why.push(`${path.checksSkipped} checks were left out for want of time`);
  if (path.unknown > 0) why.push("the solver gave up some questions");
  if (why.length === 0 && !path.isComplete) why.push("its time was used up");
  const { fixed, pins, lost } = path.input;
  // Inputs with another value there take the same branches, and nobody has looked at them.
  if (pins.length > 0) why.push(`what depends on its input was made concrete, most often at ${pins[0].place}`);
  why.push(...lost);
  for (const { name, bytes } of fixed.slice(0, SHOWN_NAMES)) why.push(tooLarge(name, bytes));
  return { extent: why.length === 0 ? "all" : "part", why };
}

/** Its run did not come to its end. */
function whyCut({ testEnd }: OwnPath): string[] {
  if (testEnd === null) return ["its run did not end in its time"];
  switch (testEnd.kind) {
    case "limit":
      return [`its run was cut by the limit of ${testEnd.limit}`];
    case "unsupported":
      return [`its run ended at what the machine does not have: ${testEnd.what}`];
    case "stopped":
      return ["its run was stopped"];
    case "finding":
      return ["its run ended in a finding"];
    default:
      return [];
  }
}

function whyNothing({ input: { varied, fixed, pins, lost }, decisions }: OwnPath): string[] {
  const large = fixed.map(({ name, bytes }) => tooLarge(name, bytes)).slice(0, SHOWN_NAMES);
  if (varied.length === 0) {
    return large.length > 0 ? large : ["it has no arguments, standard input or files that could vary"];
  }
  const unread = varied.filter(({ isRead }) => !isRead);
  if (unread.length === varied.length) return [...large, `the program read nothing of ${names(unread)}`];
  if (pins.length > 0) {
    const [{ place }] = pins;
    return [...large, `what depends on its input was made concrete, most often at ${place}`];
  }
  if (lost.length > 0) return [...large, ...lost];
  if (decisions === 0) return [...large, "nothing that the program does depends on its input"];
  return [...large, "no dangerous operation on its path depends on its input"];
}

function tooLarge(name: string, bytes: number): string {
  const limit = DEFAULT_INVOCATION_LIMITS.symbolicBytes / MEGABYTE;
  return `${name} (${(bytes / MEGABYTE).toFixed(1)} MB) is above ${limit} MB and stayed as it is`;
}

function names(objects: readonly Pick<InputObject, "name">[]): string {
  const shown = objects.slice(0, SHOWN_NAMES).map(({ name }) => inWords(name));
  return objects.length > SHOWN_NAMES ? `${shown.join(", ")} and others` : shown.join(", ");
}

function inWords(name: string): string {
  return name === "stdin" ? "standard input" : name.replace(/^file:/, "");
}
