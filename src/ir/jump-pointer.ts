// The address of longjmp. Calls of it are translated by name, so it is defined nowhere; but libraries keep its address (libpng's
// png_set_longjmp_fn). Then a function that does nothing but call it has to be there.

import type { IrFunction } from "./module.js";
import { parseModule } from "./text/parse-module.js";

const JUMP = /^(_|sig)?longjmp$/;
const PREFIX = "__tangent_pointer_to_";

/** Null: it is another function's name. A new one for each program: linking changes what it holds. */
export function jumpPointer(name: string): IrFunction | null {
  if (!JUMP.test(name)) return null;
  const text = `
define void @${PREFIX}${name}(ptr %0, i32 %1) {
  call void @${name}(ptr %0, i32 %1)
  unreachable
}
declare void @${name}(ptr, i32)
`;
  const made = parseModule(text, { name: "jump", origin: "libc" }).globals.get(`${PREFIX}${name}`);
  return made?.kind === "function" ? made : null;
}

/** Is it there for its address only? Calls by name are translated without it. */
export function isJumpPointer({ name }: IrFunction): boolean {
  return name.startsWith(PREFIX);
}
