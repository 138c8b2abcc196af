// The tests' own code in a program, and its literals that can be input: strings, wide strings and byte arrays that only the tests mention and
// that they hand on to something, and numbers among the arguments of the library's functions (number-slots.ts). Worked out once, when a
// program is translated, since only its IR says who uses a literal and how.
//
// Left out is what cannot change without making the test itself wrong: what only libc is given (texts to print, names of files, what results
// are compared with), what is given to a function with a variable number of arguments (a format says what arguments follow), and the names of
// functions that the compiler makes.

import { calledFunction } from "../ir/analysis/call-graph.js";
import { collectConstant } from "../ir/analysis/references.js";
import type { LocalVariable } from "../ir/debug-info.js";
import type { LinkedProgram } from "../ir/link.js";
import { type GlobalValue, type GlobalVariable, IrError, type IrFunction } from "../ir/module.js";
import type { Constant, Instruction, Value } from "../ir/values.js";
import type { Rooms } from "../jit/globals.js";
import type { GlobalInfo, LiteralInfo, TestCode } from "../jit/image.js";
import { pathOf } from "../jit/line-table.js";
import { type LiteralPlace, literalName, type WideForm } from "../support/literal-names.js";
import { givenFormats } from "./given-formats.js";
import { handedPointers } from "./handed-pointers.js";
import type { NumberSlots } from "./number-slots.js";
import { type TestFunctions, testFunctionsOf } from "./test-functions.js";
import { wideStringOf } from "./wide-strings.js";

/** Of one literal, so much can be input; the rest stays as it is. */
const MOST_BYTES = 1024;
/** A program with more is no test. */
const MOST_LITERALS = 5000;
/** By which one string may be longer, and all of them together: all that lies there is put back before each run. */
const MOST_ROOM = 256;
const MOST_ROOMS = 0x1_0000;

/** Functions of libc that only hand the bytes on: what they were given is input of whoever gets the copy. */
const COPYING =
  /^(__)?(memcpy|memmove|mempcpy|memccpy|strcpy|strncpy|stpcpy|stpncpy|strcat|strncat|strdup|strndup|strlcpy|strlcat|wmemcpy|wmemmove|wcscpy|wcsncpy|wcscat|wcsncat|wcsdup|wcstok|fmemopen|fputs|fputws|fwrite|write|strtok|strtok_r)(_chk)?$/;
/** Those of them that are told how many bytes. */
const COUNTING =
  /^(__)?(memcpy|memmove|mempcpy|memccpy|strncpy|stpncpy|strncat|strndup|wmemcpy|wmemmove|wcsncpy|fmemopen|fwrite|write)(_chk)?$|^llvm\.mem/;
/** What the compiler makes of __func__ and its like. */
const COMPILERS_OWN = /^__(func|FUNCTION|PRETTY_FUNCTION)__\./;

const UNUSED = { isHandedOn: false, isVariadic: false, local: null, isSized: false };

interface Place {
  readonly file: string;
  readonly line: number;
}

/** How the tests use a variable. */
interface Uses {
  /** Where it stands in the source: its own place if it has a name, else that of its first use. */
  place: Place;
  readonly places: Place[];
  /** Something else than libc gets it. */
  isHandedOn: boolean;
  isVariadic: boolean;
  /** The local variable that it is the beginning of. */
  local: LocalVariable | null;
  /** Its size stands beside it, or so many bytes of it are copied: it cannot be longer. */
  isSized: boolean;
}

/** The tests' code of a program, before it is known where anything lies. */
export interface FoundTestCode {
  readonly functions: TestFunctions;
  /** Where the variables lie being known: what of them can be input. */
  literals(addresses: ReadonlyMap<GlobalVariable, number>): readonly LiteralInfo[];
  /** For strings that may be longer: how much. */
  readonly rooms: Rooms;
}

/** Null if there is no code beside the tests' own. */
export function findTestCode(program: LinkedProgram): FoundTestCode | null {
  const functions = testFunctionsOf(program);
  if (functions === null) return null;
  const finder = new LiteralFinder(program, functions.isTest);
  for (const fn of functions.own) {
    if (functions.isTestFunction(fn)) finder.look(fn);
    else finder.keep(fn);
  }
  const rooms = finder.rooms();
  return { functions, rooms, literals: (addresses) => finder.literals(addresses, rooms) };
}

/** `globals`: where the program's variables lie, in their order. */
export function testCodeOf(
  program: LinkedProgram,
  globals: readonly GlobalInfo[],
  numbers: NumberSlots | null = null,
  found: FoundTestCode | null = findTestCode(program),
): TestCode | null {
  if (found === null) return null;
  const { functions } = found;
  const { named, files } = functions;
  const addresses = new Map(program.variables.map((variable, n) => [variable, globals[n].address]));
  const slots = (numbers?.slots ?? []).flatMap(({ variable, name, bytes, place }): LiteralInfo[] => {
    const address = addresses.get(variable);
    return address === undefined ? [] : [{ name, address, bytes: [...bytes], uses: [place] }];
  });
  const sizes = numbers === null || numbers.sizes.length === 0 ? {} : { sizes: numbers.sizes };
  const handed = named === "surely" ? { handed: handedPointers(functions) } : {};
  const literals = [...found.literals(addresses), ...slots];
  const formats = literals.length === 0 ? [] : givenFormats(program, functions);
  return { named, files, literals, ...sizes, ...handed, ...(formats.length === 0 ? {} : { formats }) };
}

