// Coverage in lcov's format, from the blocks that were entered. A line counts as executed if any block with an
// instruction of that line was entered, so counts are 0 or 1; a function counts if any of its lines does, wherever it
// was inlined.

import type { ProgramImage } from "../jit/image.js";
import { visible } from "../support/visible-text.js";

interface FileCoverage {
  readonly lines: Map<number, number>;
  readonly functions: Map<string, { readonly line: number; hits: number }>;
}

export function renderLcov(image: ProgramImage, coverage: Uint8Array, testName = ""): string {
  const files = new Map<string, FileCoverage>();
  const fileOf = (name: string): FileCoverage => {
    let file = files.get(name);
    if (file === undefined) {
      file = { lines: new Map(), functions: new Map() };
      files.set(name, file);
    }
    return file;
  };
  for (const info of image.functions) {
    if (info.origin !== "program" || info.file === null) continue;
    fileOf(info.file).functions.set(info.name, { line: info.line, hits: 0 });
  }
  for (const [index, block] of image.coverage.entries()) {
    const hit = (coverage[index] ?? 0) === 0 ? 0 : 1;
    for (const location of block.locations) {
      const at = image.locations[location];
      if (at.origin !== "program" || at.line === 0) continue;
      const file = fileOf(at.file);
      file.lines.set(at.line, Math.max(hit, file.lines.get(at.line) ?? 0));
      const fn = file.functions.get(at.functionName);
      if (fn !== undefined && hit === 1) fn.hits = 1;
    }
  }
  const parts: string[] = [];
  for (const name of [...files.keys()].sort()) parts.push(renderFile(name, fileOf(name), testName));
  return parts.join("");
}

function renderFile(name: string, file: FileCoverage, testName: string): string {
  const functions = [...file.functions].sort((a, b) => a[1].line - b[1].line);
  const lines = [...file.lines].sort((a, b) => a[0] - b[0]);
  const hitFunctions = functions.filter(([, { hits }]) => hits > 0).length;
  const hitLines = lines.filter(([, count]) => count > 0).length;
  return [
    `TN:${visible(testName)}`,
    `SF:${visible(name)}`,
    ...functions.map(([fn, { line }]) => `FN:${line},${visible(fn)}`),
    ...functions.map(([fn, { hits }]) => `FNDA:${hits},${visible(fn)}`),
    `FNF:${functions.length}`,
    `FNH:${hitFunctions}`,
    ...lines.map(([line, count]) => `DA:${line},${count}`),
    `LF:${lines.length}`,
    `LH:${hitLines}`,
    "end_of_record",
    "",
  ].join("\n");
}
