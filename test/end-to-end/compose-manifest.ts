// The programs of test/programs/compose: each has one failure deep in a function (the line ends with `// FAILS`), and a
// twin NAME-twin.c whose callers make it impossible (`// WOULD FAIL`). This table says by which run each is recorded, by
// which it fails, and what composition has to manage on the way.
//
// Invariant: the failing input has the shape of the recorded one (as many arguments, each as long; streams and files as
// long): other bytes are enough, but where a longer text is needed. compose-programs.test.ts keeps the table true.

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
  /** Alone, with memory made by its types, the function does not fail so: only in memory as it is at a real call. */
  | "context"
  /** The recorded run does not call the function. */
  | "not-reached"
  /** It fails only with a longer text than the recorded run has. */
  | "longer-text"
  /** One of so many paths that only edits come to it that are led by what the function needs. */
  | "edits-towards-it";

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
    name: "dotted-name",
    needs: ["longer-text", "string"],
    kind: "stack-buffer-overflow",
    chain: ["main", "order", "host", "initials"],
    recorded: { stdin: "host a.b\n" },
    isReached: true,
    failing: { stdin: "host a.b.c.d.e.f.g.h.i.j\n" },
  },
  {
    name: "two-wheels",
    needs: ["edits-towards-it", "division-by-zero"],
    kind: "division-by-zero",
    chain: ["main", "balance", "slack"],
    recorded: { stdin: "left 0300\nright 0100\n" },
    isReached: true,
    failing: { stdin: "left 2000\nright 0766\n" },
  },
  {
    name: "record-length",
    needs: ["context", "length-field", "struct-with-pointers"],
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
  {
    name: "shape-style",
    needs: ["struct-with-pointers", "null-lookup"],
    kind: "null-dereference",
    chain: ["main", "interpret", "draw", "stroke"],
    recorded: { args: ["gsw"] },
    isReached: true,
    failing: { args: ["psw"] },
  },
  {
    name: "callback",
    needs: ["callback", "interpolant"],
    kind: "global-buffer-overflow",
    chain: ["main", "each_word", "measure"],
    recorded: { stdin: "habc de\n" },
    isReached: true,
    failing: { stdin: "habcdef\n" },
  },
  {
    name: "nesting",
    needs: ["recursion", "globals"],
    kind: "global-buffer-overflow",
    chain: ["main", "bracket", "bracket", "bracket", "bracket", "bracket", "note"],
    recorded: { args: ["(([]))[[]]"] },
    isReached: true,
    failing: { args: ["((((()))))"] },
  },
  {
    name: "ring-state",
    needs: ["context", "static-state", "interpolant"],
    kind: "stack-buffer-overflow",
    chain: ["main", "feed", "keep"],
    recorded: { stdin: "AB.C!DE" },
    isReached: true,
    failing: { stdin: "ABCDEFG" },
  },
  {
    name: "variadic-log",
    needs: ["variadic-caller", "buffer-end"],
    kind: "stack-buffer-overflow",
    chain: ["main", "report", "message", "put_number"],
    recorded: { args: ["width", "4", "123"] },
    isReached: true,
    failing: { args: ["width", "9", "123"] },
  },
  {
    name: "checksum",
    needs: ["checksum", "interpolant"],
    kind: "global-buffer-overflow",
    chain: ["main", "receive", "handle", "store"],
    recorded: { args: [INPUT_FILE], file: "a\x03\x05\x02\xa7\x91" },
    isReached: true,
    failing: { args: [INPUT_FILE], file: "b\x08\x05\x02\xcc\xbc" },
  },
  {
    name: "two-chains",
    needs: ["two-chains", "interpolant"],
    kind: "global-buffer-overflow",
    chain: ["main", "paint", "pixel", "shade", "colour"],
    recorded: { stdin: "f35p22" },
    isReached: true,
    failing: { stdin: "f35p91" },
  },
  {
    name: "month-name",
    needs: ["string", "buffer-end"],
    kind: "global-buffer-overflow",
    chain: ["main", "convert", "show", "month_name"],
    recorded: { args: ["2024-05-17"] },
    isReached: true,
    failing: { args: ["2024-00-17"] },
  },
  {
    name: "image-size",
    needs: ["signedness", "length-field"],
    kind: "heap-buffer-overflow",
    chain: ["main", "draw", "put_row"],
    recorded: { args: [INPUT_FILE], file: "\x04\x04abcdef" },
    isReached: true,
    failing: { args: [INPUT_FILE], file: "\x20\x08abcdef" },
  },
  {
    name: "utf8",
    needs: ["context", "string", "buffer-end"],
    kind: "heap-buffer-overflow",
    chain: ["main", "measure", "count", "next", "decode"],
    recorded: { stdin: "ab\xc3\xa9\n" },
    isReached: true,
    failing: { stdin: "abc\xc3\n" },
  },
  {
    name: "run-length",
    needs: ["context", "length-field", "struct-with-pointers"],
    kind: "stack-buffer-overflow",
    chain: ["main", "unpack", "one", "repeat"],
    recorded: { stdin: "4a3b\n" },
    isReached: true,
    failing: { stdin: "9a9b\n" },
  },
  {
    name: "undo",
    needs: ["not-reached", "static-state"],
    kind: "global-buffer-overflow",
    chain: ["main", "line", "command", "undo"],
    recorded: { args: ["add 3", "see 0"] },
    isReached: false,
    failing: { args: ["add 3", "bak 5"] },
  },
  {
    name: "number-base",
    needs: ["division-by-zero", "struct-with-pointers"],
    kind: "division-by-zero",
    chain: ["main", "table", "row", "field", "show", "width", "digits_of"],
    recorded: { args: ["#4,12"] },
    isReached: true,
    failing: { args: ["#0,12"] },
  },
  {
    name: "hash-shrink",
    needs: ["division-by-zero", "state-machine", "interpolant"],
    kind: "division-by-zero",
    chain: ["main", "serve", "order", "insert", "bucket_of"],
    recorded: { stdin: "+a-b\n" },
    isReached: true,
    failing: { stdin: "--ab\n" },
  },
  {
    name: "template",
    needs: ["string", "null-lookup"],
    kind: "null-dereference",
    chain: ["main", "expand", "insert", "name_length"],
    recorded: { args: ["hi {n}!"] },
    isReached: true,
    failing: { args: ["hi {n!!"] },
  },
  {
    name: "bit-reader",
    needs: ["length-field", "buffer-end"],
    kind: "heap-buffer-overflow",
    chain: ["main", "unpack", "numbers", "number", "take"],
    recorded: { args: [INPUT_FILE], file: "\x04\x02\xf5" },
    isReached: true,
    failing: { args: [INPUT_FILE], file: "\x05\x02\xf5" },
  },
  {
    name: "free-static",
    needs: ["context", "struct-with-pointers", "interpolant"],
    kind: "invalid-free",
    chain: ["main", "each", "one", "forget"],
    recorded: { args: ["-ab,,c"] },
    isReached: true,
    failing: { args: ["+ab,,c"] },
  },
  {
    name: "byte-code",
    needs: ["state-machine", "parser-tree"],
    kind: "assertion-failure",
    chain: ["main", "load", "run", "execute", "binary", "pop"],
    recorded: { args: [INPUT_FILE], file: "23+d" },
    isReached: true,
    failing: { args: [INPUT_FILE], file: "2+3d" },
  },
  {
    name: "path-parts",
    needs: ["string", "globals"],
    kind: "global-buffer-overflow",
    chain: ["main", "plain", "part", "drop"],
    recorded: { args: ["ab/../c"] },
    isReached: true,
    failing: { args: ["../ab/c"] },
  },
  {
    name: "csv-field",
    needs: ["null-lookup", "string"],
    kind: "null-dereference",
    chain: ["main", "total", "add", "number"],
    recorded: { args: ["1"], stdin: "3,4\n5,6\n" },
    isReached: true,
    failing: { args: ["1"], stdin: "3,4\n5;6\n" },
  },
  {
    name: "label-copy",
    needs: ["string", "interpolant"],
    kind: "stack-buffer-overflow",
    chain: ["main", "plot", "axis", "set_label"],
    recorded: { args: ["xm2"] },
    isReached: true,
    failing: { args: ["xk2"] },
  },
  {
    name: "version-gate",
    needs: ["two-chains", "interpolant"],
    kind: "global-buffer-overflow",
    chain: ["main", "start", "start_new", "build", "level_length"],
    recorded: { args: [INPUT_FILE], file: "\x01\x03\x00\x07" },
    isReached: true,
    failing: { args: [INPUT_FILE], file: "\x02\x00\x01\x07" },
  },
];
