// Where functions stand in a program's table, by their index into `functions`: made once for a program, since every call from outside
// and every plan of a unit asks.

import type { ProgramImage } from "./image.js";

const known = new WeakMap<ProgramImage, ReadonlyMap<number, number>>();

/** -1 if it is not in the table. */
export function tableIndexOf(image: ProgramImage, functionIndex: number): number {
  let places = known.get(image);
  if (places === undefined) {
    const made = new Map<number, number>();
    image.tableFunctions.forEach((index, place) => {
      if (!made.has(index)) made.set(index, place);
    });
    places = made;
    known.set(image, places);
  }
  return places.get(functionIndex) ?? -1;
}
