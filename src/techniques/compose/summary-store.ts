// What explorations of units have found, kept in the user's cache between campaigns. A result is found again by the
// content of what was explored: the functions of the extended unit as they are apart from their neighbours
// (program/function-content.ts), their types, the conditions that were to be met, the contexts, and how it was
// explored. So a change of one function costs the units that contain it, not those of the whole program.
//
// Contexts are named by the test and the call in it, not by what a changed program may do before that call. A result
// may then be of a context that is no more; that is harmless: conditions are checked again at every call above, and
// findings by whole runs.
//
// In a file functions have names and lines are those of the build that wrote it; both are translated when it is read.
// What is read is judged first: anybody may have written it, and what is not right is not there.

import type { Cache } from "../../frontend/cache.js";
import { cacheKey } from "../../frontend/cache.js";
import type { LinkedProgram } from "../../ir/link.js";
import type { IrFunction } from "../../ir/module.js";
import type { FunctionInfo, ProgramImage } from "../../jit/image.js";
import { SignatureTable } from "../../jit/signature-table.js";
import { FunctionContents } from "../../program/function-content.js";
import { engineIdentity } from "../../program/identity.js";
import type { CallCondition, TargetRef, UnitResultOfItem, UnitSeed, UnitWork } from "./compose-work.js";
import { type Moves, movedCondition, movedResult } from "./summary-moves.js";
import { type StoredSummary, storedSummary } from "./summary-shape.js";

/** Names a result, and says of which functions it is. */
export interface SummaryKey {
  readonly name: string;
  readonly function: number;
  /** The extended unit, the function itself first. */
  readonly members: readonly number[];
  readonly conditions: number;
}

const KIND = "unit-summaries";
/** Bumped when the form of what is kept changes. */
const VERSION = 1;

export class SummaryStore {
  private readonly contents: FunctionContents;
  private readonly ordered: readonly IrFunction[];
  private readonly indices: ReadonlyMap<IrFunction, number>;
  private readonly byName = new Map<string, number[]>();
  private readonly identity = engineIdentity();

  /** `idOf` makes the id of a target: it has the line in it, and lines move. */
  constructor(
    private readonly cache: Cache,
    program: LinkedProgram,
    private readonly image: ProgramImage,
    private readonly idOf: (target: Omit<TargetRef, "id">) => string,
  ) {
    this.contents = new FunctionContents(program);
    this.ordered = new SignatureTable(program.functions).functions;
    this.indices = new Map(this.ordered.map((fn, n) => [fn, n]));
    image.functions.forEach((info, n) => {
      const name = nameOf(info);
      const known = this.byName.get(name);
      if (known === undefined) this.byName.set(name, [n]);
      else known.push(n);
    });
  }

  /**
   * `settings`: whatever else changes what an exploration finds. Null: its functions cannot be read, and nothing is
   * kept.
   */
  keyOf(work: UnitWork, settings: readonly string[] = []): SummaryKey | null {
    const { function: own, stubs, contexts, conditions } = work;
    const members = this.reachableFrom(own, stubs);
    const digests: string[] = [];
    for (const member of members) {
      const fn = this.ordered[member];
      const digest = fn === undefined ? null : this.contents.digestOf(fn);
      if (digest === null) return null;
      digests.push(digest);
    }
    const [first, ...rest] = digests;
    const parts = [
      `${VERSION}`,
      this.identity,
      work.starts.join(" "),
      JSON.stringify(stubs.map((stub) => nameOf(this.image.functions[stub]))),
      first,
      rest.sort().join(" "),
      JSON.stringify(conditions.map((condition) => this.conditionContent(condition))),
      JSON.stringify(contexts.map((context) => this.contextContent(context))),
      JSON.stringify(settings),
    ];
    return { name: cacheKey(parts), function: own, members, conditions: conditions.length };
  }

  /** What was found in no less time than this, or in less with nothing left to explore; null if there is none. */
  load(key: SummaryKey, timeMs: number): UnitResultOfItem | null {
    const bytes = this.cache.get(KIND, key.name);
    const stored = bytes === null ? null : storedSummary(bytes, key.conditions);
    if (stored === null) return null;
    const { result } = stored;
    if (stored.timeMs < timeMs && !result.accounts.isComplete) return null;
    const moves = this.movesFrom(stored, key);
    if (moves === null) return null;
    const moved = movedResult(result, moves);
    return { ...moved, accounts: { ...moved.accounts, isCached: true } };
  }

