// Line coverage of a program by file: which lines have code, which of them the tests reached, and which only Tangent did.

import type { ProgramImage } from "../jit/image.js";
import type { ResultFile } from "./campaign-result.js";

export class FileCoverage {
  private readonly byTests: Uint8Array;
  private readonly all: Uint8Array;

  constructor(readonly image: ProgramImage) {
    this.byTests = new Uint8Array(image.coverage.length);
    this.all = new Uint8Array(image.coverage.length);
  }

  /** Blocks reached so far. */
  get blocks(): number {
    let count = 0;
    for (const covered of this.all) count += covered;
    return count;
  }

  add(coverage: Uint8Array, byTests: boolean): void {
    for (let block = 0; block < coverage.length; block++) {
      if (coverage[block] === 0) continue;
      this.all[block] = 1;
      if (byTests) this.byTests[block] = 1;
    }
  }

  /**
   * Functions that were inlined elsewhere and never ran for themselves: some of their lines (the end of the function, a
   * constant that is returned) exist only in this copy, and would count as not reached although the function ran.
   */
  private unusedCopies(): ReadonlySet<number> {
    const { coverage, functions, locations } = this.image;
    const inlined = new Set<string>();
    for (const { inlinedAt, functionName, file } of locations) {
      if (inlinedAt >= 0) inlined.add(`${file}\n${functionName}`);
    }
    const unused = new Set<number>();
    for (const { functionIndex, locations: own } of coverage) {
      const { name } = functions[functionIndex];
      if (own.some((index) => inlined.has(`${locations[index].file}\n${name}`))) unused.add(functionIndex);
    }
    for (const [block, { functionIndex }] of coverage.entries()) {
      if (this.all[block] === 1) unused.delete(functionIndex);
    }
    return unused;
  }

  /** By path: a line counts if any block with code of it does. */
  static merged(all: readonly FileCoverage[]): ResultFile[] {
    const files = new Map<
      string,
      { readonly lines: Set<number>; readonly byTests: Set<number>; readonly reached: Set<number> }
    >();
    for (const one of all) {
      const unused = one.unusedCopies();
      for (const [block, { functionIndex, locations }] of one.image.coverage.entries()) {
        if (unused.has(functionIndex)) continue;
        for (const location of locations) {
          const { origin, file: path, line } = one.image.locations[location];
          if (origin !== "program" || line === 0) continue;
          let file = files.get(path);
          if (file === undefined) {
            file = { lines: new Set(), byTests: new Set(), reached: new Set() };
            files.set(path, file);
          }
          file.lines.add(line);
          if (one.byTests[block] === 1) file.byTests.add(line);
          if (one.all[block] === 1) file.reached.add(line);
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
