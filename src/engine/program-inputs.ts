// A program's symbolic input in one run: which bytes arguments, standard input and files have under the run's model, and
// which variables these bytes are. Arguments keep their full length in memory whatever the model says, so that every run
// finds the same layout; a string ends where its first zero is.

import type { InputSpace, SpaceObject } from "../concolic/input-space.js";
import type { ExprArena } from "../expr/arena.js";
import { type ExprRef, OPS } from "../expr/ops.js";
import {
  argumentName,
  countOf,
  environmentName,
  fileObjectName,
  type InputSlot,
  STDIN_NAME,
  type SymbolicInputs,
  slotsOf,
} from "../inputs/symbolic-inputs.js";
import type { LiteralInfo } from "../jit/image.js";
import { NO_SITE, type PathObserver } from "../path/observer.js";
import type { Model } from "../solver/solver.js";
import { placeOfLiteral } from "../support/literal-names.js";
import { mostBytesOf } from "../vm/given-literals.js";
import type { InputName } from "../vm/machine-hooks.js";
import type { RunOptions } from "../vm/run-options.js";
import type { ArgumentObject } from "../vm/start-vector.js";

/** Of Unicode: the third byte of a character. */
const LAST_PLANE = 0x10;
const isWide = (name: string): boolean => placeOfLiteral(name)?.wide === "w32";

/** Before the program starts there is no site. */
const START = NO_SITE;

interface PlacedSlot {
  readonly slot: InputSlot;
  readonly object: SpaceObject;
}

/** Whoever keeps the list of the objects that a run has used. */
export interface InputTaker {
  input(name: string, size: number): SpaceObject;
}

type Given = Required<Pick<RunOptions, "arguments" | "environment" | "stdin" | "files">>;
type ConcreteGiven = Given & Pick<RunOptions, "literals">;

export class ProgramInputs {
  private readonly slots: readonly PlacedSlot[];
  private readonly byName = new Map<string, PlacedSlot>();
  private readonly counts: readonly string[];
  private readonly literals: readonly PlacedSlot[];
  private readonly files = new Map<string, PlacedSlot>();
  private readonly told = new Set<string>();
  private model: Model = new Uint8Array(0);
  /** By number of arguments: the words never change otherwise, and the machine compares them by identity. */
  private readonly words = new Map<
    string,
    { readonly arguments: readonly (string | Uint8Array)[]; readonly names: readonly (string | null)[] }
  >();
  private given: Given | null = null;
  private known: ReadonlyMap<string, LiteralInfo> | null = null;
  private current: readonly (string | null)[] = [];

  constructor(
    readonly inputs: SymbolicInputs,
    readonly space: InputSpace,
    workingDirectory: string,
  ) {
    this.slots = slotsOf(inputs).map((slot) => ({ slot, object: space.declare(slot.name, 0, slot.size) }));
    for (const placed of this.slots) this.byName.set(placed.slot.name, placed);
    this.literals = this.slots.filter(({ slot }) => slot.kind === "literal");
    this.counts = this.slots.filter(({ slot }) => slot.kind === "count").map(({ slot }) => slot.name);
    this.fileNames = inputs.files.map(({ name }) => Buffer.from(name, "latin1"));
    for (const { name } of inputs.files) {
      const path = plainPath(name.startsWith("/") ? name : `${workingDirectory}/${name}`);
      this.files.set(path, this.byName.get(fileObjectName(name)) as PlacedSlot);
    }
  }

  /** As the user named them. */
  readonly fileNames: readonly Uint8Array[];

  begin(input: Model): void {
    this.model = input;
    this.told.clear();
  }

