// A program that a thread keeps no longer: the memories of its machines are for those of the next programs.

import { SymbolicMachine } from "../engine/symbolic-machine.js";
import type { ProgramImage } from "../jit/image.js";
import { Machine } from "../vm/machine.js";
import { scrapPlainMachine } from "./plain-run.js";

export function scrapMachines(image: ProgramImage): void {
  SymbolicMachine.scrapIdle(image);
  scrapPlainMachine(image);
  Machine.scrapIdle(image);
}
