// The bodies of a program's own functions as clang wrote them, parsed once for the questions that composition asks of them. They are large:
// ask, and let go.

import type { LinkedProgram } from "../../ir/link.js";
import { IrError, type IrFunction } from "../../ir/module.js";
import { SignatureTable } from "../../jit/signature-table.js";
import type { CountedBody } from "../../program/counted-bodies.js";
import { addressTaken } from "../../program/graph/calls.js";

export class ProgramCode {
  /** Those that can be read. */
  readonly bodies: readonly CountedBody[];
  private readonly table: SignatureTable;

  constructor(private readonly program: LinkedProgram) {
    this.table = new SignatureTable(program.functions);
    this.bodies = program.functions.flatMap((fn) => {
      const functionIndex = this.table.indexOf(fn);
      if (fn.module.origin !== "program" || functionIndex === undefined) return [];
      try {
        const body = fn.parseBody();
        return body === null ? [] : [{ fn, functionIndex, firstBlock: -1, body }];
      } catch (error) {
        if (error instanceof IrError) return [];
        throw error;
      }
    });
  }

  /** Into `image.functions`; undefined if it is nowhere defined. */
  indexOf(fn: IrFunction): number | undefined {
    return this.table.indexOf(fn);
  }

  /** Functions whose address stands somewhere else than in a call of them. */
  taken(): ReadonlySet<IrFunction> {
    return addressTaken(this.program, this.bodies);
  }
}
