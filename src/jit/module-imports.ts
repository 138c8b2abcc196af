// What a module may import: functions of the boundary, with the types that the boundary states, and the one memory. A module may come out of
// the cache or from another machine, so each is compared with that table before it is compiled. V8 tells the names and kinds of imports
// but not their types, so both are read from the bytes.
// Invariant: what is read here is what V8 reads. It takes the sections of a module in one order only, and none of them twice.

import { visible } from "../support/visible-text.js";
import {
  HOST_FUNCTIONS,
  type HostFunction,
  IMPORT_MODULE,
  MEMORY_IMPORT,
  OBSERVER,
  OBSERVER_FUNCTION,
} from "./boundary.js";
import { SYMBOLIC_FUNCTIONS } from "./symbolic-boundary.js";
import { SECTION, VALUE_TYPE } from "./wasm.js";

/** All that the host offers, but for the memory. */
export const IMPORTED_FUNCTIONS: ReadonlyMap<string, HostFunction> = new Map<string, HostFunction>([
  ...Object.entries(HOST_FUNCTIONS),
  ...Object.entries(SYMBOLIC_FUNCTIONS),
  [OBSERVER, OBSERVER_FUNCTION],
]);

const HEADER = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const FUNCTION_TYPE = 0x60;
const KIND = { function: 0, memory: 2 } as const;
/** Limits of a memory with a largest size, not shared. */
const BOUNDED = 1;
const MOST_PAGES = 0x1_0000;
const LONGEST_NAME = 100;
/** Sections that no module of ours has: it would bring a memory of its own, or run before it is started. */
const NEVER: ReadonlyMap<number, string> = new Map([
  [SECTION.memory, "it has a memory of its own"],
  [SECTION.start, "it would run before it is started"],
]);

/** In words, why the module is none that the translator makes; null: nothing is known against it. */
export function moduleTrouble(wasm: Uint8Array): string | null {
  try {
    return troubleIn(new Reader(wasm, 0, wasm.length));
  } catch (error) {
    if (error instanceof CutShort) return "it is cut short or damaged";
    throw error;
  }
}

function troubleIn(module: Reader): string | null {
  if (HEADER.some((byte) => module.u8() !== byte)) return "it is no WebAssembly";
  let types: readonly Uint8Array[] | null = [];
  let imports: string | null = null;
  const seen = new Set<number>();
  while (!module.isAtEnd) {
    const id = module.u8();
    const section = module.part(module.u32());
    if (id === SECTION.custom) continue;
    if (seen.has(id)) return "it is damaged";
    seen.add(id);
    const never = NEVER.get(id);
    if (never !== undefined) return never;
    if (id === SECTION.type) types = typesIn(section);
    if (types === null) return "it has types that no translation has";
    if (id === SECTION.import) imports = importTrouble(section, types);
    if (imports !== null) return imports;
  }
  return null;
}

/** Each function type as its bytes; null: there are others. */
function typesIn(section: Reader): readonly Uint8Array[] | null {
  const types: Uint8Array[] = [];
  for (let count = section.u32(); count > 0; count--) {
    if (section.u8() !== FUNCTION_TYPE) return null;
    const start = section.at;
    section.part(section.u32());
    section.part(section.u32());
    types.push(section.since(start));
  }
  return types;
}

function importTrouble(section: Reader, types: readonly Uint8Array[]): string | null {
  for (let count = section.u32(); count > 0; count--) {
    const [module, name] = [section.name(), section.name()];
    const kind = section.u8();
    const trouble = `it imports ${visible(`${module}.${name}`)}`;
    const known = module === IMPORT_MODULE ? IMPORTED_FUNCTIONS.get(name) : undefined;
    if (kind === KIND.function && known !== undefined) {
      const type = types[section.u32()];
      if (type === undefined || !isTypeOf(known, type)) return `${trouble} with another type than it has`;
    } else if (kind === KIND.memory && module === IMPORT_MODULE && name === MEMORY_IMPORT) {
      const isBounded = section.u8() === BOUNDED;
      if (!isBounded || section.u32() > MOST_PAGES || section.u32() > MOST_PAGES)
        return `${trouble} with another size than it has`;
    } else {
      return `${trouble}, which is not offered to programs`;
    }
  }
  return null;
}

function isTypeOf({ params, result }: HostFunction, type: Uint8Array): boolean {
  const wanted = [params, ...Array<number>(params).fill(VALUE_TYPE.i32), ...(result ? [1, VALUE_TYPE.i32] : [0])];
  return type.length === wanted.length && wanted.every((byte, index) => byte === type[index]);
}

class CutShort extends Error {}

class Reader {
  constructor(
    private readonly bytes: Uint8Array,
    public at: number,
    private readonly end: number,
  ) {}

  get isAtEnd(): boolean {
    return this.at === this.end;
  }

  u8(): number {
    if (this.at >= this.end) throw new CutShort();
    return this.bytes[this.at++];
  }

  /** LEB128, at most five bytes. */
  u32(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 0x80) {
      const byte = this.u8();
      value += (byte & 0x7f) * scale;
      if (value > 0xffff_ffff || scale > 2 ** 28) throw new CutShort();
      if (byte < 0x80) return value;
    }
  }

  part(length: number): Reader {
    if (length > this.end - this.at) throw new CutShort();
    this.at += length;
    return new Reader(this.bytes, this.at - length, this.at);
  }

  since(start: number): Uint8Array {
    return this.bytes.subarray(start, this.at);
  }

  name(): string {
    const length = this.u32();
    if (length > LONGEST_NAME) throw new CutShort();
    const start = this.at;
    this.part(length);
    return Buffer.from(this.since(start)).toString("latin1");
  }
}
