// Which circuit belongs to which floating-point operation.

import { OPS } from "../../expr/ops.js";
import type { Word } from "./adder.js";
import {
  addFloats,
  divideFloats,
  fuseFloats,
  multiplyFloats,
  roundToIntegral,
  squareRoot,
  subtractFloats,
} from "./float-arithmetic.js";
import { compareFloats, convertFloat, floatOfInteger, integerOfFloat } from "./float-conversion.js";
import { formatOf } from "./float-parts.js";
import type { GateGraph } from "./gates.js";

/** `width` is that of the result; words of operands that the operation does not have are empty. */
export function floatCircuit(
  graph: GateGraph,
  op: number,
  width: number,
  mode: number,
  x: Word,
  y: Word,
  z: Word,
): Word {
  const f = formatOf(x.length);
  switch (op) {
    case OPS.fadd.code:
      return addFloats(graph, f, x, y);
    case OPS.fsub.code:
      return subtractFloats(graph, f, x, y);
    case OPS.fmul.code:
      return multiplyFloats(graph, f, x, y);
    case OPS.fdiv.code:
      return divideFloats(graph, f, x, y);
    case OPS.fsqrt.code:
      return squareRoot(graph, f, x);
    case OPS.ffma.code:
      return fuseFloats(graph, f, x, y, z);
    case OPS.feq.code:
      return [compareFloats(graph, f, "equal", x, y)];
    case OPS.flt.code:
      return [compareFloats(graph, f, "less", x, y)];
    case OPS.fle.code:
      return [compareFloats(graph, f, "lessOrEqual", x, y)];
    case OPS.fround.code:
      return roundToIntegral(graph, f, mode, x);
    case OPS.fcvt.code:
      return convertFloat(graph, f, formatOf(width), x);
    case OPS.ftosi.code:
    case OPS.ftoui.code:
      return integerOfFloat(graph, f, width, op === OPS.ftosi.code, x);
    case OPS.sitof.code:
    case OPS.uitof.code:
      return floatOfInteger(graph, formatOf(width), op === OPS.sitof.code, x);
    default:
      throw new Error(`bit-blast: operation ${op} is not about floating-point numbers`);
  }
}