  /** The part of the run's options that the input decides. */
  surroundings(name: string, environment: readonly string[]): Given {
    const words = this.argumentsFor(name);
    this.current = words.names;
    const stdin = this.byName.get(STDIN_NAME);
    // Without bytes of its own to give, the same answer is given again.
    const plain = stdin === undefined && this.files.size === 0 && this.inputs.environment.length === 0;
    if (plain && this.given?.arguments === words.arguments) return this.given;
    this.given = {
      arguments: words.arguments,
      environment: this.inputs.environment.length === 0 ? environment : this.environment(environment),
      stdin: stdin === undefined ? NOTHING : this.bytes(stdin),
      files: [...this.files].map(([path, placed]) => ({ path, bytes: this.bytes(placed) })),
    };
    return this.given;
  }

  /** The same, with the bytes of the model in words and variables too: for a run with nothing symbolic. */
  concreteSurroundings(name: string, environment: readonly string[]): ConcreteGiven {
    const given = this.surroundings(name, environment);
    const filled = (word: string | Uint8Array, slot: string | null): string | Uint8Array => {
      const placed = slot === null ? undefined : this.byName.get(slot);
      return placed === undefined ? word : this.bytes(placed).subarray(0, word.length);
    };
    const own = given.environment.slice(given.environment.length - this.inputs.environment.length);
    const literals = this.literals.map(({ slot, object }) => ({ name: slot.name, bytes: this.bytesOf(object) }));
    return {
      ...given,
      ...(literals.length === 0 ? {} : { literals }),
      arguments: given.arguments.map((word, n) => filled(word, this.current[n])),
      environment: [
        ...given.environment.slice(0, given.environment.length - own.length),
        ...own.map((variable, n) => {
          const { name: variableName } = this.inputs.environment[n];
          const placed = this.byName.get(environmentName(variableName));
          if (placed === undefined) return variable;
          const value = this.bytes(placed).subarray(0, this.inputs.environment[n].length);
          return Buffer.concat([Buffer.from(`${variableName}=`), value]);
        }),
      ],
    };
  }

  private bytes({ object }: PlacedSlot): Uint8Array {
    return this.space.bytesOf(object, this.model);
  }

  private count(name: string): number {
    const placed = this.byName.get(name);
    return placed === undefined ? 0 : countOf(this.bytes(placed), placed.slot);
  }

  private argumentsFor(name: string): {
    readonly arguments: readonly (string | Uint8Array)[];
    readonly names: readonly (string | null)[];
  } {
    const counts = this.counts.map((countName) => this.count(countName));
    const key = counts.length === 0 ? "" : counts.join(",");
    const known = this.words.get(key);
    if (known !== undefined) return known;
    const words: (string | Uint8Array)[] = [name];
    const names: (string | null)[] = [null];
    let argument = 0;
    let count = 0;
    const symbolic = (length: number): void => {
      words.push(new Uint8Array(length));
      names.push(argumentName(argument++));
    };
    for (const word of this.inputs.words) {
      if (word.kind === "fixed") {
        words.push(word.bytes);
        names.push(null);
      } else if (word.kind === "symbolic") symbolic(word.length);
      else {
        const after = argument + word.most;
        const present = word.least < word.most ? counts[count++] : word.least;
        for (let n = 0; n < present; n++) symbolic(word.length);
        argument = after;
      }
    }
    const made = { arguments: words, names };
    this.words.set(key, made);
    return made;
  }

  private environment(given: readonly string[]): readonly (string | Uint8Array)[] {
    const names = new Set(this.inputs.environment.map(({ name }) => name));
    const rest = given.filter((variable) => !names.has(variable.slice(0, variable.indexOf("="))));
    const own = this.inputs.environment.map(({ name, length }) =>
      Buffer.concat([Buffer.from(`${name}=`), Buffer.alloc(length)]),
    );
    return [...rest, ...own];
  }

