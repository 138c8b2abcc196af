// Declarations of intrinsics that a pass needs and the module does not mention. The code generator knows intrinsics by
// name, so a declaration is all it takes.

import type { FunctionAttributes, IrFunction, Module } from "../module.js";
import type { FunctionType } from "../types.js";
import type { ParamAttributes } from "../values.js";

/** The module's declaration of an intrinsic, or a new one. */
export function intrinsic(module: Module, name: string, type: FunctionType): IrFunction {
  const declared = module.globals.get(name);
  return declared?.kind === "function" ? declared : new IntrinsicDeclaration(module, name, type);
}

class IntrinsicDeclaration implements IrFunction {
  readonly kind = "function";
  readonly linkage = "external";
  readonly hidden = false;
  readonly isDeclaration = true;
  readonly debugId = -1;
  readonly params: readonly ParamAttributes[] = [];
  readonly attributes: FunctionAttributes = {
    noreturn: false,
    returnsTwice: false,
    alwaysInline: false,
    noInline: false,
    naked: false,
    valueOnly: false,
  };
  resolved = null;

  constructor(
    readonly module: Module,
    readonly name: string,
    readonly type: FunctionType,
  ) {}

  parseBody(): null {
    return null;
  }
}
