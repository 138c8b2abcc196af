// Every integer operation at many widths, translated and run, against arithmetic on bigints.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DataLayout, X86_64_LAYOUT } from "../ir/data-layout.js";
import { linkProgram } from "../ir/link.js";
import { parseModule } from "../ir/text/parse-module.js";
import { intType } from "../ir/types.js";
import { HOST_FUNCTIONS, IMPORT_MODULE } from "./boundary.js";
import { compileProgram, isProvided } from "./compile.js";
import { DEFAULT_COMPILE_OPTIONS } from "./options.js";
import { partsOf } from "./shape.js";

const WIDTHS = [1, 7, 8, 16, 24, 31, 32, 33, 48, 63, 64, 65, 80, 100, 127, 128];
const SAMPLES = 40;

interface Case {
  readonly name: string;
  readonly params: readonly number[];
  /** Widths of the results (a structure has several). */
  readonly results: readonly number[];
  /** The body after the entry label; parameters are %a, %b, %c; ends in ret. */
  readonly body: string;
  readonly expected: (...args: bigint[]) => bigint[];
  /** Restricts the operands to those the operation is defined for. */
  readonly prepare?: (args: bigint[]) => bigint[];
}

const mask = (bits: number, value: bigint): bigint => BigInt.asUintN(bits, value);
const signed = (bits: number, value: bigint): bigint => BigInt.asIntN(bits, value);

function binaryCases(n: number): Case[] {
  const t = `i${n}`;
  const make = (op: string, f: (a: bigint, b: bigint) => bigint, prepare?: (args: bigint[]) => bigint[]): Case => ({
    name: `${op}.${n}`,
    params: [n, n],
    results: [n],
    body: `%r = ${op} ${t} %a, %b\n ret ${t} %r`,
    expected: (a, b) => [mask(n, f(a, b))],
    ...(prepare === undefined ? {} : { prepare }),
  });
  const shift = ([a, b]: bigint[]): bigint[] => [a, b % BigInt(n)];
  const nonZero = ([a, b]: bigint[]): bigint[] => [a, b === 0n ? 1n : b];
  const noOverflow = ([a, b]: bigint[]): bigint[] => [a, b === 0n || b === mask(n, -1n) ? 1n : b];
  return [
    make("add", (a, b) => a + b),
    make("sub", (a, b) => a - b),
    make("mul", (a, b) => a * b),
    make("and", (a, b) => a & b),
    make("or", (a, b) => a | b),
    make("xor", (a, b) => a ^ b),
    make("shl", (a, b) => a << b, shift),
    make("lshr", (a, b) => a >> b, shift),
    make("ashr", (a, b) => signed(n, a) >> b, shift),
    ...(n > 64
      ? []
      : [
          make("udiv", (a, b) => a / b, nonZero),
          make("urem", (a, b) => a % b, nonZero),
          ...(n === 1
            ? []
            : [
                make("sdiv", (a, b) => signed(n, a) / signed(n, b), noOverflow),
                make("srem", (a, b) => signed(n, a) % signed(n, b), noOverflow),
              ]),
        ]),
  ];
}

const PREDICATES: Record<string, (n: number, a: bigint, b: bigint) => boolean> = {
  eq: (_, a, b) => a === b,
  ne: (_, a, b) => a !== b,
  ugt: (_, a, b) => a > b,
  uge: (_, a, b) => a >= b,
  ult: (_, a, b) => a < b,
  ule: (_, a, b) => a <= b,
  sgt: (n, a, b) => signed(n, a) > signed(n, b),
  sge: (n, a, b) => signed(n, a) >= signed(n, b),
  slt: (n, a, b) => signed(n, a) < signed(n, b),
  sle: (n, a, b) => signed(n, a) <= signed(n, b),
};
function comparisonCases(n: number): Case[] {
  return Object.entries(PREDICATES).map(([predicate, f]) => ({
    name: `icmp.${predicate}.${n}`,
    params: [n, n],
    results: [1],
    body: `%r = icmp ${predicate} i${n} %a, %b\n ret i1 %r`,
    expected: (a, b) => [f(n, a, b) ? 1n : 0n],
  }));
}