  /** What is so before the program starts: how many arguments there are is a decision of the path; wide strings hold characters. */
  tellStart(arena: ExprArena, observer: PathObserver, taker: InputTaker): void {
    for (const { slot } of this.slots) {
      const object = taker.input(slot.name, slot.size);
      if (slot.kind === "literal" && isWide(slot.name)) this.tellCharacters(arena, observer, object);
      if (slot.kind !== "count") continue;
      let value: ExprRef = arena.variable(object.first);
      for (let k = 1; k < object.size; k++) value = arena.concat(arena.variable(object.first + k), value);
      const present = this.count(slot.name);
      const conditions: ExprRef[] = [];
      for (let n = slot.least; n <= slot.most; n++) {
        const constant = arena.constant(32, n, 0);
        conditions.push(
          n === slot.least
            ? arena.binary(OPS.sle.code, value, constant)
            : n === slot.most
              ? arena.binary(OPS.sle.code, constant, value)
              : arena.binary(OPS.eq.code, value, constant),
        );
      }
      const taken = present - slot.least;
      observer.choose(
        START,
        conditions[taken],
        conditions.filter((_, n) => n !== taken),
      );
    }
  }

  /** Whatever a source holds in L"…", no text from outside has anything beyond U+10FFFF: what fails only then is no finding. */
  private tellCharacters(arena: ExprArena, observer: PathObserver, object: SpaceObject): void {
    const bytes = this.bytesOf(object);
    for (let at = 0; at + 3 < object.size; at += 4) {
      const byte = (k: number): ExprRef => arena.variable(object.first + at + k);
      const condition = arena.binary(
        OPS.and.code,
        arena.binary(OPS.eq.code, byte(3), arena.constant(8, 0, 0)),
        arena.binary(OPS.ule.code, byte(2), arena.constant(8, LAST_PLANE, 0)),
      );
      observer.assume(START, condition, bytes[at + 3] === 0 && bytes[at + 2] <= LAST_PLANE);
    }
  }

  /** The arguments, variables and literals that are input, with their places. `literals`: all that the program has. */
  placed(
    objects: readonly ArgumentObject[],
    literals: readonly LiteralInfo[],
  ): { readonly object: SpaceObject; readonly at: number; readonly literal?: LiteralInfo }[] {
    if (this.slots.length === 0) return [];
    const result: { readonly object: SpaceObject; readonly at: number; readonly literal?: LiteralInfo }[] = [];
    for (const { slot, object } of this.literals) {
      const literal = this.literalsByName(literals).get(slot.name);
      if (literal === undefined || object.size > mostBytesOf(literal)) continue;
      result.push({ object, at: literal.address, literal });
    }
    for (const { name, address } of objects) {
      const argument = /^argv\[(\d+)\]$/.exec(name);
      const variable = argument === null ? /^environment variable (.*)$/.exec(name) : null;
      const key =
        argument !== null ? this.current[Number(argument[1])] : variable === null ? null : environmentName(variable[1]);
      const placed = key === null || key === undefined ? undefined : this.byName.get(key);
      if (placed === undefined) continue;
      const skip = variable === null ? 0 : variable[1].length + 1;
      result.push({ object: placed.object, at: address + skip });
    }
    return result;
  }

  private literalsByName(literals: readonly LiteralInfo[]): ReadonlyMap<string, LiteralInfo> {
    this.known ??= new Map(literals.map((literal) => [literal.name, literal]));
    return this.known;
  }

  bytesOf(object: SpaceObject): Uint8Array {
    return this.space.bytesOf(object, this.model);
  }

  /** The object that a file's bytes are; null if they are not input, or the program has changed the file. */
  objectOf(input: InputName): SpaceObject | null {
    if (input === "stdin") return this.byName.get(STDIN_NAME)?.object ?? null;
    if (input === "other" || input.isChanged) return null;
    return this.files.get(plainPath(input.path))?.object ?? null;
  }

  /** The input that a changed file was made of, which what is read there may still be; told once a run. */
  takeChanged(input: InputName): readonly SpaceObject[] {
    if (typeof input === "string") return [];
    const path = plainPath(input.path);
    const object = this.files.get(path)?.object;
    if (object === undefined || this.told.has(path)) return [];
    this.told.add(path);
    return [object];
  }
}

function plainPath(path: string): string {
  return path.replace(/\/+/g, "/");
}

const NOTHING = new Uint8Array(0);
