// From code offsets to source locations. Locations repeat a lot (every check and access of an expression), so they are
// numbered once; reading the debug metadata of a location happens here and nowhere else in the translation.

import { posix } from "node:path";
import type { DebugLoc, SourceFrame } from "../ir/debug-info.js";
import { calledName } from "../support/library-names.js";
import type { FunctionInfo, LocationInfo } from "./image.js";

/**
 * The file of a position, absolute where the compiler said in which directory it ran, and without detours: builds in a folder of
 * their own name sources by `../lib/a.c`, and that folder may be gone.
 */
export function pathOf({ file, directory }: SourceFrame): string {
  if (file === "") return file;
  return posix.normalize(file.startsWith("/") || directory === "" ? file : `${directory}/${file}`);
}

/** In the table of code offsets: no position is known. */
export const NO_LOCATION = 0xffff_ffff;

export class LineTable {
  readonly locations: LocationInfo[] = [];
  private readonly offsets: number[] = [];
  private readonly indices: number[] = [];
  private readonly known = new Map<DebugLoc, number>();
  private readonly byText = new Map<string, number>();

  /** `originOf` says whose code a location belongs to. */
  constructor(private readonly originOf: (loc: DebugLoc) => FunctionInfo["origin"]) {}

  add(offset: number, loc: DebugLoc): void {
    const index = this.indexOf(loc);
    this.offsets.push(offset);
    // What the metadata does not say is unknown; it is not at the place before, which may be another function's.
    this.indices.push(index < 0 ? NO_LOCATION : index);
  }

  /** From here on nothing is known: the code of a function before ends. */
  addUnknown(offset: number): void {
    this.offsets.push(offset);
    this.indices.push(NO_LOCATION);
  }

  /** -1 if the metadata says nothing. */
  indexOf(loc: DebugLoc): number {
    const known = this.known.get(loc);
    if (known !== undefined) return known;
    // Outer calls first, so that `inlinedAt` is an index; chains are as long as the inlining was deep.
    const chain: DebugLoc[] = [];
    let inlinedAt = -1;
    for (let at: DebugLoc | null = loc; at !== null; at = at.inlinedAt) {
      const outer = this.known.get(at);
      if (outer !== undefined) {
        inlinedAt = outer;
        break;
      }
      chain.push(at);
    }
    for (let n = chain.length - 1; n >= 0; n--) {
      inlinedAt = this.insert(chain[n], inlinedAt);
      this.known.set(chain[n], inlinedAt);
    }
    return inlinedAt;
  }

  private insert(loc: DebugLoc, inlinedAt: number): number {
    const frame = loc.debug.frame(loc.id);
    if (frame === null) return inlinedAt;
    const file = pathOf(frame);
    const key = `${frame.functionName}\n${file}\n${frame.line}\n${frame.column}\n${inlinedAt}`;
    let index = this.byText.get(key);
    if (index === undefined) {
      index = this.locations.length;
      this.locations.push({
        functionName: calledName(frame.functionName),
        origin: this.originOf(loc),
        file,
        line: frame.line,
        column: frame.column,
        inlinedAt,
      });
      this.byText.set(key, index);
    }
    return index;
  }

  finish(): { readonly codeOffsets: Uint32Array; readonly codeLocations: Uint32Array } {
    return { codeOffsets: Uint32Array.from(this.offsets), codeLocations: Uint32Array.from(this.indices) };
  }
}
