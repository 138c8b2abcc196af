// Breaks IR text in the ways that text breaks: bytes flipped, ends cut off, lines lost, doubled or swapped, tokens put
// where others were. Knows nothing of the grammar: whatever the parser believes of its input, this must be able to
// violate.

import type { Random } from "../../src/support/random.js";

const TOKENS: readonly string[] = [
  "i32", "i0", "i8388609", "i1", "ptr", "void", "label", "metadata", "token", "opaque", "half", "x86_fp80", "x86_amx",
  "[99999999999999999999 x i8]", "[0 x i8]", "<4 x i32>", "<99999999 x i8>", "{}", "<{ i8 }>", "%struct.node", "%0",
  "%", "@", "!", "#", "$", "\"", "\\", "(", ")", "[", "]", "{", "}", "<", ">", ",", "=", "*", "...", ":", ";", "\n}",
  "%99999999", "%9999999999999999999", "@99", "!4294967296", "#7", "-", "-1", "0", "0x", "0xK", "0x7FF0000000000001",
  "1e5", "1.", "99999999999999999999999999", "c\"\\00\"", "c\"", "null", "undef", "zeroinitializer", "splat (i32 1)",
  "getelementptr", "getelementptr inbounds (i8, ptr null, i64 1)", "inttoptr (i64 1 to ptr)", "blockaddress(@f, %1)",
  "align 0", "align 3", "align 4", "add", "load", "store", "br", "switch", "phi", "ret void", "unreachable", "call",
  "invoke", "define", "declare", "global", "alias", "type", "to", "x", "asm", "nsw", "volatile", "atomic", "seq_cst",
  "byval(i32)", "sret(%struct.node)", "unsupported i32 \"x\" []", "check read ptr null, 4, align 4", "!dbg !1", "7:",
  "entry:", "attributes #0 = { noreturn", "vscale x", "addrspace(1)", "\u00e9", "\0", "\t", "\r\n",
]; // biome-ignore format: a table

export function mutate(seed: string, random: Random): string {
  let text = seed;
  const rounds = 1 + below(random, 4);
  for (let i = 0; i < rounds; i++) text = MUTATIONS[below(random, MUTATIONS.length)](text, random);
  return text;
}

function below(random: Random, limit: number): number {
  return limit <= 0 ? 0 : random.next() % limit;
}
function splice(text: string, from: number, to: number, inserted: string): string {
  return text.slice(0, from) + inserted + text.slice(to);
}

/** Where a random token of the text begins and ends. */
function tokenAt(text: string, random: Random): [number, number] {
  const pattern = /[%@!#$]?[-\w.]+|\S/g;
  pattern.lastIndex = below(random, text.length);
  const match = pattern.exec(text);
  return match === null ? [0, 0] : [match.index, match.index + match[0].length];
}
function onLines(change: (lines: string[], random: Random) => void) {
  return (text: string, random: Random): string => {
    const lines = text.split("\n");
    change(lines, random);
    return lines.join("\n");
  };
}

const MUTATIONS: readonly ((text: string, random: Random) => string)[] = [
  function flipByte(text, random) {
    const at = below(random, text.length);
    return splice(text, at, at + 1, String.fromCharCode(text.charCodeAt(at) ^ (1 << below(random, 8))));
  },
  function truncate(text, random) {
    return text.slice(0, below(random, text.length + 1));
  },
  function cutOut(text, random) {
    const at = below(random, text.length);
    return splice(text, at, at + 1 + below(random, 40), "");
  },
  function replaceToken(text, random) {
    const [from, to] = tokenAt(text, random);
    return splice(text, from, to, TOKENS[below(random, TOKENS.length)]);
  },
  function insertToken(text, random) {
    const [from] = tokenAt(text, random);
    return splice(text, from, from, `${TOKENS[below(random, TOKENS.length)]} `);
  },
  function copyToken(text, random) {
    const [from, to] = tokenAt(text, random);
    const [otherFrom, otherTo] = tokenAt(text, random);
    return splice(text, from, to, text.slice(otherFrom, otherTo));
  },
  function nest(text, random) {
    const [from, to] = tokenAt(text, random);
    const [open, close] = [
      ["[1 x ", "]"],
      ["{", "}"],
      ["(", ")"],
      ["getelementptr (i8, ptr ", ", i64 1)"],
      ["<{", "}>"],
    ][below(random, 5)];
    const depth = 1 + below(random, 3000);
    return splice(text, from, to, open.repeat(depth) + text.slice(from, to) + close.repeat(depth));
  },
  onLines(function deleteLine(lines, random) {
    lines.splice(below(random, lines.length), 1);
  }),
  onLines(function doubleLine(lines, random) {
    const at = below(random, lines.length);
    lines.splice(at, 0, lines[at]);
  }),
  onLines(function swapLines(lines, random) {
    const [a, b] = [below(random, lines.length), below(random, lines.length)];
    [lines[a], lines[b]] = [lines[b], lines[a]];
  }),
  onLines(function joinLines(lines, random) {
    const at = below(random, lines.length);
    lines.splice(at, 2, lines.slice(at, at + 2).join(" "));
  }),
];
