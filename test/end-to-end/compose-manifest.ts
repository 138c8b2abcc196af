// The programs of test/programs/compose: each has one failure deep in a function (the line ends with `// FAILS`), and a
// twin NAME-twin.c whose callers make it impossible (`// WOULD FAIL`). This table says by which run each is recorded, by
// which it fails, and what composition has to manage on the way.
//
// Invariant: the failing input has the shape of the recorded one (as many arguments, each as long; streams and files as
// long): other bytes are enough. compose-programs.test.ts keeps the table true.

import type { KindName } from "../../src/findings/kinds.js";

/** What the way from the function to `main` asks for. */
export type ComposeNeed =
  | "interpolant"
  | "two-chains"
  | "globals"
  | "struct-with-pointers"
  | "list"
  | "string"
  | "callback"
  | "recursion"
  | "static-state"
  | "variadic-caller"
  | "checksum"
  | "dispatch-table"
  | "parser-tree"
  | "length-field"
  | "signedness"
  | "buffer-end"
  | "use-after-free"
  | "division-by-zero"
  | "null-lookup"
  | "double-free"
  | "state-machine"
  | "not-reached";

/** Bytes are characters (latin1). `file` is what INPUT_FILE holds, which an argument names. */
export interface ComposeRun {
  readonly args?: readonly string[];
  readonly stdin?: string;
  readonly file?: string;
}

export interface ComposeProgram {
  readonly name: string;
  readonly needs: readonly ComposeNeed[];
  readonly kind: KindName;
  /** The functions that are active when it fails, `main` first, the failing one last. */
  readonly chain: readonly string[];
  readonly recorded: ComposeRun;
  /** The recorded run calls the function that can fail. */
  readonly isReached: boolean;
  readonly failing: ComposeRun;
}

/** In the working directory of a run. */
export const INPUT_FILE = "input";

export const COMPOSE_PROGRAMS: readonly ComposeProgram[] = [
  {
    name: "paper",
    needs: ["interpolant", "two-chains", "string"],
    kind: "assertion-failure",
    chain: ["main", "f", "g"],
    recorded: { args: ["bxyz"] },
    isReached: true,
    failing: { args: ["cxxx"] },
  },
  {
    name: "record-length",
    needs: ["length-field", "struct-with-pointers"],
    kind: "heap-buffer-overflow",
    chain: ["main", "read_all", "read_record", "read_name", "copy_value"],
    recorded: { args: [INPUT_FILE], file: "\x08C\x02hiN\x05larry" },
    isReached: true,
    failing: { args: [INPUT_FILE], file: "\x04C\x02hiN\x05larry" },
  },
  {
    name: "dispatch-table",
    needs: ["dispatch-table", "division-by-zero", "callback"],
    kind: "division-by-zero",
    chain: ["main", "run", "step", "remainder_of"],
    recorded: { args: ["x7y4%s+"] },
    isReached: true,
    failing: { args: ["x7y0%s+"] },
  },
  {
    name: "expression-tree",
    needs: ["parser-tree", "recursion", "division-by-zero"],
    kind: "division-by-zero",
    chain: ["main", "evaluate", "apply"],
    recorded: { stdin: "8/(3-1)\n" },
    isReached: true,
    failing: { stdin: "8/(3-3)\n" },
  },
  {
    name: "list-lookup",
    needs: ["list", "null-lookup"],
    kind: "null-dereference",
    chain: ["main", "assign", "right_side", "value_of"],
    recorded: { args: ["a=3;b=a;c=b"] },
    isReached: true,
    failing: { args: ["a=3;b=a;c=d"] },
  },
  {
    name: "signed-length",
    needs: ["signedness"],
    kind: "negative-size",
    chain: ["main", "cut", "take"],
    recorded: { args: ["2", "5", "tangents"] },
    isReached: true,
    failing: { args: ["7", "5", "tangents"] },
  },
  {
    name: "last-byte",
    needs: ["buffer-end", "interpolant"],
    kind: "heap-buffer-overflow",
    chain: ["main", "fill", "finish"],
    recorded: { stdin: "1labc\n" },
    isReached: true,
    failing: { stdin: "1rabc\n" },
  },
  {
    name: "session-free",
    needs: ["use-after-free", "state-machine"],
    kind: "heap-use-after-free",
    chain: ["main", "drive", "event", "refuse"],
    recorded: { stdin: "owwrc\n" },
    isReached: true,
    failing: { stdin: "orwwc\n" },
  },
  {
    name: "double-free",
    needs: ["double-free", "state-machine"],
    kind: "double-free",
    chain: ["main", "order", "finish"],
    recorded: { args: ["sdfs"] },
    isReached: true,
    failing: { args: ["sdcf"] },
  },
  {
    name: "globals-scale",
    needs: ["globals", "division-by-zero"],
    kind: "division-by-zero",
    chain: ["main", "directive", "draw", "bar_length"],
    recorded: { stdin: "s3o2b7b1" },
    isReached: true,
    failing: { stdin: "s2o2b7b1" },
  },
];
