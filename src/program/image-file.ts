// A ProgramImage as bytes, for the cache. A start needs the module and a few small tables; the rest (locations, frames,
// line table) only explains findings. So the tables that explain are read when they are first asked for: for a large
// program they are most of the bytes.
//
//   magic | SHA-256 of all that follows | lengths of the sections (u32 each) | needed tables (JSON) | explaining tables (JSON) | offsets |
//   locations | wasm

import { createHash } from "node:crypto";
import type { ProgramImage } from "../jit/image.js";
import { moduleTrouble } from "../jit/module-imports.js";

const MAGIC = 0x3149_4754; // "TGI1"
const HASH_BYTES = 32;
const LENGTHS = 4 + HASH_BYTES;
const SECTIONS = 5;
const HEADER = LENGTHS + 4 * SECTIONS;

type Needed = Pick<
  ProgramImage,
  "importCount" | "globals" | "unsupported" | "mismatchSites" | "tableSignatures" | "globalsEnd" | "statistics"
> & { readonly coverageBlocks: number };
type Explaining = Pick<
  ProgramImage,
  | "functions"
  | "locations"
  | "accessBases"
  | "frames"
  | "coverage"
  | "tableFunctions"
  | "sites"
  | "unsetValues"
  | "shapes"
  | "programGlobals"
  | "tests"
  | "oftenCalled"
  | "sources"
>;

export function encodeImage(image: ProgramImage): Uint8Array {
  const needed: Needed = {
    importCount: image.importCount,
    globals: image.globals,
    unsupported: image.unsupported,
    mismatchSites: image.mismatchSites,
    tableSignatures: image.tableSignatures,
    globalsEnd: image.globalsEnd,
    statistics: image.statistics,
    coverageBlocks: image.coverage.length,
  };
  const explaining: Explaining = {
    functions: image.functions,
    locations: image.locations,
    accessBases: image.accessBases,
    frames: image.frames,
    coverage: image.coverage,
    tableFunctions: image.tableFunctions,
    sites: image.sites,
    unsetValues: image.unsetValues ?? [],
    shapes: image.shapes,
    programGlobals: image.programGlobals,
    tests: image.tests ?? null,
    oftenCalled: image.oftenCalled ?? [],
    ...(image.sources === undefined ? {} : { sources: image.sources }),
  };
  const sections = [
    Buffer.from(JSON.stringify(needed)),
    Buffer.from(JSON.stringify(explaining)),
    bytesOf(image.codeOffsets),
    bytesOf(image.codeLocations),
    Buffer.from(image.wasm.buffer, image.wasm.byteOffset, image.wasm.byteLength),
  ];
  const header = Buffer.alloc(HEADER);
  header.writeUInt32LE(MAGIC, 0);
  sections.forEach((section, n) => {
    header.writeUInt32LE(section.length, LENGTHS + 4 * n);
  });
  const encoded = Buffer.concat([header, ...sections]);
  hashOf(encoded).copy(encoded, 4);
  return encoded;
}
function bytesOf(array: Uint32Array): Buffer {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength);
}

function hashOf(encoded: Buffer): Buffer {
  return createHash("sha256").update(encoded.subarray(LENGTHS)).digest();
}

/** Null if the bytes are not an image of this version, or not as it was made. */
export function decodeImage(bytes: Uint8Array): ProgramImage | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.length < HEADER || buffer.readUInt32LE(0) !== MAGIC) return null;
  if (!hashOf(buffer).equals(buffer.subarray(4, LENGTHS))) return null;
  const sections: Buffer[] = [];
  let at = HEADER;
  for (let n = 0; n < SECTIONS; n++) {
    const length = buffer.readUInt32LE(LENGTHS + 4 * n);
    sections.push(buffer.subarray(at, at + length));
    at += length;
  }
  if (at !== buffer.length || moduleTrouble(sections[SECTIONS - 1]) !== null) return null;
  return new StoredImage(sections);
}

class StoredImage implements ProgramImage {
  readonly wasm: Uint8Array;
  readonly importCount: number;
  readonly globals: ProgramImage["globals"];
  readonly unsupported: ProgramImage["unsupported"];
  readonly mismatchSites: ProgramImage["mismatchSites"];
  readonly tableSignatures: ProgramImage["tableSignatures"];
  readonly globalsEnd: number;
  readonly statistics: ProgramImage["statistics"];
  private explaining: Explaining | null = null;

  constructor(private readonly sections: readonly Buffer[]) {
    const needed = JSON.parse(sections[0].toString()) as Needed;
    this.importCount = needed.importCount;
    this.globals = needed.globals;
    this.unsupported = needed.unsupported;
    this.mismatchSites = needed.mismatchSites;
    this.tableSignatures = needed.tableSignatures;
    this.globalsEnd = needed.globalsEnd;
    this.statistics = needed.statistics;
    this.wasm = sections[4];
  }
  private explain(): Explaining {
    this.explaining ??= JSON.parse(this.sections[1].toString()) as Explaining;
    return this.explaining;
  }
  get functions(): ProgramImage["functions"] {
    return this.explain().functions;
  }
  get locations(): ProgramImage["locations"] {
    return this.explain().locations;
  }
  get accessBases(): ProgramImage["accessBases"] {
    return this.explain().accessBases;
  }
  get frames(): ProgramImage["frames"] {
    return this.explain().frames;
  }
  get coverage(): ProgramImage["coverage"] {
    return this.explain().coverage;
  }
  get tableFunctions(): ProgramImage["tableFunctions"] {
    return this.explain().tableFunctions;
  }
  get sites(): ProgramImage["sites"] {
    return this.explain().sites;
  }
  get unsetValues(): NonNullable<ProgramImage["unsetValues"]> {
    return this.explain().unsetValues ?? [];
  }
  get shapes(): ProgramImage["shapes"] {
    return this.explain().shapes;
  }
  get programGlobals(): ProgramImage["programGlobals"] {
    return this.explain().programGlobals;
  }
  get tests(): NonNullable<ProgramImage["tests"]> | null {
    return this.explain().tests ?? null;
  }
  get oftenCalled(): readonly string[] {
    return this.explain().oftenCalled ?? [];
  }
  get sources(): NonNullable<ProgramImage["sources"]> {
    return this.explain().sources ?? { functions: [], files: [] };
  }
  get codeOffsets(): Uint32Array {
    return words(this.sections[2]);
  }
  get codeLocations(): Uint32Array {
    return words(this.sections[3]);
  }
}
function words(section: Buffer): Uint32Array {
  // A copy, because the section need not be aligned in its file.
  const copy = new Uint8Array(section.length);
  copy.set(section);
  return new Uint32Array(copy.buffer);
}