function castCases(from: number): Case[] {
  return WIDTHS.filter((to) => to !== from).flatMap((to) => {
    const cast = (op: string, f: (a: bigint) => bigint): Case => ({
      name: `${op}.${from}.${to}`,
      params: [from],
      results: [to],
      body: `%r = ${op} i${from} %a to i${to}\n ret i${to} %r`,
      expected: (a) => [mask(to, f(a))],
    });
    return to < from ? [cast("trunc", (a) => a)] : [cast("zext", (a) => a), cast("sext", (a) => signed(from, a))];
  });
}

function bitString(n: number, value: bigint): string {
  return value.toString(2).padStart(n, "0");
}

function intrinsicCases(n: number): Case[] {
  const t = `i${n}`;
  const limit = (value: bigint): bigint => {
    const high = (1n << BigInt(n - 1)) - 1n;
    return value > high ? high : value < -high - 1n ? -high - 1n : value;
  };
  const call = (name: string, arity: number, f: (...args: bigint[]) => bigint, extra = ""): Case => {
    const args = ["%a", "%b", "%c"].slice(0, arity).map((arg) => `${t} ${arg}`);
    return {
      name: `${name}.${n}`,
      params: Array.from({ length: arity }, () => n),
      results: [n],
      body: `%r = call ${t} @llvm.${name}.${t}(${args.join(", ")}${extra})\n ret ${t} %r`,
      expected: (...values) => [mask(n, f(...values))],
    };
  };
  const overflow = (name: string, isSigned: boolean, f: (a: bigint, b: bigint) => bigint): Case => ({
    name: `${name}.${n}`,
    params: [n, n],
    results: [n, 1],
    body: `%r = call { ${t}, i1 } @llvm.${name}.with.overflow.${t}(${t} %a, ${t} %b)\n ret { ${t}, i1 } %r`,
    expected: (a, b) => {
      const exact = isSigned ? f(signed(n, a), signed(n, b)) : f(a, b);
      const wrapped = isSigned ? signed(n, exact) : mask(n, exact);
      return [mask(n, exact), wrapped === exact ? 0n : 1n];
    },
  });
  const cases: Case[] = [];
  if (n > 1) {
    cases.push(
      overflow("sadd", true, (a, b) => a + b),
      overflow("ssub", true, (a, b) => a - b),
      overflow("uadd", false, (a, b) => a + b),
      overflow("usub", false, (a, b) => a - b),
      overflow("smul", true, (a, b) => a * b),
      overflow("umul", false, (a, b) => a * b),
    );
  }
  if (n > 64 && n < 128) {
    cases.push(
      call("ctpop", 1, (a) => BigInt(bitString(n, a).replaceAll("0", "").length)),
      call("ctlz", 1, (a) => BigInt(a === 0n ? n : bitString(n, a).indexOf("1")), ", i1 false"),
      call("cttz", 1, (a) => BigInt(a === 0n ? n : n - 1 - bitString(n, a).lastIndexOf("1")), ", i1 false"),
    );
  }
  if (n <= 64 || n === 128) {
    cases.push(
      call("ctpop", 1, (a) => BigInt(bitString(n, a).replaceAll("0", "").length)),
      call("ctlz", 1, (a) => BigInt(a === 0n ? n : bitString(n, a).indexOf("1")), ", i1 false"),
      call("cttz", 1, (a) => BigInt(a === 0n ? n : n - 1 - bitString(n, a).lastIndexOf("1")), ", i1 false"),
      call("bitreverse", 1, (a) => BigInt(`0b${[...bitString(n, a)].reverse().join("")}`)),
      call("fshl", 3, (a, b, c) => (((a << BigInt(n)) | b) << (c % BigInt(n))) >> BigInt(n)),
      call("fshr", 3, (a, b, c) => ((a << BigInt(n)) | b) >> (c % BigInt(n))),
    );
    if (n % 16 === 0) {
      cases.push(
        call("bswap", 1, (a) =>
          BigInt(
            `0x${(
              a
                .toString(16)
                .padStart(n / 4, "0")
                .match(/../g) as string[]
            )
              .reverse()
              .join("")}`,
          ),
        ),
      );
    }
  }
  if (n <= 64) {
    cases.push(
      call("smax", 2, (a, b) => (signed(n, a) > signed(n, b) ? a : b)),
      call("smin", 2, (a, b) => (signed(n, a) < signed(n, b) ? a : b)),
      call("umax", 2, (...pair) => pair.sort((a, b) => (a < b ? 1 : -1))[0]),
      call("umin", 2, (...pair) => pair.sort((a, b) => (a < b ? -1 : 1))[0]),
      call("abs", 1, (a) => (signed(n, a) < 0n ? -a : a), ", i1 false"),
    );
    if (n > 1) {
      cases.push(
        call("sadd.sat", 2, (a, b) => limit(signed(n, a) + signed(n, b))),
        call("ssub.sat", 2, (a, b) => limit(signed(n, a) - signed(n, b))),
        call("uadd.sat", 2, (a, b) => (a + b > mask(n, -1n) ? -1n : a + b)),
        call("usub.sat", 2, (a, b) => (a < b ? 0n : a - b)),
      );
    }
  }
  return cases;
}

