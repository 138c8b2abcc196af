// Values of the IR as small trees that can be kept and shown, and the places they speak of. A tree is cut where it becomes large: what
// is below is unknown. A variable in a register is a place too: where ways join, it gets its value from each of them.

import { calledFunction } from "../../ir/analysis/call-graph.js";
import type { DataLayout } from "../../ir/data-layout.js";
import type { IrFunction } from "../../ir/module.js";
import { type Instruction, type InstructionOf, intValue, type Value } from "../../ir/values.js";
import { calledName } from "../../support/library-names.js";
import type { CountedBody } from "../counted-bodies.js";
import type { PlaceKey, Pointers } from "./pointers.js";
import { type Decides, type FunctionNumber, type GraphPlace, READS_PER_BLOCK, type Term } from "./program-graph.js";

const DEEPEST = 7;
const MOST_NODES = 40;
/** Texts that a program compares with are short. */
const LONGEST_TEXT = 200;

/** Of an instruction too far on in its block to be told. */
const NO_READ = -1;

const UNKNOWN: Term = { kind: "unknown" };

/** What a place is, for those who look for its definitions. */
export type PlaceSource =
  | { readonly kind: "memory"; readonly key: PlaceKey }
  | { readonly kind: "several" }
  | { readonly kind: "joined"; readonly phi: InstructionOf<"phi">; readonly home: CountedBody }
  | { readonly kind: "parameter"; readonly functionNumber: FunctionNumber; readonly index: number }
  | { readonly kind: "result"; readonly functionNumber: FunctionNumber };

/** Numbers the instructions of the program's own functions as `read` in terms has it; terms are made after that. */
export function numberReads(bodies: readonly CountedBody[]): void {
  for (const { body, firstBlock } of bodies) {
    if (firstBlock < 0) continue;
    body.blocks.forEach(({ instructions }, at) => {
      instructions.forEach((i, n) => {
        i.id = n < READS_PER_BLOCK ? (firstBlock + at) * READS_PER_BLOCK + n : NO_READ;
      });
    });
  }
}

/** Numbers places; each is made once. */
export class PlaceTable {
  readonly places: GraphPlace[] = [];
  readonly sources: PlaceSource[] = [];
  private readonly byKey = new Map<string, number>();
  private readonly byPhi = new Map<Instruction, number>();

  /** One place, or one that is any of several. */
  memory(keys: readonly PlaceKey[]): number {
    if (keys.length === 1) return this.single(keys[0]);
    const parts = [...new Set(keys.map((key) => this.single(key)))].sort((a, b) => a - b);
    if (parts.length === 1) return parts[0];
    const key = `s:${parts.join(",")}`;
    return this.make(key, () => {
      const names = new Set(parts.map((part) => this.places[part].name));
      const [first] = names;
      const name = names.size === 1 ? first : `${first} or others`;
      return [{ name, kind: this.places[parts[0]].kind, parts }, { kind: "several" }];
    });
  }
  private single(key: PlaceKey): number {
    return this.make(key.key, () => [
      { name: key.name(), kind: key.kind, parts: [] },
      { kind: "memory", key },
    ]);
  }
  joined(phi: InstructionOf<"phi">, home: CountedBody): number {
    const known = this.byPhi.get(phi as Instruction);
    if (known !== undefined) return known;
    const name = phi.extra?.variable.name ?? "";
    const joinedAt = Math.floor(phi.id / READS_PER_BLOCK);
    const number = this.add({ name, kind: "local", parts: [], joinedAt }, { kind: "joined", phi, home });
    this.byPhi.set(phi as Instruction, number);
    return number;
  }
  parameter(functionNumber: FunctionNumber, index: number, name: () => string): number {
    const parameter = { functionNumber, index };
    return this.make(`p:${functionNumber},${index}`, () => [
      { name: name(), kind: "local", parts: [], parameter },
      { kind: "parameter", ...parameter },
    ]);
  }
  result(functionNumber: FunctionNumber, name: string): number {
    return this.make(`r:${functionNumber}`, () => [
      { name: `${name}()`, kind: "local", parts: [], resultOf: functionNumber },
      { kind: "result", functionNumber },
    ]);
  }

  private make(key: string, made: () => [GraphPlace, PlaceSource]): number {
    const known = this.byKey.get(key);
    if (known !== undefined) return known;
    const number = this.add(...made());
    this.byKey.set(key, number);
    return number;
  }
  private add(place: GraphPlace, source: PlaceSource): number {
    this.places.push(place);
    this.sources.push(source);
    return this.places.length - 1;
  }
}

export class TermMaker {
  private left = 0;
  private readonly parameters = new Map<IrFunction, string[]>();

  constructor(
    private readonly places: PlaceTable,
    private readonly pointers: Pointers,
    private readonly layout: DataLayout,
    private readonly numbers: ReadonlyMap<IrFunction, CountedBody>,
  ) {}

  /** `home`: the function that the value is in. */
  term(value: Value, home: CountedBody): Term {
    this.left = MOST_NODES;
    return this.make(value, home, 0);
  }