class LiteralFinder {
  private readonly uses = new Map<GlobalVariable, Uses>();
  /** What the code under test mentions itself. */
  private readonly kept = new Set<GlobalVariable>();

  constructor(
    private readonly program: LinkedProgram,
    private readonly isTest: (file: string) => boolean,
  ) {}

  keep(fn: IrFunction): void {
    for (const value of this.program.references.get(fn) ?? []) {
      if (value.resolved?.kind === "variable") this.kept.add(value.resolved);
    }
  }

  look(fn: IrFunction): void {
    const mentioned = (this.program.references.get(fn) ?? []).some(({ resolved }) => resolved?.kind === "variable");
    if (!mentioned) return;
    let blocks: readonly { readonly instructions: readonly Instruction[] }[];
    try {
      blocks = fn.parseBody()?.blocks ?? [];
    } catch (error) {
      // Whoever translates it says so.
      if (error instanceof IrError) return;
      throw error;
    }
    for (const { instructions } of blocks) for (const one of instructions) this.lookAt(one);
  }

  private lookAt(instruction: Instruction): void {
    const place = placeOf(instruction);
    if (place === null) return;
    instruction.operands.forEach((operand, index) => {
      if (instruction.op === "call" && index === 0) return;
      for (const variable of variablesIn(operand)) this.use(variable, instruction, place);
    });
  }

  private use(variable: GlobalVariable, instruction: Instruction, place: Place): void {
    const known = this.uses.get(variable);
    const uses = known ?? { ...UNUSED, place: this.declared(variable) ?? place, places: [] };
    this.uses.set(variable, uses);
    uses.places.push(place);
    uses.local ??= localOf(instruction);
    if (isSizedIn(variable, instruction)) uses.isSized = true;
    if (instruction.op !== "call") uses.isHandedOn = true;
    else {
      const callee = calledFunction(instruction.operands[0]);
      if (instruction.extra.fnType.variadic) uses.isVariadic = true;
      else if (callee === null || isCopying(callee) || isOwn(callee)) uses.isHandedOn = true;
    }
    if (isContent(variable)) return;
    // A table: what it leads to is used wherever it is.
    for (const inner of this.inTable(variable)) {
      const known = this.uses.get(inner);
      const innerUses = known ?? { ...UNUSED, place: uses.place, places: [] };
      innerUses.isHandedOn = true;
      if (this.sizedInTables.has(inner)) innerUses.isSized = true;
      innerUses.places.push(place);
      this.uses.set(inner, innerUses);
    }
  }

  /** Strings that stand in a row of a table beside their own size. */
  private readonly sizedInTables = new Set<GlobalVariable>();

  private noteSized(constant: Constant): void {
    if (constant.kind !== "aggregate") return;
    const { elements } = constant;
    for (const element of elements) {
      if (element.kind === "aggregate") this.noteSized(element);
      else for (const one of variablesIn(element)) if (hasSizeAmong(one, elements)) this.sizedInTables.add(one);
    }
  }

  private readonly tables = new Map<GlobalVariable, readonly GlobalVariable[]>();

  private inTable(table: GlobalVariable): readonly GlobalVariable[] {
    const known = this.tables.get(table);
    if (known !== undefined) return known;
    const found = new Set<GlobalVariable>([table]);
    for (const variable of found) {
      if (isContent(variable) || !this.isOfTests(variable)) continue;
      const initial = variable.initializer();
      if (initial === null) continue;
      for (const inner of variablesIn(initial)) found.add(inner);
      this.noteSized(initial);
    }
    found.delete(table);
    const list = [...found].filter(isContent);
    this.tables.set(table, list);
    return list;
  }

  /** Strings without a name: nothing but a pointer leads to them, so nobody knows their size. */
  rooms(): Rooms {
    const strings = [...this.uses].flatMap(([variable, uses]) =>
      this.contentToVary(variable, uses) !== null && !uses.isSized && !hasName(variable) && isString(variable)
        ? [variable]
        : [],
    );
    const room = Math.min(MOST_ROOM, Math.floor(MOST_ROOMS / Math.max(1, strings.length)) & ~7);
    return new Map(room === 0 ? [] : strings.map((variable) => [variable, room]));
  }

  /** Null if it stays as it is. */
  private contentToVary(variable: GlobalVariable, { isHandedOn, isVariadic, local }: Uses): Content | null {
    if (!isHandedOn || isVariadic || this.kept.has(variable)) return null;
    return COMPILERS_OWN.test(variable.name) || !this.isOfTests(variable) ? null : contentOf(variable, local);
  }

