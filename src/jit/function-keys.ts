// What names a function by everything that its translation depends on: its own module's text, what its names stand for in this program, and
// the same of every function it refers to, because they may be inlined into it. Two functions of one key, in whichever programs, become the
// same code but for its holes (function-draft.ts). Functions that refer to each other in a circle have one key for the circle.

import { createHash } from "node:crypto";
import type { CallGraph } from "../ir/analysis/call-graph.js";
import { collectConstant } from "../ir/analysis/references.js";
import type { LinkedProgram } from "../ir/link.js";
import type { GlobalDefinition, GlobalValue, GlobalVariable, IrFunction } from "../ir/module.js";

/** Aliases of aliases; more is a circle. */
const MOST_STEPS = 8;

export class FunctionKeys {
  private readonly keys = new Map<IrFunction, string>();
  private readonly known = new Map<GlobalDefinition, string>();
  private readonly byId = new Map<string, IrFunction | GlobalVariable>();
  /** Two definitions of the program have one name: then none of them says which is meant. */
  private isAmbiguous = false;

  /** `about`: what else a translation depends on, for each function. */
  constructor(
    private readonly program: LinkedProgram,
    private readonly graph: CallGraph,
    about: (fn: IrFunction) => string,
  ) {
    for (const definition of [...program.functions, ...program.variables]) this.enter(definition);
    if (this.isAmbiguous) return;
    const { order, component } = graph;
    for (let from = 0; from < order.length; ) {
      let to = from + 1;
      while (to < order.length && component.get(order[to]) === component.get(order[from])) to++;
      const circle = order.slice(from, to);
      const parts = circle.map((fn) => this.partOf(fn));
      const all = [...parts].sort().join("\n");
      circle.forEach((fn, n) => {
        this.keys.set(fn, hashOf(`${about(fn)}\n${parts[n]}\n\n${all}`));
      });
      from = to;
    }
  }

  /** Null: it has no name that another program could have, too. */
  of(fn: IrFunction): string | null {
    return this.isAmbiguous || fn.absent !== undefined ? null : (this.keys.get(fn) ?? null);
  }

  /** The same in every program that has the definition: its module's content, and its name. */
  idOf(definition: GlobalDefinition): string {
    let id = this.known.get(definition);
    if (id === undefined) {
      id = `${definition.module.content} ${definition.name}`;
      this.known.set(definition, id);
    }
    return id;
  }

  find(id: string): IrFunction | GlobalVariable | null {
    return this.byId.get(id) ?? null;
  }

  private enter(definition: IrFunction | GlobalVariable): void {
    const id = this.idOf(definition);
    if (this.byId.has(id)) this.isAmbiguous = true;
    this.byId.set(id, definition);
  }

  private partOf(fn: IrFunction): string {
    const own = this.graph.component.get(fn);
    const references = this.program.references.get(fn) ?? [];
    return [this.idOf(fn), ...references.map((value) => this.meaningOf(value, own, MOST_STEPS))].join("\n");
  }

  /** A declaration's name may have been changed (program/link-modules.ts), so it is told as well. */
  private meaningOf({ name, resolved }: GlobalValue, own: number | undefined, steps: number): string {
    if (resolved === null || steps === 0) return `${name}=`;
    const id = this.idOf(resolved);
    if (resolved.kind === "variable") return `${name}=${id}`;
    if (resolved.kind === "alias") {
      const found = new Set<GlobalValue>();
      collectConstant(resolved.aliasee(), found);
      const meant = [...found].map((value) => this.meaningOf(value, own, steps - 1));
      return `${name}=${id}(${meant.join(" ")})`;
    }
    const isOwn = own !== undefined && this.graph.component.get(resolved) === own;
    return `${name}=${id} ${resolved.absent ?? ""}${isOwn ? "" : (this.keys.get(resolved) ?? "")}`;
  }
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