  /** False if it could not be kept. */
  save(key: SummaryKey, result: UnitResultOfItem, timeMs: number): boolean {
    const numbers = new Map<number, number>();
    const functions: FunctionInfo[] = [];
    const numberOf = (index: number): number => {
      const known = numbers.get(index);
      if (known !== undefined) return known;
      numbers.set(index, functions.length);
      return functions.push(this.image.functions[index]) - 1;
    };
    // The unit itself is number 0; lines are counted from those of all functions that are there.
    for (const member of key.members) numberOf(member);
    const moved = movedResult(result, { functionOf: numberOf, lineOf: (_, line) => line, idOf: ({ id }) => id });
    const stored: StoredSummary = {
      timeMs,
      functions: functions.map(({ name, file, line }) => ({ name, file, line })),
      result: moved,
    };
    return this.cache.put(KIND, key.name, JSON.stringify(stored));
  }

  private reachableFrom(own: number, stubs: readonly number[]): readonly number[] {
    const fn = this.ordered[own];
    if (fn === undefined) return [own];
    const without = new Set(stubs.flatMap((stub) => this.ordered[stub] ?? []));
    return this.contents.reachableFrom(fn, without).flatMap((one) => this.indices.get(one) ?? []);
  }

  /** From the build that wrote it to this one; null if functions of it are not here. */
  private movesFrom({ functions }: StoredSummary, key: SummaryKey): Moves | null {
    const { image } = this;
    const indices: number[] = [];
    for (const [n, info] of functions.entries()) {
      const index = n === 0 ? key.function : this.indexOf(info, key.members);
      if (index === null || nameOf(image.functions[index]) !== nameOf(info)) return null;
      indices.push(index);
    }
    // A line belongs to the last of them that begins before it: what was run is theirs.
    const anchors = functions
      .map(({ file, line }, n) => ({ file, line, shift: image.functions[indices[n]].line - line }))
      .sort((x, y) => y.line - x.line);
    return {
      functionOf: (n) => indices[n],
      lineOf: (file, line) => {
        const anchor = anchors.find((one) => one.file === file && one.line <= line);
        return file === null || anchor === undefined ? line : line + anchor.shift;
      },
      idOf: this.idOf,
    };
  }

  /** Copies of a header's function have one name: a member of the unit if there is one, else any of them. */
  private indexOf(info: { readonly name: string; readonly file: string | null }, members: readonly number[]) {
    const found = this.byName.get(nameOf(info)) ?? [];
    return found.find((index) => members.includes(index)) ?? found[0] ?? null;
  }

  /** With names in the place of numbers, and lines from their function's. */
  private conditionContent(condition: CallCondition): unknown {
    const { functions } = this.image;
    const names: string[] = [];
    const lines = [condition.function, ...condition.chain.map((link) => link.function)].map((n) => functions[n]);
    const moved = movedCondition(condition, {
      functionOf: (n) => names.push(nameOf(functions[n])) - 1,
      lineOf: (file, line) => {
        const begins = lines.filter((one) => one?.file === file && one.line <= line).map((one) => one.line);
        return begins.length === 0 ? line : line - Math.max(...begins);
      },
      idOf: () => "",
    });
    return [names, moved];
  }

  /** The test without what another build of the program changes, and which call of it. */
  private contextContent({ function: own, seed, call, chain, dependent }: UnitSeed): unknown {
    const { arguments: words, environment, workingDirectory, umask, stdin, outputs, files, tree } = seed;
    const name = (n: number): string => nameOf(this.image.functions[n]);
    const test = [words, environment, workingDirectory, umask, stdin, files, tree ?? null, outputs ?? null];
    return [name(own), call, chain.map(name), dependent, test];
  }
}

function nameOf(info: { readonly name: string; readonly file: string | null } | undefined): string {
  return JSON.stringify([info?.name ?? "", info?.file ?? ""]);
}