  /** What a block decides by, from its last instruction. */
  decision(terminator: Instruction, home: CountedBody): Decides | null {
    if (terminator.blocks.length < 2) return null;
    if (terminator.op === "condbr") {
      const condition = this.term(terminator.operands[0], home);
      return condition.kind === "unknown" ? null : { kind: "branch", condition };
    }
    if (terminator.op !== "switch") return null;
    const value = this.term(terminator.operands[0], home);
    const cases = [[], ...terminator.extra.cases.map((number) => [number.toString()])];
    return value.kind === "unknown" ? null : { kind: "switch", value, cases };
  }

  /** The variable that it was put into when the function had not been worked on. */
  private parameterName({ fn }: CountedBody, index: number): string {
    let names = this.parameters.get(fn);
    if (names === undefined) {
      names = [];
      for (const i of fn.parseBody()?.blocks[0].instructions ?? []) {
        if (i.op !== "store") continue;
        const [value, pointer] = i.operands;
        if (value.kind !== "argument" || pointer.kind !== "instruction" || pointer.op !== "alloca") continue;
        names[value.index] = pointer.extra.variable?.name ?? "";
      }
      this.parameters.set(fn, names);
    }
    return names[index] ?? "";
  }

  private make(value: Value, home: CountedBody, depth: number): Term {
    const number = intValue(value);
    if (number !== null) return { kind: "number", value: number.toString(), width: this.layout.bitsOf(value.type) };
    if (value.kind === "argument") {
      this.places.parameter(home.functionIndex, value.index, () => this.parameterName(home, value.index));
      return { kind: "parameter", functionNumber: home.functionIndex, index: value.index };
    }
    if (value.kind === "global" || value.kind === "constexpr") return textAt(value) ?? UNKNOWN;
    if (value.kind !== "instruction" || value.id === NO_READ || depth >= DEEPEST || --this.left <= 0) return UNKNOWN;
    return this.instruction(value, home, depth);
  }

  private instruction(i: Instruction, home: CountedBody, depth: number): Term {
    switch (i.op) {
      case "load": {
        const keys = this.pointers.placesOf(i.operands[0], "load");
        const width = this.layout.bitsOf(i.extra.accessType);
        if (keys.length > 0) return { kind: "place", place: this.places.memory(keys), width, read: i.id };
        const made = this.operation("load", width, [i.operands[0]], home, depth);
        return made.kind === "operation" ? { ...made, read: i.id } : made;
      }
      case "phi":
        if (!isScalar(i)) return UNKNOWN;
        return { kind: "place", place: this.places.joined(i, home), width: this.layout.bitsOf(i.type) };
      case "call":
        return this.call(i, home, depth);
      case "icmp":
        return this.operation(i.extra.predicate, 1, i.operands, home, depth);
      case "freeze":
        return this.make(i.operands[0], home, depth);
      case "getelementptr":
        // An element: the address as pointer and number, if it is one step of bytes.
        return i.operands.length === 2 && this.layout.sizeOf(i.extra.sourceType) === 1
          ? this.operation("add", 64, i.operands, home, depth)
          : UNKNOWN;
      case "add": case "sub": case "mul": case "udiv": case "sdiv": case "urem": case "srem":
      case "shl": case "lshr": case "ashr": case "and": case "or": case "xor":
      case "trunc": case "zext": case "sext": case "ptrtoint": case "inttoptr": case "select":
        if (!isScalar(i)) return UNKNOWN;
        return this.operation(i.op, this.layout.bitsOf(i.type), i.operands, home, depth);
      default:
        return UNKNOWN;
    } // biome-ignore format: a table
  }

  private operation(
    operation: string,
    width: number,
    operands: readonly Value[],
    home: CountedBody,
    depth: number,
  ): Term {
    const terms = operands.map((operand) => this.make(operand, home, depth + 1));
    if (terms.every(({ kind }) => kind === "unknown")) return UNKNOWN;
    return { kind: "operation", operation, width, operands: terms };
  }

  private call(call: InstructionOf<"call">, home: CountedBody, depth: number): Term {
    const callee = calledFunction(call.operands[0]);
    if (callee === null) return UNKNOWN;
    const counted = this.numbers.get(callee);
    const functionNumber = counted !== undefined && counted.firstBlock >= 0 ? counted.functionIndex : -1;
    if (functionNumber >= 0) this.places.result(functionNumber, calledName(callee.name));
    const operands = call.operands.slice(1).map((argument) => this.make(argument, home, depth + 2));
    return { kind: "result", function: calledName(callee.name), functionNumber, operands, read: call.id };
  }
}

function isScalar({ type }: Instruction): boolean {
  return type.kind === "int" || type.kind === "ptr";
}

/** A text that stands in the program. */
function textAt(value: Value): Term | null {
  if (value.kind !== "global") return null;
  const target = value.target.resolved ?? value.target;
  if (target.kind !== "variable" || !target.constant) return null;
  const initial = target.initializer();
  if (initial === null) return null;
  if (initial.kind === "zero" && target.valueType.kind === "array") return { kind: "text", bytes: "" };
  if (initial.kind !== "bytes") return null;
  const end = initial.bytes.indexOf(0);
  if (end < 0 || end > LONGEST_TEXT) return null;
  return { kind: "text", bytes: Buffer.from(initial.bytes.subarray(0, end)).toString("latin1") };
}
