// What the parsers of bodies and constants need to know of the module around them: its types, its global values and
// its groups of attributes. An interface, so that constants, types and instructions can be parsed without knowing how a
// module is scanned.

import type { DataLayout } from "../data-layout.js";
import type { DebugInfo } from "../debug-info.js";
import type { Module } from "../module.js";
import type { FunctionType } from "../types.js";
import type { GlobalRef } from "../values.js";
import type { NamedTypes } from "./parse-type.js";

export interface ModuleScope {
  readonly module: Module;
  readonly text: string;
  readonly types: NamedTypes;
  readonly layout: DataLayout;
  readonly debug: DebugInfo;
  /** Accesses of trusted modules are made without checks. */
  readonly trusted: boolean;
  /** The shared reference to a global value. An unknown name becomes an undefined external variable. */
  globalRef(name: string): GlobalRef;
  /** The same for a callee; an unknown name becomes an undefined external function. */
  calleeRef(name: string, type: FunctionType): GlobalRef;
  /** The attributes of group `#id`, as bits of function-attributes.ts. */
  attributeGroup(id: number): number;
}
