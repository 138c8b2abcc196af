// Which functions of a linked program are its tests' own, and which are the code under test.

import type { LinkedProgram } from "../ir/link.js";
import type { IrFunction } from "../ir/module.js";
import { pathOf } from "../jit/line-table.js";
import { type TestUnits, testUnits } from "./test-units.js";

export interface TestFunctions extends TestUnits {
  /** Source files of the tests. */
  readonly files: readonly string[];
  /** The program's own functions, libc aside. */
  readonly own: readonly IrFunction[];
  isTestFunction(fn: IrFunction): boolean;
}

/** Null if there is no code beside the tests' own. */
export function testFunctionsOf(program: LinkedProgram): TestFunctions | null {
  const main = program.lookup("main");
  const mainFile = main?.kind === "function" ? fileOf(main) : null;
  if (mainFile === null) return null;
  const own = program.functions.filter(({ module }) => module.origin === "program");
  const files = new Map(own.flatMap((fn) => (fileOf(fn) === null ? [] : [[fn, fileOf(fn) as string]])));
  const all = [...new Set(files.values())];
  const { named, isTest } = testUnits(mainFile, all);
  if (all.every(isTest)) return null;
  return {
    named,
    isTest,
    files: all.filter(isTest),
    own,
    isTestFunction: (fn) => isTest(files.get(fn) ?? ""),
  };
}

function fileOf({ debugId, module }: IrFunction): string | null {
  const where = debugId < 0 ? null : module.debug.subprogram(debugId);
  const path = where === null ? "" : pathOf(where);
  return path === "" ? null : path;
}
