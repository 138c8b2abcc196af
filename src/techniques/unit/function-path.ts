// Where a function stands in the source, as the image of the program names it: `./a.c`, compiled in /p/lib, is /p/lib/a.c.

import type { IrFunction } from "../../ir/module.js";
import { pathOf } from "../../jit/line-table.js";

/** Null if nothing is known. */
export function pathOfFunction({ module, debugId }: IrFunction): string | null {
  const frame = module.debug.subprogram(debugId);
  return frame === null || frame.file === "" ? null : pathOf(frame);
}
