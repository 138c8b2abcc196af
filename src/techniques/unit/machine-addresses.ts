// Addresses of the machine in conditions. To a reader they are numbers without a meaning, and another run may have others: what has a name
// is told by it (a variable, a constant table), and of a condition on any other address nothing is told but that there is one.
//
// Whether a number is an address nobody has noted. One between the stack's end and the last byte that the machine had in this run is taken
// for one, and so is what is left of such a number when it is moved to the other side of a comparison.

import type { UnitExecutor } from "../../engine/unit-executor.js";
import type { GlobalInfo } from "../../jit/image.js";
import { HEAP_LIMIT, STACK_LIMIT } from "../../jit/memory-layout.js";
import { littleEndian } from "./scalar-words.js";

/** Fewer entries may look like another table by chance. */
const LEAST_ENTRIES = 4;
/** Narrower numbers are no addresses. */
const LEAST_BITS = 32;
const ADDRESS_BITS = 64;

export class MachineAddresses {
  constructor(
    private readonly globals: readonly GlobalInfo[],
    private readonly memory: Uint8Array,
  ) {}

  static of({ image, program }: UnitExecutor): MachineAddresses {
    return new MachineAddresses(image.globals, program.machine.memory.u8);
  }

  isAddress(value: bigint, width: number): boolean {
    const isIn = (address: bigint): boolean => address >= STACK_LIMIT && address < this.memory.length;
    const opposite = BigInt.asUintN(width, -value);
    // What is behind all memory is compared with the number of addresses there are behind it.
    const isBehind = width === ADDRESS_BITS && opposite === BigInt(HEAP_LIMIT);
    return width >= LEAST_BITS && (isIn(BigInt.asUintN(width, value)) || isIn(opposite) || isBehind);
  }

  /** A place in a variable: `&total`, `(char *)&table + 12`. */
  variableAt(address: bigint): string | null {
    for (const global of this.globals) {
      const offset = address - BigInt(global.address);
      const name = nameOf(global);
      if (name === null || offset < 0n || offset >= BigInt(global.size)) continue;
      return offset === 0n ? `&${name}` : `(char *)&${name} + ${offset}`;
    }
    return null;
  }

  /**
   * The constant variable that begins with these numbers, each of so many bits; null if there is none, or more than one. Numbers of one bit
   * say which of its elements are not zero.
   */
  tableOf(entries: readonly bigint[], bits: number): string | null {
    if (entries.length < LEAST_ENTRIES || (bits % 8 !== 0 && bits !== 1)) return null;
    const found = this.globals.filter(({ constant, address, size }) => {
      const isWithin = constant && size * 8 >= entries.length * bits;
      return isWithin && entries.every((entry, n) => this.isAt(address, size / entries.length, n, entry, bits));
    });
    return found.length === 1 ? nameOf(found[0]) : null;
  }

  private isAt(address: number, elementBytes: number, index: number, entry: bigint, bits: number): boolean {
    const size = bits === 1 ? elementBytes : bits / 8;
    if (!Number.isInteger(size)) return false;
    const at = address + index * size;
    const bytes = this.memory.subarray(at, at + size);
    return bits === 1 ? bytes.some((byte) => byte !== 0) === (entry !== 0n) : littleEndian(bytes) === entry;
  }
}

/** As the source has it: a static variable of a function is called `function.name`. Null for literals. */
function nameOf({ name }: GlobalInfo): string | null {
  const own = name.replace(/\.\d+$/, "").replace(/^.+\./, "");
  return name.startsWith(".") || !/^[A-Za-z_]/.test(own) ? null : own;
}
