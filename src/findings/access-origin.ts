// The object that the address of a refused access was computed from (jit/access-base.ts): the array that an index ran out of, not
// the neighbour it came close to. The stack says which access it was, a table what its base is.

import { NO_BASE, POINTER_BASE } from "../jit/base-codes.js";
import { CONTROL, GLOBALS_BASE } from "../jit/memory-layout.js";
import type { WasmFrame } from "../vm/run-end.js";
import { type LocatedObject, locateObject, locateSlot, type Scene } from "./locate-object.js";

/** Null if it is not known, or was no object any more. */
export function originOf(scene: Scene, trace: readonly WasmFrame[], access: "read" | "write"): LocatedObject | null {
  const { image, memory } = scene;
  // The runtime's own functions were asked by the one that makes the access.
  const frame = trace.find(({ functionIndex }) => {
    const info = image.functions[functionIndex - image.importCount];
    return info !== undefined && info.origin !== "trusted";
  });
  const base = frame === undefined ? NO_BASE : baseAt(image.accessBases ?? [], frame.offset, access);
  if (frame === undefined || base === NO_BASE) return null;
  if (base === POINTER_BASE) {
    const low = memory.view.getUint32(CONTROL.accessBase, true);
    const high = memory.view.getUint32(CONTROL.accessBase + 4, true);
    // A pointer that leads nowhere itself says nothing.
    return high === 0 && memory.firstRefused(low, 1, false) < 0 ? alive(locateObject(scene, low)) : null;
  }
  if (base >= GLOBALS_BASE) return locateObject(scene, base);
  return locateSlot(scene, image.functions[frame.functionIndex - image.importCount].name, base);
}

/** What may be read there has not ended its life, though most questions are about what may not. */
function alive(located: LocatedObject | null): LocatedObject | null {
  return located === null ? null : { ...located, ended: null };
}

function baseAt(table: readonly number[], offset: number, access: "read" | "write"): number {
  for (let at = 0; at < table.length; at += 4) {
    if (table[at] <= offset && offset < table[at + 1]) return table[at + (access === "read" ? 2 : 3)];
  }
  return NO_BASE;
}
