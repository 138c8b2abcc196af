// From a linked program to bodies ready for code generation: each function is parsed, lowered, optimised, has its small
// callees inlined, is instrumented, and is handed out; callees come before callers. Only bodies that may still be
// inlined are kept, so that memory does not grow with the program.

import { callGraph } from "./call-graph.js";
import { orderBlocks } from "./cfg.js";
import type { DataLayout } from "./data-layout.js";
import { instrument } from "./instrument.js";
import type { LinkedProgram } from "./link.js";
import { type LowerContext, lower } from "./lower.js";
import type { IrFunction } from "./module.js";
import { simplify } from "./simplify.js";
import { promoteVariables } from "./sroa.js";
import type { Body } from "./values.js";

export interface PipelineOptions {
  readonly inline: boolean;
  readonly optimize: boolean;
  /** Insert checks into functions of untrusted modules. */
  readonly checks: boolean;
}
export interface PipelineStatistics {
  instructions: number;
  checks: number;
  checksRemoved: number;
  inlined: number;
}

export class Optimizer {
  /** Take the bodies in this order: callees before callers. */
  readonly order: readonly IrFunction[];
  readonly statistics: PipelineStatistics = { instructions: 0, checks: 0, checksRemoved: 0, inlined: 0 };
  readonly #context: LowerContext;

  /** `runtime` gives the function of the runtime that lowered code calls by name (`__tangent_f80_add`). */
  constructor(
    program: LinkedProgram,
    readonly options: PipelineOptions,
    readonly layout: DataLayout,
    runtime: (name: string) => IrFunction | null,
  ) {
    this.order = callGraph(program.functions, program.references).order;
    this.#context = { layout, runtime };
  }

  /** The final body of a function of `order`: blocks in reverse postorder, `index` set. The caller owns it. */
  body(fn: IrFunction): Body {
    const body = fn.parseBody();
    if (body === null) throw new Error(`${fn.name} has no body`);
    orderBlocks(body);
    if (lower(body, this.#context)) orderBlocks(body);
    if (this.options.optimize) {
      promoteVariables(body, this.layout);
      simplify(body, this.layout);
    }
    const checked = this.options.checks && fn.module.origin !== "trusted";
    if (checked) this.statistics.checks += instrument(body, this.layout);
    for (const block of body.blocks) this.statistics.instructions += block.instructions.length;
    return body;
  }
}
