// Functions that were translated once, to be put into other programs: a suite's programs have most of their code, all of libc to begin with,
// in common. A template is a draft (function-draft.ts) whose questions name definitions by their content instead of pointing to them, with
// what the function adds to the program's tables, numbered from its own first entry. A thread keeps what it made last.
//
// Invariant: a template holds no part of the program it was made for, and filled in it gives the bytes that translating would give.

import type { DebugLoc } from "../ir/debug-info.js";
import type { IrFunction } from "../ir/module.js";
import type { PipelineStatistics } from "../ir/pipeline.js";
import type { Constant, GlobalRef } from "../ir/values.js";
import type { BaseMark } from "./access-base.js";
import { constantValue } from "./constant-value.js";
import { type Ask, type FunctionDraft, fillDraft, type TranslatedFunction } from "./function-draft.js";
import type { FunctionKeys } from "./function-keys.js";
import type { CoverageBlock, FrameInfo } from "./image.js";
import type { ModuleBuilder } from "./module-builder.js";
import type { Places } from "./settled-place.js";
import type { SiteDraft } from "./sites.js";

/** A definition by what names it everywhere, and how many bytes behind its beginning. */
interface NamedAsk {
  readonly kind: "named-function" | "named-address";
  readonly id: string;
  readonly offset: bigint;
}
type PortableAsk = Exclude<Ask, { readonly kind: "function" | "address" | "constant" | "unsupported" }> | NamedAsk;

/** What a function adds to the tables of its program, beside its code. */
export interface FunctionParts {
  readonly sites: readonly SiteDraft[];
  readonly frame: FrameInfo | null;
  /** In the coverage table; null if it is not counted. */
  readonly coverage: readonly CoverageBlock[] | null;
  readonly coverageLocs: readonly (readonly DebugLoc[])[];
  /** Added to the counts of the optimiser, and to those of the translation. */
  readonly counts: Readonly<PipelineStatistics>;
  readonly checks: number;
  /** It may be inlined. */
  readonly isCandidate: boolean;
  /** Functions of the runtime that were asked for by name while it was optimised. */
  readonly lookups: ReadonlyMap<string, string>;
}

/** Where a function's entries begin. */
export interface FunctionPlace {
  readonly functionIndex: number;
  readonly sites: number;
  readonly frames: number;
  readonly coverage: number;
}

export interface FunctionTemplate extends FunctionParts {
  readonly draft: FunctionDraft<PortableAsk>;
  /** Functions that the counted blocks call, by their names. */
  readonly calls: readonly (readonly string[])[];
}

/** In a thread. All of libc and what a suite's programs share of their own is less; V8 looks at all of it in every collection. */
const MOST_BYTES = 0x40_0000;

/** The templates of a thread, those used last behind the others. */
export class TemplateStore {
  private readonly templates = new Map<string, FunctionTemplate>();
  private bytes = 0;

  /** `mostBytes`: of code. Marks, holes and sites take about ten times as much. */
  constructor(private readonly mostBytes: number = MOST_BYTES) {}

  get size(): number {
    return this.templates.size;
  }

  clear(): void {
    this.templates.clear();
    this.bytes = 0;
  }

  get(key: string): FunctionTemplate | null {
    const found = this.templates.get(key);
    if (found === undefined) return null;
    this.templates.delete(key);
    this.templates.set(key, found);
    return found;
  }

  put(key: string, template: FunctionTemplate): void {
    if (this.templates.has(key)) return;
    this.templates.set(key, template);
    this.bytes += template.draft.code.length;
    for (const [old, { draft }] of this.templates) {
      if (this.bytes <= this.mostBytes) break;
      this.templates.delete(old);
      this.bytes -= draft.code.length;
    }
  }
}

// ---------------------------------------------------------------- making one

/** Null: it asks for something that has no name in other programs. */
export function templateOf(
  draft: FunctionDraft,
  parts: FunctionParts,
  place: FunctionPlace,
  module: ModuleBuilder,
  keys: FunctionKeys,
  places: Places,
): FunctionTemplate | null {
  const portable = new Portable(place, module, keys);
  try {
    const isCounted = parts.coverage !== null;
    return {
      ...parts,
      draft: {
        ...draft,
        holes: draft.holes.map(({ offset, form, ask }) => ({ offset, form, ask: portable.ask(ask) })),
        marks: draft.marks.map(({ offset, loc }) => ({ offset, loc: places.settle(loc) })),
        bases: draft.bases.map((base) => portable.base(base)),
      },
      sites: parts.sites.map((site) => ({
        ...site,
        functionIndex: 0,
        loc: site.loc === null ? null : places.settle(site.loc),
        successors: isCounted ? site.successors.map((to) => (to < 0 ? to : to - place.coverage)) : site.successors,
      })),
      coverage: parts.coverage?.map((block) => portable.block(block)) ?? null,
      coverageLocs: parts.coverageLocs.map((locs) => locs.map((loc) => places.settle(loc))),
      calls: (parts.coverage ?? []).map(({ calls }) =>
        calls.map((index) => keys.idOf(module.signatures.functions[index])),
      ),
    };
  } catch (error) {
    if (error instanceof NotPortable) return null;
    throw error;
  }
}

