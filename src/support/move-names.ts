// What of a test's input may get another size or a further word, and whether any of it is edited at random, by the names that `--moves`
// has for it.

export const MOVE_FAMILIES = ["options", "arguments", "environment", "stdin", "files", "random"] as const;
export type MoveFamily = (typeof MOVE_FAMILIES)[number];

export const ALL_MOVES = MOVE_FAMILIES.join(",");

/** `all`, `none`, or some of the names; in one order, so that equal choices are equal texts. */
export function readMoves(text: string): { readonly moves: string } | { readonly problem: string } {
  if (text === "all") return { moves: ALL_MOVES };
  if (text === "none" || text === "") return { moves: "" };
  const names = text.split(",");
  const unknown = names.find((name) => !(MOVE_FAMILIES as readonly string[]).includes(name));
  if (unknown !== undefined) {
    return { problem: `--moves ${text}: all, none or some of ${MOVE_FAMILIES.join(", ")}, with commas between them` };
  }
  return { moves: MOVE_FAMILIES.filter((name) => names.includes(name)).join(",") };
}

export function familiesOf(moves: string): ReadonlySet<MoveFamily> {
  const names = moves.split(",");
  return new Set(MOVE_FAMILIES.filter((name) => names.includes(name)));
}
