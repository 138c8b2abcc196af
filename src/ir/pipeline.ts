// From a linked program to bodies ready for code generation: each function is parsed, lowered, optimised, has its small
// callees inlined, is instrumented, and is handed out; callees come before callers. Only bodies that may still be
// inlined are kept, so that memory does not grow with the program.

import { AllocaUses } from "./analysis/alloca-uses.js";
import { type CallGraph, callGraph } from "./analysis/call-graph.js";
import { numberInstructions, orderBlocks, predecessors } from "./analysis/cfg.js";
import { DominatorTree } from "./analysis/dominators.js";
import { Forbidding } from "./analysis/forbidding.js";
import { askFirstByteOnly, readsWords } from "./analysis/word-readers.js";
import type { DataLayout } from "./data-layout.js";
import { NameOnly } from "./debug-info.js";
import type { LinkedProgram } from "./link.js";
import type { IrFunction } from "./module.js";
import { removeRedundantChecks } from "./passes/check-elimination.js";
import { checkFields } from "./passes/check-fields.js";
import { checkHanded } from "./passes/check-handed.js";
import { cloneBody } from "./passes/clone.js";
import { expandAddresses } from "./passes/expand-gep.js";
import { hoistInvariants } from "./passes/hoist.js";
import { convertChoices } from "./passes/if-convert.js";
import { inlineCalls } from "./passes/inline.js";
import { bodyCost, INLINE_COST, type InlineCandidate, mayMix } from "./passes/inline-cost.js";
import { instrument } from "./passes/instrument.js";
import { threadJumps } from "./passes/jump-threading.js";
import { type LowerContext, lower } from "./passes/lower.js";
import { settleDefinedness } from "./passes/settle-definedness.js";
import { simplify } from "./passes/simplify.js";
import { splitCopies } from "./passes/split-copies.js";
import { splitJumps } from "./passes/split-jumps.js";
import { hasAllocas, promoteFrom } from "./passes/sroa.js";
import { unsetAtScopes } from "./passes/unset-scopes.js";
import type { Body } from "./values.js";

export interface PipelineOptions {
  readonly inline: boolean;
  readonly optimize: boolean;
  /** Turn small choices into selects; their branches are then no longer seen (if-convert.ts). */
  readonly selects: boolean;
  /** Insert checks into functions of untrusted modules. */
  readonly checks: boolean;
  /** Shadows are added afterwards, with a check for every access; none are inserted here. */
  readonly shadows: boolean;
  /** What was never set stays visible as such, and the runtime follows it. */
  readonly definedness: boolean;
  /** Hold what is computed from an array field of a structure to that field (check-fields.ts). */
  readonly fields: boolean;
}
export interface PipelineStatistics {
  /** Of the final bodies, without checks. */
  instructions: number;
  /** Left in the final bodies. */
  checks: number;
  checksRemoved: number;
  inlined: number;
}

export class Optimizer {
  /** Take the bodies in this order: callees before callers. */
  readonly order: readonly IrFunction[];
  readonly statistics: PipelineStatistics = { instructions: 0, checks: 0, checksRemoved: 0, inlined: 0 };
  private readonly context: LowerContext;
  readonly graph: CallGraph;
  /** Functions that may be inlined, and whose bodies nobody has made yet. */
  private readonly left = new Set<IrFunction>();
  private readonly candidates = new Map<IrFunction, InlineCandidate>();
  private readonly forbidding = new Forbidding();

  /** `runtime` gives the function of the runtime or libm that lowered code calls by name (`__tangent_f80_add`). */
  constructor(
    program: LinkedProgram,
    readonly options: PipelineOptions,
    readonly layout: DataLayout,
    runtime: (name: string) => IrFunction | null,
  ) {
    this.graph = callGraph(program.functions, program.references);
    this.order = this.graph.order;
    this.context = { layout, runtime, meanings: new Map() };
  }

  /**
   * The final body of a function of `order`: blocks in reverse postorder, `index` set. The caller owns it. `keepsWritten`: an address
   * that was expanded to bytes also has what was written, for analyses.
   */
  body(fn: IrFunction, keepsWritten = false): Body {
    const body = this.optimizedBody(fn);
    if (this.options.checks && fn.module.origin !== "trusted") checkHanded(body);
    if (this.options.checks && !this.options.shadows) this.check(fn, body);
    if (this.options.optimize) {
      expandAddresses(body, this.layout, keepsWritten);
      hoistInvariants(body);
      if (this.options.selects) convertChoices(body);
    }
    for (const block of body.blocks) this.statistics.instructions += block.instructions.length;
    return body;
  }

  /** Has the function been found small enough to be inlined? */
  isCandidate(fn: IrFunction): boolean {
    return this.candidates.has(fn);
  }

  /** What was counted since then. */
  countedSince(before: Readonly<PipelineStatistics>): PipelineStatistics {
    const { instructions, checks, checksRemoved, inlined } = this.statistics;
    return {
      instructions: instructions - before.instructions,
      checks: checks - before.checks,
      checksRemoved: checksRemoved - before.checksRemoved,
      inlined: inlined - before.inlined,
    };
  }

