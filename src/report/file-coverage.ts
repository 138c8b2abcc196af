// Line coverage of a program by file: which lines have code, which of them the tests reached, and which only Tangent did.

import type { ProgramImage } from "../jit/image.js";
import type { ResultFile } from "./campaign-result.js";

export class FileCoverage {
  readonly #byTests: Uint8Array;
  readonly #all: Uint8Array;

  constructor(readonly image: ProgramImage) {
    this.#byTests = new Uint8Array(image.coverage.length);
    this.#all = new Uint8Array(image.coverage.length);
  }

  /** Blocks reached so far. */
  get blocks(): number {
    let count = 0;
    for (const covered of this.#all) count += covered;
    return count;
  }

  add(coverage: Uint8Array, byTests: boolean): void {
    for (let block = 0; block < coverage.length; block++) {
      if (coverage[block] === 0) continue;
      this.#all[block] = 1;
      if (byTests) this.#byTests[block] = 1;
    }
  }

  /** By path: a line counts if any block with code of it does. */
  static merged(all: readonly FileCoverage[]): ResultFile[] {
    const files = new Map<
      string,
      { readonly lines: Set<number>; readonly byTests: Set<number>; readonly reached: Set<number> }
    >();
    for (const one of all) {
      for (const [block, { locations }] of one.image.coverage.entries()) {
        for (const location of locations) {
          const { origin, file: path, line } = one.image.locations[location];
          if (origin !== "program" || line === 0) continue;
          let file = files.get(path);
          if (file === undefined) {
            file = { lines: new Set(), byTests: new Set(), reached: new Set() };
            files.set(path, file);
          }
          file.lines.add(line);
          if (one.#byTests[block] === 1) file.byTests.add(line);
          if (one.#all[block] === 1) file.reached.add(line);
        }
      }
    }
    const sorted = (lines: Iterable<number>): number[] => [...lines].sort((a, b) => a - b);
    return [...files]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([path, { lines, byTests, reached }]) => ({
        path,
        lines: sorted(lines),
        byTests: sorted(byTests),
        added: sorted([...reached].filter((line) => !byTests.has(line))),
      }));
  }
}
