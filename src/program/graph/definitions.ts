// Where the places that decisions speak of get their values: stores, initial values, arguments, what functions return, and the ways on
// which variables in registers are set. Followed from the decisions backwards: a definition may speak of further places. What nothing
// decides by is not looked up.

import type { DataLayout } from "../../ir/data-layout.js";
import type { Constant, InstructionOf, Value } from "../../ir/values.js";
import { constInt, constZero } from "../../ir/values.js";
import type { CountedBody } from "../counted-bodies.js";
import type { CallSite } from "./calls.js";
import type { PlaceKey, Pointers } from "./pointers.js";
import type { BlockNumber, Definition, FunctionNumber } from "./program-graph.js";
import type { PlaceTable, TermMaker } from "./terms.js";

/** A place with more is written everywhere; some of them say as much. */
const MOST_OF_ONE_PLACE = 300;
const MOST_DEFINITIONS = 400_000;

interface Store {
  readonly block: BlockNumber;
  readonly value: Value;
  readonly home: CountedBody;
}

export class DefinitionCollector {
  private readonly stores = new Map<string, Store[]>();
  private readonly sitesOf = new Map<FunctionNumber, CallSite[]>();
  private readonly homes = new Map<FunctionNumber, CountedBody>();
  private readonly homeOfBlock: (block: BlockNumber) => CountedBody;

  constructor(
    bodies: readonly CountedBody[],
    sites: readonly CallSite[],
    private readonly pointers: Pointers,
    private readonly places: PlaceTable,
    private readonly terms: TermMaker,
    private readonly layout: DataLayout,
  ) {
    const byBlock: CountedBody[] = [];
    for (const home of bodies) {
      if (home.firstBlock < 0) continue;
      this.homes.set(home.functionIndex, home);
      home.body.blocks.forEach(({ instructions }, at) => {
        byBlock[home.firstBlock + at] = home;
        for (const i of instructions) if (i.op === "store") this.noteStore(i, home.firstBlock + at, home);
      });
    }
    this.homeOfBlock = (block) => byBlock[block];
    for (const site of sites) {
      for (const callee of site.callees) {
        const list = this.sitesOf.get(callee);
        if (list === undefined) this.sitesOf.set(callee, [site]);
        else list.push(site);
      }
    }
  }

  private noteStore(store: InstructionOf<"store">, block: BlockNumber, home: CountedBody): void {
    for (const { key } of this.pointers.placesOf(store.operands[1], "store")) {
      const one = { block, value: store.operands[0], home };
      const list = this.stores.get(key);
      if (list === undefined) this.stores.set(key, [one]);
      else list.push(one);
    }
  }

  /** Of all places in the table, and of those that their definitions bring into it. */
  collect(): Definition[] {
    const found: Definition[] = [];
    for (let place = 0; place < this.places.sources.length && found.length < MOST_DEFINITIONS; place++) {
      const before = found.length;
      for (const definition of this.of(place)) {
        found.push(definition);
        if (found.length - before >= MOST_OF_ONE_PLACE) break;
      }
    }
    return found;
  }

  private *of(place: number): Iterable<Definition> {
    const source = this.places.sources[place];
    switch (source.kind) {
      case "memory": {
        const initial = this.initial(source.key);
        if (initial !== null) yield { place, block: -1, value: initial };
        for (const { block, value, home } of this.stores.get(source.key.key) ?? []) {
          yield { place, block, value: this.terms.term(value, home) };
        }
        return;
      }
      case "joined": {
        const { phi, home } = source;
        for (const [n, from] of phi.blocks.entries()) {
          yield { place, block: home.firstBlock + from.index, value: this.terms.term(phi.operands[n], home) };
        }
        return;
      }
      case "parameter":
        for (const { block, call } of this.sitesOf.get(source.functionNumber) ?? []) {
          const argument = call.operands[source.index + 1];
          if (argument !== undefined) yield { place, block, value: this.terms.term(argument, this.homeOfBlock(block)) };
        }
        return;
      case "result": {
        const home = this.homes.get(source.functionNumber);
        if (home === undefined) return;
        for (const [at, { terminator }] of home.body.blocks.entries()) {
          if (terminator.op !== "ret" || terminator.operands.length === 0) continue;
          yield { place, block: home.firstBlock + at, value: this.terms.term(terminator.operands[0], home) };
        }
        return;
      }
      case "several":
    }
  }

  private initial({ variable, offset }: PlaceKey): Definition["value"] | null {
    const whole = variable?.initializer() ?? null;
    if (whole === null || offset === undefined) return null;
    const value = constantAt(this.layout, whole, offset);
    if (value === null) return null;
    if (value.kind === "int") return { kind: "number", value: value.value.toString(), width: value.type.bits };
    return value.kind === "zero" ? { kind: "number", value: "0", width: this.layout.bitsOf(value.type) } : null;
  }
}

/** The scalar at a byte of a constant. */
function constantAt(layout: DataLayout, whole: Constant, offset: number): Constant | null {
  let value = whole;
  let rest = offset;
  for (;;) {
    const { type } = value;
    if (value.kind === "zero") {
      if (type.kind === "struct") {
        const n = fieldAt(layout.structLayout(type).offsets, rest);
        if (n < 0) return null;
        rest -= layout.structLayout(type).offsets[n];
        value = { kind: "zero", type: type.fields[n] };
      } else if (type.kind === "array") {
        const size = layout.sizeOf(type.element);
        if (size === 0) return null;
        rest %= size;
        value = { kind: "zero", type: type.element };
      } else return rest === 0 ? constZero(type) : null;
    } else if (value.kind === "bytes") {
      return rest < value.bytes.length ? constInt(8, value.bytes[rest]) : null;
    } else if (value.kind === "aggregate") {
      let n: number;
      if (type.kind === "struct") {
        const { offsets } = layout.structLayout(type);
        n = fieldAt(offsets, rest);
        if (n >= 0) rest -= offsets[n];
      } else {
        const size = value.elements.length === 0 ? 0 : layout.sizeOf(value.elements[0].type);
        if (size === 0) return null;
        n = Math.floor(rest / size);
        rest -= n * size;
      }
      if (n < 0 || n >= value.elements.length) return null;
      value = value.elements[n];
    } else return rest === 0 ? value : null;
  }
}

function fieldAt(offsets: readonly number[], offset: number): number {
  let n = offsets.length - 1;
  while (n >= 0 && offsets[n] > offset) n--;
  return n;
}
