// Random C programs that are decisions over floating point: float and double from symbolic bytes and small integers, arithmetic,
// conversions, the exact functions of math.h, comparisons of all kinds, the bits behind a number, a few loops.
// Nothing is undefined: only numbers that fit are converted to integers. What is computed is written out, so that every path
// can be compared with the native program; a NaN is written as one, since its bits differ from machine to machine.

import type { Random } from "../../src/support/random.js";

const VARIABLES = 4;
const STATEMENTS = 8;
const INPUT_BYTES = 16;
const CONSTANTS = ["0.0", "-0.0", "1.0", "0.5", "-2.0", "3.0", "0.1", "1e10", "1e-10", "16777216.0", "100.0", "-0.75"];

export function floatProgram(random: Random): string {
  return new Writer(random).program();
}

class Writer {
  constructor(private readonly random: Random) {}

  program(): string {
    const inputs = Array.from({ length: VARIABLES }, (_, i) => this.input(i));
    const statements = Array.from({ length: STATEMENTS }, () => this.statement());
    const results = Array.from({ length: VARIABLES }, (_, i) => `result[${i}] = v${i} != v${i} ? 1 : bits_of(v${i});`);
    return [
      "#include <klee/klee.h>",
      "#include <math.h>",
      "#include <stdint.h>",
      "#include <string.h>",
      "#include <unistd.h>",
      "static uint64_t bits_of(double x) { uint64_t bits; memcpy(&bits, &x, sizeof bits); return bits; }",
      "static int32_t whole(double x) { return x > -2e9 && x < 2e9 ? (int32_t)x : 7; }",
      "int main(void)",
      "{",
      `    unsigned char input[${INPUT_BYTES}];`,
      `    uint64_t result[${VARIABLES}];`,
      `    klee_make_symbolic(input, sizeof input, "input");`,
      ...inputs,
      ...statements.map((text) => `    ${text}`),
      ...results.map((text) => `    ${text}`),
      "    write(1, result, sizeof result);",
      "    return 0;",
      "}",
      "",
    ].join("\n");
  }

  private input(i: number): string {
    const at = this.below(INPUT_BYTES - 7);
    const type = this.pick(["double", "float", "int16_t", "int32_t", "uint8_t"]);
    const scale = type === "double" || type === "float" ? "" : ` / ${this.pick(["1.0", "4.0", "10.0"])}`;
    return `    ${type} value${i};\n    memcpy(&value${i}, input + ${at}, sizeof value${i});\n    double v${i} = value${i}${scale};`;
  }

  private statement(): string {
    const target = this.variable();
    switch (this.below(8)) {
      case 0:
        return `for (int i = 0; i < (whole(${this.variable()}) & 3); i++) ${target} = ${target} * 0.5 + ${this.value(0)};`;
      case 1:
        return `switch (whole(${this.value(1)}) & 3) { case 0: ${target} = ${this.value(1)}; break; case 2: ${target} = -${target}; default: ${this.variable()} += 1; }`;
      case 2:
        return `${target} = ${this.value(2)};`;
      default:
        return `if (${this.condition()}) ${target} = ${this.value(1)}; else ${this.variable()} = ${this.value(1)};`;
    }
  }

  private condition(): string {
    const a = this.value(1);
    switch (this.below(8)) {
      case 0:
        return this.pick([`isnan${a}`, `isinf${a}`, `isfinite${a}`, `signbit${a}`, `isnormal${a}`]);
      case 1:
        return `(bits_of${a} >> 52 & ${this.below(2048)}) ${this.pick(["==", "<", ">"])} ${this.below(2048)}`;
      case 2:
        return `whole${a} ${this.pick(["==", "<", ">="])} ${this.below(50)}`;
      case 3:
        return `!(${a} ${this.pick(["<", "<=", ">", ">="])} ${this.value(1)})`;
      case 4:
        return `(float)${a} ${this.pick(["<", "==", "!="])} (float)${this.value(0)}`;
      default:
        return `${a} ${this.pick(["<", "<=", ">", ">=", "==", "!="])} ${this.value(1)}`;
    }
  }

  /** An expression in parentheses. */
  private value(depth: number): string {
    if (depth === 0) return this.below(3) === 0 ? `(${this.pick(CONSTANTS)})` : `(${this.variable()})`;
    const a = this.value(depth - 1);
    const b = this.value(depth - 1);
    switch (this.below(16)) {
      case 0:
        return `(${this.pick(["floor", "ceil", "trunc", "rint", "round", "fabs"])}${a})`;
      case 1:
        return `(sqrt${a})`;
      case 2:
        return `(${this.pick(["fmin", "fmax", "copysign"])}(${a}, ${b}))`;
      case 3:
        return `(fma(${a}, ${b}, ${this.value(0)}))`;
      case 4:
        return `((double)(float)${a})`;
      case 5:
        return `((double)((float)${a} ${this.pick(["+", "-", "*", "/"])} (float)${b}))`;
      case 6:
        return `(whole${a} / 8.0)`;
      case 7:
        return `(${this.condition()} ? ${a} : ${b})`;
      case 8:
        return `(-${a})`;
      case 9:
        return `(${a} / ${b})`;
      default:
        return `(${a} ${this.pick(["+", "-", "*"])} ${b})`;
    }
  }

  private variable(): string {
    return `v${this.below(VARIABLES)}`;
  }

  private below(limit: number): number {
    return this.random.next() % limit;
  }

  private pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)];
  }
}