const LANES = 4;
function reductionCases(n: number): Case[] {
  const make = (name: string, f: (a: bigint, b: bigint) => bigint): Case => {
    const build = Array.from({ length: LANES }, (_, k) => {
      const from = k === 0 ? "undef" : `%v${k - 1}`;
      return `%l${k} = xor i${n} ${k % 2 === 0 ? "%a" : "%b"}, ${k >= 2 ? -1 : 0}
 %v${k} = insertelement <${LANES} x i${n}> ${from}, i${n} %l${k}, i32 ${k}`;
    });
    const vector = `<${LANES} x i${n}>`;
    return {
      name: `reduce.${name}.${n}`,
      params: [n, n],
      results: [n],
      body: `${build.join("\n ")}
 %r = call i${n} @llvm.vector.reduce.${name}.v${LANES}i${n}(${vector} %v${LANES - 1})\n ret i${n} %r`,
      expected: (a, b) => [[a, b, mask(n, ~a), mask(n, ~b)].reduce((x, y) => mask(n, f(x, y)))],
    };
  };
  return [
    make("add", (a, b) => a + b),
    make("mul", (a, b) => a * b),
    make("xor", (a, b) => a ^ b),
    make("or", (a, b) => a | b),
    make("and", (a, b) => a & b),
    make("umax", (...pair) => pair.sort((a, b) => (a < b ? 1 : -1))[0]),
    make("smin", (a, b) => (signed(n, b) < signed(n, a) ? b : a)),
  ];
}

type Callable = (...args: (number | bigint)[]) => unknown;

