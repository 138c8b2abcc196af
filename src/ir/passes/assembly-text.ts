// Inline assembly as a list of instructions: LLVM's template in AT&T's way of writing, and its constraints. Only what can stand inside a
// function's data flow is read; labels, directives and addresses such as `8(%rax)` are not, and null says so.

/** Where a value is: an operand of the asm, a register by its 64-bit name, or a number in the text. */
export type AsmPlace =
  | { readonly kind: "operand"; readonly number: number; readonly bits: number | null }
  | { readonly kind: "register"; readonly name: string; readonly bits: number }
  | { readonly kind: "number"; readonly value: bigint };

export interface AsmInstruction {
  /** Without `lock` and `rep`, in small letters, with its suffix. */
  readonly mnemonic: string;
  /** As written: the last one is what is changed. */
  readonly places: readonly AsmPlace[];
}

export interface AsmOperand {
  readonly isOutput: boolean;
  /** The asm is given a pointer to it. */
  readonly isMemory: boolean;
  /** A register by its 64-bit name, or a condition (`@ccz`); null: any place. */
  readonly fixed: string | null;
  /** The output that it shares its place with. */
  readonly tiedTo: number | null;
}

const MODIFIED: { readonly [modifier: string]: number } = { b: 8, w: 16, k: 32, q: 64 };
const LEGACY = ["ax", "bx", "cx", "dx", "si", "di", "bp", "sp"];

/** The 64-bit name and the width of a register; null for what is no integer register, and for `ah` and its like. */
function registerNamed(name: string): { readonly name: string; readonly bits: number } | null {
  const numbered = /^r(8|9|1[0-5])([bwd]?)$/.exec(name);
  if (numbered !== null) {
    const bits = numbered[2] === "" ? 64 : numbered[2] === "d" ? 32 : numbered[2] === "w" ? 16 : 8;
    return { name: `r${numbered[1]}`, bits };
  }
  for (const legacy of LEGACY) {
    if (name === `r${legacy}`) return { name, bits: 64 };
    if (name === `e${legacy}`) return { name: `r${legacy}`, bits: 32 };
    if (name === legacy) return { name: `r${legacy}`, bits: 16 };
    const low = legacy.endsWith("x") ? `${legacy[0]}l` : `${legacy}l`;
    if (name === low) return { name: `r${legacy}`, bits: 8 };
  }
  return null;
}

/** Outputs first, as `$0`, `$1` count them; what is clobbered is left out. Null if a constraint is not understood. */
export function readConstraints(text: string): readonly AsmOperand[] | null {
  const operands: AsmOperand[] = [];
  for (const word of text.split(",")) {
    if (word === "" || word.startsWith("~")) continue;
    const [constraint] = word.replace(/[&%]/g, "").split("|");
    const isOutput = constraint.startsWith("=");
    const rest = isOutput ? constraint.slice(1) : constraint;
    const isMemory = rest.startsWith("*");
    const place = isMemory ? rest.slice(1) : rest;
    const named = /^\{(.*)\}$/.exec(place)?.[1] ?? null;
    const tied = /^\d+$/.test(place) ? Number(place) : null;
    let fixed: string | null = null;
    if (named !== null) fixed = named.startsWith("@cc") ? named : (registerNamed(named)?.name ?? null);
    if (named !== null && fixed === null) return null;
    if (named === null && tied === null && !isMemory && !/^[a-zA-Z]+$/.test(place)) return null;
    // Vectors and the x87's stack.
    if (named === null && /^[xvyftu]$/.test(place)) return null;
    operands.push({ isOutput, isMemory, fixed, tiedTo: tied });
  }
  return operands;
}

const UNLESS_THE_SAME = /^\.ifnc\s+%\w+\s*,\s*\$\d+$/;

/** Null if something in it is not understood. */
export function readTemplate(template: string): readonly AsmInstruction[] | null {
  const text = template
    .replace(/\\0[aA]/g, "\n")
    .replace(/\\09/g, " ")
    // Of two ways of writing, AT&T's is the first.
    .replace(/\$\((.*?)\$\|.*?\$\)/g, "$1");
  const list: AsmInstruction[] = [];
  let isConditional = false;
  for (const part of text.split(/[\n;]/)) {
    const line = part
      .replace(/#.*/, "")
      .trim()
      .replace(/^(lock|rep|repz|repe)\b\s*/, "");
    if (line === "") continue;
    // "Unless the operand is that register": what it guards moves one to the other, which does no harm if they are the same.
    if (isConditional ? line === ".endif" : UNLESS_THE_SAME.test(line)) {
      isConditional = !isConditional;
      continue;
    }
    const [, mnemonic = "", rest = ""] = /^([a-z][a-z0-9]*)(?:\s+(.*))?$/.exec(line) ?? [];
    if (mnemonic === "") return null;
    const places = rest.trim() === "" ? [] : rest.split(",").map((word) => placeOf(word.trim()));
    if (places.some((place) => place === null)) return null;
    list.push({ mnemonic, places: places as AsmPlace[] });
  }
  return isConditional ? null : list;
}

function placeOf(word: string): AsmPlace | null {
  const operand = /^\$(?:(\d+)|\{(\d+)(?::([a-z]))?\})$/.exec(word);
  if (operand !== null) {
    const modifier = operand[3];
    const bits = modifier === undefined ? null : MODIFIED[modifier];
    return bits === undefined ? null : { kind: "operand", number: Number(operand[1] ?? operand[2]), bits };
  }
  const number = /^\$\$(-?(?:0x[0-9a-fA-F]+|\d+))$/.exec(word)?.[1];
  if (number !== undefined) {
    return { kind: "number", value: number.startsWith("-") ? -BigInt(number.slice(1)) : BigInt(number) };
  }
  const register = word.startsWith("%") ? registerNamed(word.slice(1)) : null;
  return register === null ? null : { kind: "register", ...register };
}
