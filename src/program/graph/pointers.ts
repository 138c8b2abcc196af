// What the graph asks about pointers: which functions a call may enter, and which places of memory an access may touch. Two answers
// stand behind it: points-to sets (points-to-pointers.ts), and types alone (type-pointers.ts), which are always there and cost nothing.
//
// Places are told by keys. An access has all that it may touch; two accesses may touch the same if they have a key in common.

import type { GlobalVariable, IrFunction } from "../../ir/module.js";
import type { StructType } from "../../ir/types.js";
import type { InstructionOf, Value } from "../../ir/values.js";
import type { GraphPlace } from "./program-graph.js";

export type Call = InstructionOf<"call">;

export interface PlaceKey {
  readonly key: string;
  readonly kind: GraphPlace["kind"];
  /** Made when it is wanted: most places never are. */
  readonly name: () => string;
  /** A global variable and the byte in it, for its initial value. */
  readonly variable?: GlobalVariable;
  readonly offset?: number;
}

export interface Pointers {
  readonly precision: "points-to" | "types";
  /** The functions that a call may call, those of libc too. */
  calleesOf(call: Call): readonly IrFunction[];
  /** The functions that a value may be the address of. */
  functionsIn(value: Value): readonly IrFunction[];
  /** What an access through the pointer may touch; none: nothing useful can be said. */
  placesOf(pointer: Value, access: "load" | "store"): readonly PlaceKey[];
  /** Functions in which a number became a pointer. */
  readonly fromNumbers: ReadonlySet<IrFunction>;
}

/** How places in structures are called. */
export interface FieldNames {
  /** `options.style`: the variable and what lies at the byte in it. */
  inVariable(variable: GlobalVariable, offset: number): string;
  /** `buffer->length`, without what is before the arrow. */
  inStruct(type: StructType, offset: number): string;
}
