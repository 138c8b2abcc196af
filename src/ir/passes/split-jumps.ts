// Gives every `goto *p` its own indirect branch. clang leads all of a function's to one block that holds nothing but the
// branch and has no location, so that a wild jump could not be told from another, and an exploration would see one
// decision for all of them. Functions of many labels and many such gotos are left alone: each branch has a table of all labels.

import { orderBlocks, predecessors } from "../analysis/cfg.js";
import { VOID } from "../types.js";
import { type Body, instruction } from "../values.js";

/** Entries of all tables together; a threaded interpreter of thirty instructions has as many. */
const MOST_ENTRIES = 1000;

/** The body must be in order; it is again afterwards. */
export function splitJumps(body: Body): void {
  const shared = body.blocks.find(
    ({ instructions }) =>
      instructions.length === 2 && instructions[0].op === "phi" && instructions[1].op === "indirectbr",
  );
  if (shared === undefined) return;
  const [phi, jump] = shared.instructions;
  if (jump.operands[0] !== phi || jump.blocks.some((target) => target.instructions[0].op === "phi")) return;
  const sources = new Set(predecessors(body)[shared.index].map((index) => body.blocks[index]));
  if (sources.size * jump.blocks.length > MOST_ENTRIES) return;
  if ([...sources].some(({ terminator }) => terminator.op !== "br")) return;
  for (const source of sources) {
    const { loc } = source.terminator;
    const target = phi.operands[phi.blocks.indexOf(source)];
    source.instructions[source.instructions.length - 1] = instruction(
      "indirectbr",
      VOID,
      [target],
      null,
      [...jump.blocks],
      loc,
    );
  }
  body.blocks = body.blocks.filter((block) => block !== shared);
  orderBlocks(body);
}
