// What functions write through their pointer parameters: byte ranges of what a parameter points to, by the stores in their bodies and in
// those of the program's functions that they pass the pointer on to. A stub puts out what its function would have written, and nothing else.
//
// Order of instructions does not count. A pointer that moves (`*p++`) writes anywhere. Pointers that were read from memory are not
// followed: what lies behind a second arrow is not seen here.

import { calledFunction } from "../../ir/analysis/call-graph.js";
import { constantOffset } from "../../ir/analysis/gep.js";
import type { IrFunction } from "../../ir/module.js";
import { type Body, type Instruction, intValue, type Value } from "../../ir/values.js";
import { calledName } from "../../support/library-names.js";
import type { ProgramCode } from "./program-code.js";

export interface ByteRange {
  readonly offset: number;
  readonly size: number;
}

export interface Written {
  readonly ranges: readonly ByteRange[];
  /** Also at places that are not known. */
  readonly isAnywhere: boolean;
  /** A pointer is written, not only null. */
  readonly hasPointers: boolean;
}

/** By function (an index into `image.functions`), by parameter of the IR. Parameters that nothing is written through are left out. */
export type WrittenParameters = ReadonlyMap<number, ReadonlyMap<number, Written>>;

/** More single places than that are anywhere. */
const MOST_RANGES = 64;
const MOST_PASSES = 4;

/** Functions of libc that write nothing through any pointer that a caller would read again. */
const READS_ONLY = new RegExp(
  "^(str(n?len|n?cmp|n?casecmp|chr|rchr|chrnul|str|casestr|c?spn|pbrk|n?dup|coll|tou?ll?|to[dfi])|mem(cmp|chr|rchr|mem)|" +
    "ato(i|l|ll|f)|free|abort|v?f?printf|f?put(s|c)|fwrite|fputs|puts|perror|write|getenv|is[a-z]+|to(upper|lower)|" +
    "fopen|open|access|unlink|remove|rename|f(close|flush|eof|error|ileno|seek|tell)|syslog|" +
    "llvm\\.(dbg|lifetime|assume|objectsize|expect|va_).*|__tangent_.*)$",
);

/** Where a value points: into what a parameter points to; the offset is null if it is not known. */
interface Place {
  readonly parameter: number;
  readonly offset: number | null;
}

interface PassedOn {
  readonly callee: IrFunction;
  readonly argument: number;
  readonly place: Place;
}

export function writtenParameters({ bodies }: Pick<ProgramCode, "bodies">): WrittenParameters {
  const known = new Map<IrFunction, FunctionWrites>();
  for (const { fn, body } of bodies) known.set(fn, new FunctionWrites(fn, body));
  for (let changed = true; changed; ) {
    changed = false;
    for (const writes of known.values()) if (writes.takeOver(known)) changed = true;
  }
  const found = new Map<number, ReadonlyMap<number, Written>>();
  for (const { fn, functionIndex } of bodies) {
    const own = known.get(fn)?.parameters();
    if (own !== undefined && own.size > 0) found.set(functionIndex, own);
  }
  return found;
}

/** Grows. */
class WrittenPlaces {
  readonly ranges = new Map<string, ByteRange>();
  isAnywhere = false;
  hasPointers = false;

  /** True if that is new. */
  add(offset: number | null, size: number | null): boolean {
    if (offset === null || size === null || offset < 0 || this.ranges.size >= MOST_RANGES) {
      const isNew = !this.isAnywhere;
      this.isAnywhere = true;
      return isNew;
    }
    const key = `${offset} ${size}`;
    if (size < 1 || this.ranges.has(key)) return false;
    this.ranges.set(key, { offset, size });
    return true;
  }
}

class FunctionWrites {
  readonly written = new Map<number, WrittenPlaces>();
  private readonly passedOn: PassedOn[] = [];
  private readonly places = new Map<Value, Place>();
  /** By alloca: the pointer that a local variable holds. */
  private readonly held = new Map<Value, Place>();

  constructor(
    private readonly fn: IrFunction,
    body: Body,
  ) {
    const pointers = body.args.filter(({ type }) => type.kind === "ptr");
    if (pointers.length === 0) return;
    for (const argument of pointers) this.places.set(argument, { parameter: argument.index, offset: 0 });
    const all = body.blocks.flatMap(({ instructions }) => instructions);
    for (let pass = 0, changed = true; changed && pass < MOST_PASSES; pass++) {
      changed = false;
      for (const one of all) if (this.follow(one)) changed = true;
    }
    for (const one of all) this.note(one);
  }