class NotPortable extends Error {}

class Portable {
  constructor(
    private readonly place: FunctionPlace,
    private readonly module: ModuleBuilder,
    private readonly keys: FunctionKeys,
  ) {}

  ask(ask: Ask): PortableAsk {
    switch (ask.kind) {
      case "function":
        return { kind: "named-function", id: this.keys.idOf(ask.fn), offset: 0n };
      case "address":
        return this.address(ask.ref, 0n);
      case "constant":
        return this.constant(ask.constant);
      case "site":
        return { kind: "site", site: ask.site - this.place.sites };
      case "frame":
        return { kind: "frame", frame: ask.frame - this.place.frames };
      case "coverage":
      case "coverage-address":
        return { kind: ask.kind, number: ask.number - this.place.coverage };
      case "unsupported":
        throw new NotPortable();
      default:
        return ask;
    }
  }

  base({ start, end, read, write }: BaseMark): BaseMark<PortableAsk> {
    const one = (base: number | Ask): number | PortableAsk => (typeof base === "number" ? base : this.ask(base));
    return { start, end, read: one(read), write: one(write) };
  }

  block(block: CoverageBlock): CoverageBlock {
    const relative = (number: number): number => number - this.place.coverage;
    return {
      ...block,
      functionIndex: 0,
      successors: block.successors.map(relative),
      calls: [],
      choices: block.choices.map(relative),
    };
  }

  private address(ref: GlobalRef, offset: bigint): PortableAsk {
    const definition = this.module.definitionOf(ref);
    if (definition === null) throw new NotPortable();
    return { kind: "named-address", id: this.keys.idOf(definition), offset };
  }

  /** A place in a variable; other expressions are rare. */
  private constant(constant: Constant): PortableAsk {
    let root = constant;
    while (root.kind === "constexpr" && root.op === "getelementptr") root = root.operands[0];
    if (root.kind !== "global") throw new NotPortable();
    const nowhere = (): never => {
      throw new NotPortable();
    };
    const target = root;
    const addressOf = (ref: GlobalRef): number => (ref === target ? 0 : nowhere());
    return this.address(
      root,
      constantValue(constant, { addressOf, blockAddress: nowhere, layout: this.module.layout }),
    );
  }
}

// ---------------------------------------------------------------- using one

export interface FilledTemplate extends FunctionParts {
  readonly translated: TranslatedFunction;
  readonly coverage: readonly CoverageBlock[] | null;
}

/** The function as it is in this program; ShapeError if that has no place for it. */
export function fillTemplate(
  template: FunctionTemplate,
  place: FunctionPlace,
  module: ModuleBuilder,
  keys: FunctionKeys,
): FilledTemplate {
  const { functionIndex } = place;
  const behind = (number: number): number => number + place.coverage;
  const functionOf = (id: string): IrFunction => {
    const found = keys.find(id);
    if (found?.kind !== "function") throw new Error(`a function is not there that the key of another one names: ${id}`);
    return found;
  };
  const answer = (ask: PortableAsk): number | bigint => {
    switch (ask.kind) {
      case "named-function":
        return module.functionIndex(functionOf(ask.id));
      case "named-address": {
        const definition = keys.find(ask.id);
        if (definition === null) throw new Error(`a variable is not there that the key of a function names: ${ask.id}`);
        return Number(BigInt.asUintN(64, BigInt(module.addressOfDefinition(definition)) + ask.offset));
      }
      case "site":
        return module.answer({ kind: "site", site: ask.site + place.sites });
      case "frame":
        return module.answer({ kind: "frame", frame: ask.frame + place.frames });
      case "coverage":
      case "coverage-address":
        return module.answer({ kind: ask.kind, number: behind(ask.number) });
      default:
        return module.answer(ask);
    }
  };
  const isCounted = template.coverage !== null;
  return {
    ...template,
    sites: template.sites.map((site) => ({
      ...site,
      functionIndex,
      successors: isCounted ? site.successors.map((to) => (to < 0 ? to : behind(to))) : site.successors,
    })),
    coverage:
      template.coverage?.map((block, n) => ({
        ...block,
        functionIndex,
        successors: block.successors.map(behind),
        calls: template.calls[n].map((id) => module.signatures.indexOf(functionOf(id)) as number),
        choices: block.choices.map(behind),
      })) ?? null,
    translated: fillDraft(template.draft, answer),
  };
}
