// What a plan must know of a program's functions: names, callees, and how much in them may fail. Made where the image is, as plain data.

import type { ProgramImage } from "../../jit/image.js";
import type { FunctionFacts, ProgramFacts } from "./compose-work.js";

export function factsOf(image: ProgramImage): ProgramFacts {
  const blocks = new Map<number, number>();
  const callees = new Map<number, Set<number>>();
  const library = new Map<number, number>();
  image.coverage.forEach(({ functionIndex, calls, instructions }) => {
    if (instructions > 0) blocks.set(functionIndex, (blocks.get(functionIndex) ?? 0) + 1);
    const own = callees.get(functionIndex) ?? new Set();
    callees.set(functionIndex, own);
    for (const callee of calls) {
      if (image.functions[callee]?.origin === "program") own.add(callee);
      // What the library is given may fail there.
      else library.set(functionIndex, (library.get(functionIndex) ?? 0) + 1);
    }
  });
  const dangerous = dangerousOf(image);
  const tests = new Set(image.tests?.files ?? []);
  const functions = image.functions.flatMap(({ name, origin, file, line }, index): FunctionFacts[] => {
    const count = blocks.get(index) ?? 0;
    if (origin !== "program" || count === 0) return [];
    const own = [...(callees.get(index) ?? [])].sort((a, b) => a - b);
    return [
      {
        index,
        name,
        file,
        line,
        blocks: count,
        dangerous: (dangerous.get(index) ?? 0) + (library.get(index) ?? 0),
        callees: own,
        isOfTests: file !== null && tests.has(file),
      },
    ];
  });
  const main = image.functions.findIndex(({ name, origin }) => name === "main" && origin === "program");
  return { functions, functionCount: image.functions.length, main };
}

/** By function: sites at which a check may be made. */
function dangerousOf({ sites }: ProgramImage): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const { kind, functionIndex } of sites) {
    if (kind === "branch" || kind === "switch") continue;
    counts.set(functionIndex, (counts.get(functionIndex) ?? 0) + 1);
  }
  return counts;
}
