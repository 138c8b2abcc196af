// Whether a value is an expression that left an arena (portable.ts), and not what somebody wrote into a file: operands
// are earlier nodes, widths fit each other, leaves are there. `importExpressions` may then be asked to make it again
// without damage to its arena.

import { listOf, record, text, upTo, whole } from "../support/shape.js";
import { FIRST_FLOAT_OP, OPS, type OpInfo, type OpName } from "./ops.js";
import type { PortableExprs } from "./portable.js";

const MOST_NODES = 1 << 20;
/** A larger number than this is not read from a file. */
const WIDEST = 1 << 14;

const LEAF = record({ object: text, occurrence: upTo(1 << 24), offset: upTo(2 ** 32) });

/** Its roots are conditions: of width 1. */
export function areConditions(value: unknown): value is PortableExprs {
  if (!record({ leaves: listOf(LEAF), nodes: Array.isArray, roots: listOf(whole) })(value)) return false;
  const { leaves, nodes, roots } = value as { leaves: readonly unknown[]; nodes: readonly unknown[]; roots: number[] };
  if (nodes.length > MOST_NODES) return false;
  const widths: number[] = [];
  for (const node of nodes) {
    const width = widthOf(node, widths, leaves.length);
    if (width === null) return false;
    widths.push(width);
  }
  return roots.every((root) => widths[root] === 1);
}

/** Null if it is none. */
function widthOf(node: unknown, widths: readonly number[], leaves: number): number | null {
  if (!Array.isArray(node)) return null;
  const [op, width, ...rest] = node as readonly unknown[];
  if (typeof op !== "string" || !Object.hasOwn(OPS, op) || !upTo(WIDEST)(width) || width === 0) return null;
  return isNode(op as OpName, width as number, rest, widths, leaves) ? (width as number) : null;
}

function isNode(
  op: OpName,
  width: number,
  rest: readonly unknown[],
  widths: readonly number[],
  leaves: number,
): boolean {
  if (op === "constant") return rest.length === 1 && isConstant(rest[0], width);
  if (op === "variable") return rest.length === 1 && width === 8 && upTo(leaves - 1)(rest[0]);
  const info: OpInfo = OPS[op];
  const own = op === "extract" || op === "fround" ? rest.slice(0, 1) : rest;
  // A number that is no place in the list has no width.
  const operands = own.map((place) => (typeof place === "number" ? widths[place] : undefined));
  if (operands.some((one) => one === undefined)) return false;
  const all = operands as readonly number[];
  if (op === "lookup") return all.length > 1 && all.slice(1).every((one) => one === width);
  if (all.length !== info.arity) return false;
  if (info.code >= FIRST_FLOAT_OP && !isFloatNode(op, width, all[0])) return false;
  switch (op) {
    case "fround":
      return rest.length === 2 && upTo(4)(rest[1]);
    case "fcvt":
    case "ftosi":
    case "ftoui":
    case "sitof":
    case "uitof":
      return true;
    case "extract":
      return rest.length === 2 && upTo(all[0] - width)(rest[1]);
    case "concat":
      return all[0] + all[1] === width;
    case "zext":
    case "sext":
      return all[0] <= width;
    case "ite":
      return all[0] === 1 && all[1] === width && all[2] === width;
    default:
      return all.every((one) => one === all[0]) && width === (info.width === "one" ? 1 : all[0]);
  }
}

/** The widths fit the operation. The arena has no other integers of floats: it cuts them from these. */
function isFloatNode(op: OpName, width: number, from: number): boolean {
  const isFloat = (bits: number) => bits === 32 || bits === 64;
  if (op === "sitof" || op === "uitof") return from <= 64 && isFloat(width);
  if (op === "ftoui") return isFloat(from) && width === 64;
  return isFloat(from) && (op === "feq" || op === "flt" || op === "fle" || isFloat(width));
}

function isConstant(value: unknown, width: number): boolean {
  if (typeof value !== "string" || !/^[0-9a-f]+$/.test(value) || value.length > Math.ceil(width / 4)) return false;
  return BigInt(`0x${value}`) < 1n << BigInt(width);
}
