// Line coverage of a program by file: which lines have code, which of them the tests reached, and which only Tangent did.

import type { ProgramImage } from "../jit/image.js";
import type { ResultFile } from "./campaign-result.js";
import { isToolchainFile } from "./toolchain-files.js";

/** What of a program's image tells lines from blocks: small enough to be sent to another thread. */
export interface CoverageMap {
  /** By block: its function, and its lines as places in `files` and numbers, in turn. */
  readonly blocks: readonly { readonly functionIndex: number; readonly lines: readonly number[] }[];
  readonly files: readonly string[];
  /** Functions some of whose calls were inlined. */
  readonly inlined: readonly number[];
}

export function coverageMapOf({ coverage, functions, locations }: CoveredImage): CoverageMap {
  const inlinedNames = new Set<string>();
  for (const { inlinedAt, functionName, file } of locations) {
    if (inlinedAt >= 0) inlinedNames.add(`${file}\n${functionName}`);
  }
  const inlined = new Set<number>();
  const files = new Map<string, number>();
  const blocks = coverage.map(({ functionIndex, locations: own }) => {
    const { name } = functions[functionIndex];
    const lines: number[] = [];
    for (const index of own) {
      const { origin, file, line } = locations[index];
      if (inlinedNames.has(`${file}\n${name}`)) inlined.add(functionIndex);
      if (origin !== "program" || line === 0 || isToolchainFile(file)) continue;
      const place = files.get(file) ?? files.size;
      files.set(file, place);
      lines.push(place, line);
    }
    return { functionIndex, lines };
  });
  return { blocks, files: [...files.keys()], inlined: [...inlined] };
}

type CoveredImage = Pick<ProgramImage, "coverage" | "functions" | "locations">;

export class FileCoverage {
  private readonly byTests: Uint8Array;
  private readonly all: Uint8Array;
  private count = 0;

  constructor(private readonly map: CoverageMap) {
    this.byTests = new Uint8Array(map.blocks.length);
    this.all = new Uint8Array(map.blocks.length);
  }

  /** Blocks reached so far. */
  get blocks(): number {
    return this.count;
  }

  add(coverage: Uint8Array, byTests: boolean): void {
    // What has fewer blocks than the program is another one's, or a worker's invention: it says nothing of the rest.
    for (let block = 0; block < Math.min(this.all.length, coverage.length); block++) {
      if (coverage[block] === 0) continue;
      if (this.all[block] === 0) this.count++;
      this.all[block] = 1;
      if (byTests) this.byTests[block] = 1;
    }
  }

  /**
   * Functions that were inlined elsewhere and never ran for themselves: some of their lines (the end of the function, a
   * constant that is returned) exist only in this copy, and would count as not reached although the function ran.
   */
  private unusedCopies(): ReadonlySet<number> {
    const unused = new Set(this.map.inlined);
    for (const [block, { functionIndex }] of this.map.blocks.entries()) {
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
      for (const [block, { functionIndex, lines }] of one.map.blocks.entries()) {
        if (unused.has(functionIndex)) continue;
        for (let at = 0; at < lines.length; at += 2) {
          const path = one.map.files[lines[at]];
          const line = lines[at + 1];
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
