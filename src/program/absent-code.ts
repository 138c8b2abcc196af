// Code that a program has natively and that is not here: sources of which there is no IR, libraries that were not built with `tangent
// cc`. Loading warns of the sources; a call of one of these functions ends the run with the reason.

import type { ForeignLibrary, UncapturedSource } from "../frontend/capture.js";

export interface AbsentCode {
  readonly uncaptured: readonly UncapturedSource[];
  readonly foreign: readonly ForeignLibrary[];
  /** What the program defines natively, whether there is IR of it or not. */
  readonly natives: readonly string[];
}

/** Names told of one source, and sources told of one reason. */
const MOST_NAMES = 5;
const MOST_SOURCES = 3;

export function absenceWarnings({ uncaptured }: Pick<AbsentCode, "uncaptured">): string[] {
  const byReason = new Map<string, UncapturedSource[]>();
  for (const source of uncaptured) {
    const known = byReason.get(source.reason);
    if (known === undefined) byReason.set(source.reason, [source]);
    else known.push(source);
  }
  return [...byReason].flatMap(([reason, sources]) =>
    sources.length <= MOST_SOURCES
      ? sources.map(warningOf)
      : [`${sources.length} sources were not captured (${reason}): ${shortList(sources.map(({ source }) => source))}`],
  );
}

function warningOf({ source, symbols, reason }: UncapturedSource): string {
  const names = shortList(symbols);
  if (reason === "assembly") return `${source} is assembly and cannot run in the VM${names && `: ${names}`}`;
  return `${source} was not captured (${reason})${names && `; it defines ${names}`}`;
}

function shortList(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  return names.slice(0, MOST_NAMES).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

const NOT_OURS = " was not built with tangent cc";

/** The library in what is said of a name that is foreign; null if it says something else. */
export function foreignLibraryIn(reason: string): string | null {
  return new RegExp(`is foreign: (\\S+)${NOT_OURS}`).exec(reason)?.[1] ?? null;
}

/** Why a name is defined nowhere; null: that is not known. */
export function absenceReasons({ uncaptured, foreign, natives }: AbsentCode): (name: string) => string | null {
  const reasons = new Map<string, string>();
  for (const { source, symbols, reason } of uncaptured) {
    for (const name of symbols) if (!reasons.has(name)) reasons.set(name, `${source} was not captured: ${reason}`);
  }
  for (const { name: library, symbols } of foreign) {
    for (const name of symbols) {
      if (!reasons.has(name)) reasons.set(name, `${name} is foreign: ${library}${NOT_OURS}`);
    }
  }
  // What was compiled and linked in one step could not be told apart.
  const unknown = uncaptured.find(({ symbols }) => symbols.length === 0);
  const guess =
    unknown === undefined ? null : `perhaps in ${unknown.source}, which was not captured: ${unknown.reason}`;
  const own = new Set(natives);
  return (name) =>
    reasons.get(name) ?? guess ?? (own.has(name) ? "what defines it was not compiled by tangent cc" : null);
}
