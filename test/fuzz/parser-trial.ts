// One trial of the fuzzer: parse everything there is in a text, print it, ask for its debug information, and see that
// whatever is wrong with it comes out as an IrError, soon.

import { inlinedFrames } from "../../src/ir/debug-info.js";
import { IrError, type Module } from "../../src/ir/module.js";
import { parseModule } from "../../src/ir/text/parse-module.js";
import { printModule } from "../../src/ir/text/print-module.js";
import { isTerminator } from "../../src/ir/values.js";

export type Outcome = "parsed" | "rejected";
/** Generous: the texts have some kilobytes and take a millisecond; a loaded machine may stop us for a while. */
export const MAX_TRIAL_MS = 5000;

/** Throws if the parser did anything but accept or reject the text in time. */
export function trial(text: string): Outcome {
  const start = performance.now();
  let outcome: Outcome = "parsed";
  try {
    const module = parseModule(text, { name: "fuzz.ll", origin: "program" });
    if (!parseAll(module)) outcome = "rejected";
    else roundTrip(module);
  } catch (thrown) {
    checkError(thrown);
    outcome = "rejected";
  }
  const took = performance.now() - start;
  if (took > MAX_TRIAL_MS) throw new Error(`the parser took ${Math.round(took)} ms`);
  return outcome;
}

function checkError(thrown: unknown): void {
  if (!(thrown instanceof IrError)) throw thrown;
  if (!(thrown.line >= 1)) throw new Error(`the error "${thrown.message}" names no line`);
}

/** Every body and initialiser on its own, as one malformed function does not spoil the others. */
function parseAll(module: Module): boolean {
  let whole = true;
  for (const value of [...module.globals.values()]) {
    try {
      if (value.kind === "variable") value.initializer();
      else if (value.kind === "alias") value.aliasee();
      else {
        for (const block of value.parseBody()?.blocks ?? []) {
          for (const instruction of block.instructions) {
            if (isTerminator(instruction) !== (instruction === block.terminator)) throw new Error("terminator inside");
            if (instruction.loc !== null) inlinedFrames(instruction.loc);
            if (instruction.op === "alloca") module.layout.sizeOf(instruction.extra.allocated);
            if (instruction.op === "getelementptr") {
              module.layout.gepTerms(instruction.extra.sourceType, instruction.operands.slice(1));
            }
          }
        }
      }
      if (value.kind !== "alias") module.debug.variable(value.debugId);
    } catch (thrown) {
      checkError(thrown);
      whole = false;
    }
  }
  return whole;
}

/** What was understood, printed, is understood the same way. */
function roundTrip(module: Module): void {
  const printed = printModule(module);
  let again: string;
  try {
    again = printModule(parseModule(printed, { name: "printed.ll", origin: "program" }));
  } catch (thrown) {
    throw new Error(
      `what was printed does not parse: ${thrown instanceof Error ? thrown.message : thrown}\n${printed}`,
    );
  }
  if (again !== printed) throw new Error(`printing is not stable:\n${printed}\n----\n${again}`);
}
