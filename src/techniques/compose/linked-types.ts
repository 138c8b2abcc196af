// What is made of a program for composition besides its image, and what is read from its code when somebody asks: once for each thread.

import type { ItemContext } from "../../campaign/technique.js";
import { openCache } from "../../frontend/cache.js";
import type { MoveWord } from "../../inputs/moves/move.js";
import type { LinkedProgram } from "../../ir/link.js";
import type { IrFunction } from "../../ir/module.js";
import { SignatureTable } from "../../jit/signature-table.js";
import type { UnitTypes } from "../unit/describe-unit.js";
import { targetId } from "./call-condition.js";
import { type CodeFacts, codeFacts } from "./code-facts.js";
import type { ComposeSetup } from "./compose-work.js";
import { ContextGround } from "./context-ground.js";
import { SummaryStore } from "./summary-store.js";

/** The item's need "linked" (jobs/campaign-worker.ts). */
export interface LinkedTypes {
  readonly program: LinkedProgram;
  readonly types: UnitTypes;
  /** What the program knows by heart. */
  readonly words: readonly MoveWord[];
}

export function linkedOf({ extra }: ItemContext): LinkedTypes {
  return extra.linked as LinkedTypes;
}

const knownGrounds = new WeakMap<LinkedProgram, ContextGround>();

export function groundOf(context: ItemContext): ContextGround {
  const { program, types } = linkedOf(context);
  const ground = knownGrounds.get(program) ?? new ContextGround(program, context.image, context.module, types);
  knownGrounds.set(program, ground);
  return ground;
}

const knownFacts = new WeakMap<LinkedProgram, CodeFacts>();

export function codeFactsOf(context: ItemContext): CodeFacts {
  const { program } = linkedOf(context);
  const facts = knownFacts.get(program) ?? codeFacts(program);
  knownFacts.set(program, facts);
  return facts;
}

const knownStores = new WeakMap<LinkedProgram, SummaryStore>();

/** Results of units that were explored before; null if none are kept. */
export function storeOf(context: ItemContext, { cache }: ComposeSetup): SummaryStore | null {
  if (cache === null) return null;
  const { program } = linkedOf(context);
  const store = knownStores.get(program) ?? new SummaryStore(openCache(cache), program, context.image, targetId);
  knownStores.set(program, store);
  return store;
}

const knownFunctions = new WeakMap<LinkedProgram, readonly IrFunction[]>();

/** By index into `image.functions`; null if there is none. */
export function functionAt(context: ItemContext, index: number): IrFunction | null {
  const { program } = linkedOf(context);
  const functions = knownFunctions.get(program) ?? new SignatureTable(program.functions).functions;
  knownFunctions.set(program, functions);
  return functions[index] ?? null;
}