/** Translates all cases as one module and gives each one's function. */
function translate(cases: readonly Case[]): Map<string, Callable> {
  const names = ["%a", "%b", "%c"];
  const definitions = cases.map(({ params, results, body }, index) => {
    const list = params.map((n, k) => `i${n} ${names[k]}`).join(", ");
    const result = results.length === 1 ? `i${results[0]}` : `{ ${results.map((n) => `i${n}`).join(", ")} }`;
    return `define ${result} @f${index}(${list}) noinline {\n ${body}\n}\n`;
  });
  const text = `define void @__tangent_start() { ret void }\n${definitions.join("")}`;
  const module = parseModule(text, { name: "cases.ll", origin: "trusted" });
  const layout = new DataLayout(X86_64_LAYOUT);
  const roots = ["__tangent_start", ...cases.map((_, index) => `f${index}`)];
  const program = linkProgram([module], { libc: () => null, roots, layout, provided: isProvided });
  const image = compileProgram(program, layout, { ...DEFAULT_COMPILE_OPTIONS, checks: false });
  assert.deepEqual(image.unsupported, []);
  const host: Record<string, WebAssembly.Memory | (() => never)> = {
    memory: new WebAssembly.Memory({ initial: 1, maximum: 65536 }),
  };
  for (const name of Object.keys(HOST_FUNCTIONS)) host[name] = () => assert.fail(`${name} was called`);
  const instance = new WebAssembly.Instance(new WebAssembly.Module(image.wasm), {
    [IMPORT_MODULE]: host,
  });
  const table = instance.exports.table as WebAssembly.Table;
  const index = new Map(image.functions.map((fn, n) => [fn.name, n]));
  return new Map(cases.map((c, n) => [c.name, table.get(index.get(`f${n}`) as number) as Callable]));
}

/** A value as its WebAssembly parts. */
function split(bits: number, value: bigint): (number | bigint)[] {
  return partsOf(intType(bits)).map((part, k) => {
    const piece = BigInt.asUintN(part.bits, value >> BigInt(64 * k));
    return part.wasm === "i32" ? Number(BigInt.asIntN(32, piece)) : BigInt.asIntN(64, piece);
  });
}
/** The reverse, for all results at once; also checks that unused high bits are zero. */
function join(widths: readonly number[], parts: readonly (number | bigint)[]): bigint[] {
  let at = 0;
  return widths.map((bits) => {
    let value = 0n;
    partsOf(intType(bits)).forEach((part, k) => {
      const raw = BigInt.asUintN(part.wasm === "i32" ? 32 : 64, BigInt(parts[at++]));
      assert.ok(raw >> BigInt(part.bits) === 0n, `bits above ${part.bits} are set: ${raw.toString(16)}`);
      value |= raw << BigInt(64 * k);
    });
    return value;
  });
}

/** Deterministic, with the corners that matter more often than chance would have them. */
function* operands(bits: number, seed: number): Generator<bigint> {
  let state = BigInt(seed) + 0x9e37_79b9_7f4a_7c15n;
  const corners = [0n, 1n, -1n, 1n << BigInt(bits - 1), (1n << BigInt(bits - 1)) - 1n, 2n, BigInt(bits)];
  for (;;) {
    state = mask(128, state * 0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645n + 0x5851_f42d_4c95_7f2dn);
    const pick = Number((state >> 60n) % 16n);
    yield mask(bits, pick < corners.length ? corners[pick] : (state >> 40n) >> BigInt(pick % 2 === 0 ? 0 : bits >> 1));
  }
}

function check(cases: readonly Case[]): void {
  const functions = translate(cases);
  for (const [number, one] of cases.entries()) {
    const call = functions.get(one.name) as Callable;
    const sources = one.params.map((bits, k) => operands(bits, 31 * number + k));
    for (let n = 0; n < SAMPLES; n++) {
      const drawn = sources.map((source) => source.next().value as bigint);
      const args = one.prepare?.(drawn) ?? drawn;
      const raw = call(...args.flatMap((value, k) => split(one.params[k], value)));
      const parts = (Array.isArray(raw) ? raw : [raw]) as (number | bigint)[];
      assert.deepEqual(join(one.results, parts), one.expected(...args), `${one.name}(${args.join(", ")})`);
    }
  }
}

describe("translated arithmetic agrees with bigints", () => {
  it("binary operations at all widths", () => check(WIDTHS.flatMap(binaryCases)));
  it("comparisons at all widths", () => check(WIDTHS.flatMap(comparisonCases)));
  it("casts between all widths", () => check(WIDTHS.flatMap(castCases)));
  it("reductions of vectors", () => check([8, 16, 32, 64].flatMap(reductionCases)));
  it("intrinsics on bits, overflow and saturation", () => check(WIDTHS.flatMap(intrinsicCases)));
});