  literals(addresses: ReadonlyMap<GlobalVariable, number>, rooms: Rooms): readonly LiteralInfo[] {
    const numbers = new Map<string, number>();
    const found: LiteralInfo[] = [];
    for (const [variable, uses] of this.uses) {
      const { place, places } = uses;
      const address = addresses.get(variable);
      const content = this.contentToVary(variable, uses);
      if (address === undefined || content === null || found.length >= MOST_LITERALS) continue;
      const key = `${place.file}:${place.line}`;
      const number = (numbers.get(key) ?? 0) + 1;
      numbers.set(key, number);
      const { bytes, wide } = content;
      const name = literalName({ ...place, number, ...(wide === undefined ? {} : { wide }) } satisfies LiteralPlace);
      const room = rooms.get(variable);
      const more = room === undefined ? {} : { room };
      found.push({ name, address, bytes: [...bytes], ...more, uses: once(places) });
    }
    return found;
  }

  /** Declared in a file of the tests, or nameless: then it is of the unit that mentions it. */
  private isOfTests(variable: GlobalVariable): boolean {
    const declared = this.declared(variable);
    return declared === null ? variable.linkage === "internal" : this.isTest(declared.file);
  }

  private declared(variable: GlobalVariable): Place | null {
    const where = variable.debugId < 0 ? null : variable.module.debug.variable(variable.debugId);
    return where === null || where.file === "" ? null : { file: pathOf(where), line: where.line };
  }
}

function isOwn({ resolved }: IrFunction): boolean {
  return resolved?.module.origin === "program";
}

/** By its own name, or as an intrinsic. */
function isCopying({ name }: IrFunction): boolean {
  return COPYING.test(name) || /^llvm\.(memcpy|memmove)\./.test(name);
}

/** Bytes, or what may be a wide string: it is no table. */
function isContent(variable: GlobalVariable): boolean {
  const initial = variable.initializer();
  if (initial?.kind === "bytes") return true;
  return initial?.kind === "aggregate" && initial.type.kind === "array" && initial.type.element.kind === "int";
}

interface Content {
  readonly bytes: Uint8Array;
  readonly wide?: WideForm;
}

/** What of it can be input; null if it has no content. */
function contentOf(variable: GlobalVariable, local: LocalVariable | null): Content | null {
  const initial = variable.initializer();
  if (initial?.kind !== "bytes") {
    const text = wideStringOf(variable, local);
    return text === null ? null : { bytes: text.bytes.subarray(0, MOST_BYTES), wide: text.form };
  }
  const { bytes } = initial;
  // Behind the text of `char x[100] = "…"` there are only zeros.
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  return end === 0 ? null : { bytes: bytes.subarray(0, Math.min(end, MOST_BYTES)) };
}

/** A call that is given its size too, or that copies as many bytes as it is told. */
function isSizedIn(variable: GlobalVariable, { op, operands }: Instruction): boolean {
  if (op !== "call") return false;
  const callee = calledFunction(operands[0]);
  return (callee !== null && COUNTING.test(callee.name)) || hasSizeAmong(variable, operands.slice(1));
}

/** With the zero at its end, or without. */
function hasSizeAmong(variable: GlobalVariable, values: readonly Value[]): boolean {
  const initial = variable.initializer();
  if (initial?.kind !== "bytes") return false;
  const size = BigInt(initial.bytes.length);
  return values.some((value) => value.kind === "int" && (value.value === size || value.value === size - 1n));
}

/** In the source: compilers have places for literals too. */
function hasName({ debugId, module }: GlobalVariable): boolean {
  return debugId >= 0 && (module.debug.variable(debugId)?.functionName ?? "") !== "";
}

/** A text with one zero behind it. */
function isString(variable: GlobalVariable): boolean {
  const initial = variable.initializer();
  if (initial?.kind !== "bytes" || !variable.constant) return false;
  const { bytes } = initial;
  return bytes.length <= MOST_BYTES && bytes.indexOf(0) === bytes.length - 1;
}

/** The local variable that a constant is copied to. */
function localOf({ op, operands }: Instruction): LocalVariable | null {
  const to = op === "call" ? operands[1] : undefined;
  return to?.kind === "instruction" && to.op === "alloca" ? (to.extra.variable ?? null) : null;
}

function placeOf({ loc }: Instruction): Place | null {
  const frame = loc === null ? null : loc.debug.frame(loc.id);
  return frame === null || frame.file === "" ? null : { file: pathOf(frame), line: frame.line };
}

function variablesIn(value: Value | Constant): readonly GlobalVariable[] {
  if (value.kind !== "global" && value.kind !== "aggregate" && value.kind !== "constexpr") return [];
  const found = new Set<GlobalValue>();
  collectConstant(value, found);
  // They come from the last to the first; a table's are wanted in the order of the source.
  return [...found].reverse().flatMap(({ resolved }) => (resolved?.kind === "variable" ? [resolved] : []));
}

function once(places: readonly Place[]): readonly Place[] {
  return [...new Map(places.map((place) => [`${place.file}:${place.line}`, place])).values()];
}