  parameters(): ReadonlyMap<number, Written> {
    return new Map(
      [...this.written].map(([parameter, { ranges, isAnywhere, hasPointers }]) => [
        parameter,
        { ranges: [...ranges.values()].sort((a, b) => a.offset - b.offset), isAnywhere, hasPointers },
      ]),
    );
  }

  /** What functions that it hands pointers to write. True if that is new. */
  takeOver(known: ReadonlyMap<IrFunction, FunctionWrites>): boolean {
    let changed = false;
    for (const { callee, argument, place } of this.passedOn) {
      const theirs = known.get(callee)?.written.get(argument);
      if (theirs === undefined) continue;
      const own = this.ownOf(place.parameter);
      if (theirs.isAnywhere && own.add(null, null)) changed = true;
      for (const { offset, size } of [...theirs.ranges.values()]) {
        if (own.add(place.offset === null ? null : place.offset + offset, size)) changed = true;
      }
      if (theirs.hasPointers && !own.hasPointers) {
        own.hasPointers = true;
        changed = true;
      }
    }
    return changed;
  }

  private ownOf(parameter: number): WrittenPlaces {
    const own = this.written.get(parameter) ?? new WrittenPlaces();
    this.written.set(parameter, own);
    return own;
  }

  private follow(one: Instruction): boolean {
    const { op, operands, extra } = one;
    switch (op) {
      case "store": {
        const [value, address] = operands;
        const place = this.places.get(value);
        return place !== undefined && isLocal(address) && this.merge(this.held, address, place);
      }
      case "load": {
        const place = this.held.get(operands[0]);
        return place !== undefined && this.merge(this.places, one, place);
      }
      case "getelementptr": {
        const base = this.places.get(operands[0]);
        if (base === undefined) return false;
        const step = constantOffset(this.fn.module.layout, extra.sourceType, operands, 1);
        const offset = step === null || base.offset === null ? null : base.offset + step;
        return this.merge(this.places, one, { ...base, offset });
      }
      case "phi":
      case "select":
      case "bitcast":
      case "freeze":
        return operands.some((operand) => {
          const place = this.places.get(operand);
          return place !== undefined && this.merge(this.places, one, place);
        });
      default:
        return false;
    }
  }

  /** One place a value: of two parameters the first is kept, of two offsets none. */
  private merge(into: Map<Value, Place>, key: Value, place: Place): boolean {
    const before = into.get(key);
    if (before === undefined) {
      into.set(key, place);
      return true;
    }
    if (before.parameter !== place.parameter || before.offset === null || before.offset === place.offset) return false;
    into.set(key, { ...before, offset: null });
    return true;
  }

  private note({ op, operands, extra }: Instruction): void {
    if (op === "store") {
      const place = this.places.get(operands[1]);
      if (place === undefined) return;
      const own = this.ownOf(place.parameter);
      own.add(place.offset, this.fn.module.layout.sizeOf(extra.accessType));
      if (extra.accessType.kind === "ptr" && operands[0].kind !== "zero") own.hasPointers = true;
    } else if (op === "atomicrmw" || op === "cmpxchg") {
      const place = this.places.get(operands[0]);
      if (place !== undefined) this.ownOf(place.parameter).add(null, null);
    } else if (op === "call") this.noteCall(operands);
  }

  private noteCall(operands: readonly Value[]): void {
    const callee = calledFunction(operands[0]);
    const isOwn = callee !== null && callee.module.origin === "program" && !callee.isDeclaration;
    const name = calledName(callee?.name ?? "");
    for (const [n, value] of operands.entries()) {
      const place = n === 0 ? undefined : this.places.get(value);
      if (place === undefined) continue;
      if (isOwn) this.passedOn.push({ callee, argument: n - 1, place });
      else if (callee === null || !READS_ONLY.test(name)) {
        // Of those that copy and fill, the first is written to.
        const isFilling =
          callee !== null && /^(llvm\.|__)?(mem(cpy|move|set)|str(cpy|cat|ncpy|ncat)|v?sn?printf)/.test(name);
        if (isFilling && n !== 1) continue;
        const isSized = isFilling && /mem(cpy|move|set)/.test(name);
        const size = isSized ? intValue(operands[3]) : null;
        this.ownOf(place.parameter).add(place.offset, size === null ? null : Number(size));
      }
    }
  }
}

function isLocal(value: Value): boolean {
  return value.kind === "instruction" && value.op === "alloca";
}
