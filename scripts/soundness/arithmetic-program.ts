// Random C programs that are nothing but decisions over arithmetic: a dozen statements on a dozen symbolic bytes, all integer types,
// conversions, shifts, divisions, overflow builtins, tables read and written at symbolic places, copies and fills of symbolic
// lengths, switches, short loops.
// csmith's programs are rich in language but ask few different questions a second; these ask little else.
// Nothing is undefined: built with -fwrapv, shifts are masked, divisors odd, indices within their arrays. What is
// computed is written out, so that every path can be compared with the native program.

import type { Random } from "../../src/support/random.js";

const WIDTHS = [8, 16, 32, 64] as const;
const VARIABLES = 6;
const STATEMENTS = 12;
const INPUT_BYTES = 12;

export function arithmeticProgram(random: Random): string {
  return new Writer(random).program();
}

class Writer {
  constructor(private readonly random: Random) {}

  program(): string {
    const inputs = Array.from({ length: VARIABLES }, (_, i) => {
      const type = this.type();
      const at = this.below(INPUT_BYTES - 7);
      return `    ${type} value${i};\n    memcpy(&value${i}, input + ${at}, sizeof value${i});\n    int64_t v${i} = value${i};`;
    });
    const table = Array.from({ length: 16 }, () => this.below(0x1_0000)).join(", ");
    const statements = Array.from({ length: STATEMENTS }, () => this.statement());
    const sum = Array.from({ length: VARIABLES }, (_, i) => `result[${i}] = v${i};`).join(" ");
    return [
      "#include <klee/klee.h>",
      "#include <stdint.h>",
      "#include <string.h>",
      "#include <unistd.h>",
      `static const uint16_t table[16] = {${table}};`,
      "static int32_t cells[8] = {1, 2, 3, 5, 8, 13, 21, 34};",
      "int main(void)",
      "{",
      `    unsigned char input[${INPUT_BYTES}];`,
      `    int64_t result[${VARIABLES}];`,
      `    klee_make_symbolic(input, sizeof input, "input");`,
      ...inputs,
      ...statements.map((text) => `    ${text}`),
      `    ${sum}`,
      "    write(1, result, sizeof result);",
      "    return (int)(v0 & 63);",
      "}",
      "",
    ].join("\n");
  }

  private statement(): string {
    const target = this.variable();
    switch (this.below(10)) {
      case 0:
        return `switch (${this.value(1)} & 7) { case 0: ${target} += 7; break; case 3: ${target} ^= ${this.value(1)}; break; case 5: ${target} = ${this.value(1)}; default: ${this.variable()}--; }`;
      case 1:
        return `cells[${this.value(1)} & 7] = (int32_t)${this.value(2)};`;
      case 9:
        return this.below(2) === 0
          ? `memset(cells, (int)${this.value(1)}, (size_t)(${this.variable()} & 31));`
          : `memmove(cells, (char *)cells + ${this.below(8)}, (size_t)(${this.variable()} & 15));`;
      case 2:
        return `for (int i = 0; i < (int)(${this.variable()} & 3); i++) ${target} = ${target} * 2 + ${this.value(1)};`;
      case 3: {
        const type = this.pick(["int32_t", "uint32_t", "int64_t", "uint16_t"]);
        const name = this.pick(["add", "sub", "add", "sub", "mul"]);
        return `{ ${type} sum; if (__builtin_${name}_overflow((${type})${this.value(1)}, (${type})${this.value(1)}, &sum)) ${target}++; else ${target} = sum; }`;
      }
      default:
        return `if (${this.condition()}) ${target} = ${this.value(1)}; else ${this.variable()} ^= ${this.value(1)};`;
    }
  }

  private condition(): string {
    const type = this.type();
    const simple = `(${type})${this.value(1)} ${this.pick(["<", "<=", ">", ">=", "==", "!="])} (${type})${this.value(1)}`;
    const joined = this.below(4);
    if (joined > 1) return simple;
    return `${simple} ${joined === 0 ? "&&" : "||"} ${this.variable()} ${this.pick(["<", ">", "!="])} ${this.constant()}`;
  }

  /** An expression in parentheses. */
  private value(depth: number): string {
    if (depth === 0) return this.below(3) === 0 ? this.constant() : `(${this.type()})${this.variable()}`;
    const a = this.value(depth - 1);
    const b = this.value(depth - 1);
    // Every division and every product of two inputs makes all that follows slow for any solver, so they are small and rare.
    switch (this.below(24)) {
      case 0:
        return `(${a} << (${b} & 7))`;
      case 1:
        return `(${a} >> (${b} & 15))`;
      case 2:
        return `((uint8_t)${a} * (int8_t)${b})`;
      case 3:
        return `((${this.pick(["uint8_t", "int8_t", "uint16_t"])})${a} ${this.pick(["/", "%"])} ${2 * this.below(9) + 3})`;
      case 4:
        return `((uint8_t)${a} ${this.pick(["/", "%"])} ((uint8_t)${b} | 1u))`;
      case 5:
        return `(${this.condition()} ? ${a} : ${b})`;
      case 6:
      case 7:
        return `table[${a} & 15]`;
      case 8:
      case 9:
        return `cells[${a} & 7]`;
      case 10:
        return this.pick([
          `__builtin_popcount((uint32_t)${a})`,
          `__builtin_bswap32((uint32_t)${a})`,
          `__builtin_clz((uint32_t)${a} | 1u)`,
          `(int64_t)(((unsigned __int128)(uint64_t)${a} << 61) >> 64)`,
        ]);
      case 11:
        return `(${a} * ${this.below(20)})`;
      case 12:
      case 13:
        return `(${a} << ${this.below(12)})`;
      case 14:
      case 15:
        return `(${a} >> ${this.below(20)})`;
      default:
        return `(${a} ${this.pick(["+", "-", "&", "|", "^"])} ${b})`;
    }
  }

  private variable(): string {
    return `v${this.below(VARIABLES)}`;
  }

  private constant(): string {
    const width = this.pick([3, 8, 16, 31]);
    const value = this.random.next() >>> (32 - width);
    return this.below(4) === 0 ? `(-${value})` : `${value}`;
  }

  private type(): string {
    return `${this.below(2) === 0 ? "u" : ""}int${this.pick(WIDTHS)}_t`;
  }

  private below(limit: number): number {
    return this.random.next() % limit;
  }

  private pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)];
  }
}
