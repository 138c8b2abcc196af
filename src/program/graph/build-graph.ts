// Makes a program's graph out of its linked IR: bodies as the image has them, who calls whom, what branches decide by, and where the
// values they decide by come from. Pointers are looked up by points-to sets if there is time for them, by types otherwise.

import { DataLayout } from "../../ir/data-layout.js";
import type { LinkedProgram } from "../../ir/link.js";
import type { IrFunction } from "../../ir/module.js";
import type { Type } from "../../ir/types.js";
import type { ProgramImage } from "../../jit/image.js";
import type { CountedBody } from "../counted-bodies.js";
import { addressTaken, CallFinder } from "./calls.js";
import { DefinitionCollector } from "./definitions.js";
import { DebugFieldNames } from "./field-names.js";
import type { Pointers } from "./pointers.js";
import { PointsToPointers } from "./points-to-pointers.js";
import type { GraphBlock, ProgramGraph } from "./program-graph.js";
import { numberReads, PlaceTable, TermMaker } from "./terms.js";
import { TypePointers } from "./type-pointers.js";
import { programWords } from "./words.js";

/** Bumped when a graph that was kept means something else now. */
export const GRAPH_VERSION = 4;

export interface GraphOptions {
  /** How pointers are looked up; points-to sets give way to types when they take too long. */
  readonly pointers: "points-to" | "types";
  /** For points-to sets. */
  readonly milliseconds: number;
}
export const DEFAULT_GRAPH_OPTIONS: GraphOptions = { pointers: "points-to", milliseconds: 20_000 };

export function buildGraph(
  program: LinkedProgram,
  layout: DataLayout,
  bodies: readonly CountedBody[],
  image: ProgramImage,
  options: GraphOptions = DEFAULT_GRAPH_OPTIONS,
): ProgramGraph {
  const numbers = new Map(bodies.map((counted) => [counted.fn, counted]));
  const taken = addressTaken(program, bodies);
  const types = new TypePointers(taken, program.variables, layout, new DebugFieldNames(program.modules));
  const pointers = choosePointers(program, layout, bodies, types, options);
  const calls = new CallFinder(program, bodies, pointers, taken, image.coverage.length).find();
  numberReads(bodies);
  const places = new PlaceTable();
  const terms = new TermMaker(places, pointers, layout, numbers);

  const blocks: GraphBlock[] = image.coverage.map(({ functionIndex, successors }, number) => ({
    functionNumber: functionIndex,
    successors,
    callees: calls.callees[number],
    stops: calls.stops[number] !== 0,
    decision: null,
  }));
  const entries = new Array<number>(image.functions.length).fill(-1);
  for (const home of bodies) {
    if (home.firstBlock < 0) continue;
    entries[home.functionIndex] = home.firstBlock;
    home.body.blocks.forEach(({ terminator }, at) => {
      const decision = terms.decision(terminator, home);
      if (decision !== null) blocks[home.firstBlock + at] = { ...blocks[home.firstBlock + at], decision };
    });
  }
  const definitions = new DefinitionCollector(bodies, calls.sites, pointers, places, terms, layout).collect();
  const counted = (fn: IrFunction): number[] => {
    const found = numbers.get(fn);
    return found !== undefined && found.firstBlock >= 0 ? [found.functionIndex] : [];
  };
  const untrusted = new Set([...calls.foreign, ...[...pointers.fromNumbers].flatMap(counted)]);
  return {
    version: GRAPH_VERSION,
    precision: pointers.precision,
    blocks,
    entries,
    places: places.places,
    definitions,
    words: programWords(bodies, program, layout),
    untrusted: ascending(untrusted),
    roots: calls.roots,
    addressTaken: ascending([...taken].flatMap(counted)),
  };
}

function ascending(numbers: Iterable<number>): number[] {
  return [...new Set(numbers)].sort((a, b) => a - b);
}

function choosePointers(
  program: LinkedProgram,
  layout: DataLayout,
  bodies: readonly CountedBody[],
  types: TypePointers,
  { pointers, milliseconds }: GraphOptions,
): Pointers {
  if (pointers === "types") return types;
  const watched = new WatchedLayout(layout.text, performance.now() + milliseconds);
  try {
    return new PointsToPointers(program, bodies, watched, types);
  } catch (error) {
    if (!(error instanceof TooLong)) throw error;
    // Types are always there, and the graph says which it was.
    return types;
  } finally {
    watched.deadline = Number.POSITIVE_INFINITY;
  }
}

class TooLong extends Error {}

/** Sizes are asked for all through the analysis, so this is where it can be stopped without knowing anything of it. */
class WatchedLayout extends DataLayout {
  private asked = 0;

  constructor(
    text: string,
    public deadline: number,
  ) {
    super(text);
  }

  override sizeOf(type: Type): number {
    if ((this.asked++ & 0xff) === 0 && performance.now() > this.deadline)
      throw new TooLong("points-to sets took too long");
    return super.sizeOf(type);
  }
}
