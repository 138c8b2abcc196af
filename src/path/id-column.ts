// Ids are numbers with a brand, so that the compiler tells a site from a segment and a row of a segment from a row of all, and
// that at no cost: nothing of it is left when the program runs. A column of the tree is a plain Int32Array of which the compiler
// knows what kind of id it holds. (An index cannot be branded: whoever reads a column still has to know by what.)

import { grownInts } from "./growth.js";

export interface IdColumn<T extends number> extends Int32Array<ArrayBuffer> {
  [index: number]: T;
}

export function idColumn<T extends number>(length: number): IdColumn<T> {
  return new Int32Array(length) as IdColumn<T>;
}

export function grownIds<T extends number>(column: IdColumn<T>, atLeast: number): IdColumn<T> {
  return grownInts(column, atLeast) as IdColumn<T>;
}