  /** Counts what was done another time. */
  count({ instructions, checks, checksRemoved, inlined }: Readonly<PipelineStatistics>): void {
    this.statistics.instructions += instructions;
    this.statistics.checks += checks;
    this.statistics.checksRemoved += checksRemoved;
    this.statistics.inlined += inlined;
  }

  /** Its body is not asked for; somebody has its code. A caller may still want it inlined. Not with checks, which learn from bodies. */
  leaveOut(fn: IrFunction, isCandidate: boolean): void {
    if (isCandidate) this.left.add(fn);
  }

  private candidateOf(fn: IrFunction): InlineCandidate | undefined {
    if (this.left.delete(fn)) {
      const counted = { ...this.statistics };
      this.optimizedBody(fn);
      Object.assign(this.statistics, counted);
    }
    return this.candidates.get(fn);
  }

  private optimizedBody(fn: IrFunction): Body {
    const body = fn.parseBody();
    if (body === null) throw new Error(`${fn.name} has no body`);
    if (fn.debugId < 0) placeByName(fn, body);
    if (fn.module.origin === "trusted") settleDefinedness(body, this.options.definedness);
    orderBlocks(body);
    splitJumps(body);
    if (lower(body, this.context)) orderBlocks(body);
    if (this.options.optimize) this.optimize(fn, body);
    return body;
  }

  private optimize(fn: IrFunction, body: Body): void {
    const tree = this.promote(fn, body);
    const holds = this.options.fields && fn.module.origin === "program" && this.checkFields(fn, body);
    simplify(body, this.layout, holds ? null : tree);
    if (threadJumps(body) > 0) {
      orderBlocks(body);
      simplify(body, this.layout);
    }
    if (!this.options.inline) return;
    const component = this.graph.component.get(fn);
    const inlined = inlineCalls(body, this.layout, (callee) => {
      if (this.graph.component.get(callee) === component) return null;
      const candidate = this.candidateOf(callee);
      if (candidate === undefined || !mayMix(candidate, fn)) return null;
      // The program's blocks are counted as its own, which they would not be inside a library function (a harness's main).
      if (candidate.fn.module.origin === "program" && fn.module.origin !== "program") return null;
      // Trusted code reads what it likes; beside shadows every access is checked.
      if (
        this.options.shadows &&
        candidate.fn.module.origin !== fn.module.origin &&
        candidate.fn.module.origin === "trusted"
      )
        return null;
      return candidate;
    });
    if (inlined.count > 0) {
      this.statistics.inlined += inlined.count;
      orderBlocks(body);
      simplify(body, this.layout, this.promote(fn, body));
    }
    if (readsWords(fn)) return;
    const cost = bodyCost(fn, body, this.layout);
    if (cost > INLINE_COST && !(fn.attributes.alwaysInline && cost !== Number.POSITIVE_INFINITY)) return;
    numberInstructions(body);
    this.candidates.set(fn, { fn, body: cloneBody(body), cost, depth: inlined.depth });
  }

  /** Returns whether there are new blocks. */
  private checkFields(fn: IrFunction, body: Body): boolean {
    if (checkFields(body, this.layout, fn.module, this.context.runtime("strlen")) === 0) return false;
    orderBlocks(body);
    return true;
  }

  /** Returns the dominator tree, which promotion does not change. */
  private promote(fn: IrFunction, body: Body): DominatorTree {
    const tree = new DominatorTree(predecessors(body));
    if (!hasAllocas(body)) return tree;
    let uses = new AllocaUses(body, this.layout, numberInstructions(body));
    if (splitCopies(uses, this.options.checks && fn.module.origin !== "trusted")) {
      uses = new AllocaUses(body, this.layout, numberInstructions(body));
    }
    if (this.options.definedness && unsetAtScopes(uses)) {
      uses = new AllocaUses(body, this.layout, numberInstructions(body));
    }
    promoteFrom(uses, tree, this.options.definedness);
    return tree;
  }

  private check(fn: IrFunction, body: Body): void {
    let checks = instrument(body, this.layout, fn.params);
    if (readsWords(fn)) askFirstByteOnly(body);
    if (checks > 1 && this.options.optimize) {
      const count = numberInstructions(body);
      const removed = removeRedundantChecks(body, this.layout, count, this.forbidding.forbids);
      this.statistics.checksRemoved += removed;
      checks -= removed;
    }
    this.forbidding.learn(fn, body);
    this.statistics.checks += checks;
    this.statistics.instructions -= checks;
  }
}

/**
 * A function without debug information is a place of its own, so that a stack names it, also where others are inlined
 * into it and where it is inlined itself.
 */
function placeByName(fn: IrFunction, body: Body): void {
  const place = new NameOnly(fn.name, fn.module.debug).location();
  for (const block of body.blocks) for (const i of block.instructions) i.loc ??= place;
}
