// What a program of test/programs/explore states in comments about its exploration. Every `run` is a test; what is expected
// holds for each of them.
//
//   // run: explore --sym-stdin 2 -- a b    options of `tangent explore`; the program's own arguments after --
//   // twin: -DFIXED                        compiled with these flags, the program must raise no alarm
//   // file: seed.bin "bytes"               a file in the working directory, with \n \t \\ \" \xHH
//   // paths: 5                             completed paths of an exhaustive run (of the program, not of its twin)
//   // findings: 2                          how many findings there are; without it, one for each `expect`
//   // output: text\n                       standard output of some path; the lines together are all there are
//   // test: object x "q"                   some test has this input
//   // says: words                          some message of the exploration contains this
//   // loses: floating-point                the loss of precision is counted under this name; `unknown`: the solver gave
//                                           up on some path; `limit`: some path was cut
//   // limited: yes                         a limit ends the exploration; otherwise it must be exhaustive
//   // covers: all                          every line of the program is executed, except those marked `// never`
//   // witness: stdin "ab"; object x i32 7  an input that shows the first error natively (scripts/verify-explore.ts);
//                                           also: arg "text", file NAME "bytes"; i8, i16, i32, i64, f32, f64
//   // native: none (why)                   natively the error cannot be seen; `undefined`, `leaks`: by these sanitizers
//   // expect: double-free                  at the end of the erroneous line: the kind and read or write, alternatives
//   // expect: wild-access read|abort       between bars. Each such line must be found, and no other.
//   // expect-function: stack-overflow      at the head of a function: anywhere in it
//
// Always: no divergence, every finding confirmed.

import { splitArguments, unescapeText } from "./corpus-expectations.js";

export interface ExpectedKind {
  readonly kind: string;
  /** null: either. */
  readonly access: "read" | "write" | null;
}
export interface ExpectedFinding {
  readonly alternatives: readonly ExpectedKind[];
  /** 1-based, inclusive. */
  readonly firstLine: number;
  readonly lastLine: number;
}
/** A named piece of input, one character for each byte. */
export interface InputPiece {
  readonly kind: "stdin" | "arg" | "file" | "object";
  /** Of a file or an object; else empty. */
  readonly name: string;
  readonly bytes: string;
}
export interface ExploreRun {
  readonly options: readonly string[];
  readonly args: readonly string[];
}
export interface ExploreExpectations {
  readonly runs: readonly ExploreRun[];
  /** Compiler flags of the correct twin, or null. */
  readonly twin: readonly string[] | null;
  readonly files: readonly InputPiece[];
  readonly paths: number | null;
  readonly findings: readonly ExpectedFinding[];
  /** null: as many as `findings`. */
  readonly findingCount: number | null;
  readonly outputs: readonly string[] | null;
  readonly tests: readonly (readonly InputPiece[])[];
  readonly says: readonly string[];
  readonly loses: readonly string[];
  readonly limited: boolean;
  readonly coversAll: boolean;
  /** 1-based lines that no input reaches. */
  readonly never: readonly number[];
  readonly witness: readonly InputPiece[] | null;
  /** "none (why)", "undefined", "leaks" or null. */
  readonly native: string | null;
}

export function parseExploreExpectations(source: string): ExploreExpectations {
  const lines = source.split("\n");
  const header = (name: string): string[] => {
    const prefix = `// ${name}: `;
    return lines.filter((line) => line.startsWith(prefix)).map((line) => line.slice(prefix.length));
  };
  const first = (name: string): string | null => header(name)[0] ?? null;
  const number = (name: string): number | null => (first(name) === null ? null : Number(first(name)));
  const outputs = header("output").map(unescapeText);
  const twin = first("twin");
  const witness = first("witness");
  return {
    runs: header("run").map(parseRun),
    twin: twin === null ? null : splitArguments(twin),
    files: header("file").map((text) => parsePiece(`file ${text}`)),
    paths: number("paths"),
    findings: parseFindings(lines),
    findingCount: number("findings"),
    outputs: outputs.length === 0 ? null : outputs,
    tests: header("test").map(parsePieces),
    says: header("says"),
    loses: header("loses"),
    limited: first("limited") === "yes",
    coversAll: first("covers") === "all",
    never: lines.flatMap((line, index) => (/\/\/ never$/.test(line) ? [index + 1] : [])),
    witness: witness === null ? null : parsePieces(witness),
    native: first("native"),
  };
}

function parseRun(text: string): ExploreRun {
  const words = splitArguments(text);
  if (words[0] !== "explore") throw new Error(`a run is "explore ...", not ${text}`);
  const end = words.indexOf("--");
  return end < 0 ? { options: words.slice(1), args: [] } : { options: words.slice(1, end), args: words.slice(end + 1) };
}

function parsePieces(text: string): InputPiece[] {
  // A semicolon inside quotes does not separate.
  return Array.from(text.matchAll(/(?:"(?:\\.|[^"\\])*"|[^;"])+/g), ([piece]) => parsePiece(piece.trim()));
}

function parsePiece(text: string): InputPiece {
  const match =
    /^(stdin|arg|file|object)(?: ([^\s"]+))? (?:"((?:\\.|[^"\\])*)"|i(8|16|32|64) (-?\d+)|f(32|64) (-?[\w.+-]+))$/.exec(
      text,
    );
  if (match === null) throw new Error(`not an input: ${text}`);
  const [, kind, name, quoted, width, value, format, float] = match;
  const bytes =
    quoted !== undefined
      ? unescapeBytes(quoted)
      : format !== undefined
        ? floatBytes(float, Number(format))
        : littleEndian(BigInt(value), Number(width));
  return { kind: kind as InputPiece["kind"], name: name ?? "", bytes };
}

/** `unescapeText` and \r. */
function unescapeBytes(text: string): string {
  return unescapeText(text.replace(/(^|[^\\])\\r/g, "$1\\x0d"));
}

function littleEndian(value: bigint, width: number): string {
  let bits = BigInt.asUintN(width, value);
  let bytes = "";
  for (let at = 0; at < width; at += 8, bits >>= 8n) bytes += String.fromCharCode(Number(bits & 255n));
  return bytes;
}

function floatBytes(text: string, width: number): string {
  const value = text === "nan" ? Number.NaN : Number(text);
  if (Number.isNaN(value) && text !== "nan") throw new Error(`not a number: ${text}`);
  const view = new DataView(new ArrayBuffer(width / 8));
  if (width === 32) view.setFloat32(0, value, true);
  else view.setFloat64(0, value, true);
  return Array.from(new Uint8Array(view.buffer), (byte) => String.fromCharCode(byte)).join("");
}

function parseFindings(lines: readonly string[]): ExpectedFinding[] {
  return lines.flatMap((line, index) => {
    const match = /\/\/ (expect|expect-function): ([a-z|\- ]+)$/.exec(line);
    if (match === null) return [];
    const alternatives = match[2].split("|").map((text): ExpectedKind => {
      const [kind, access] = text.trim().split(" ");
      return { kind, access: access === "read" || access === "write" ? access : null };
    });
    const last = match[1] === "expect" ? index : endOfFunction(lines, index);
    return [{ alternatives, firstLine: index + 1, lastLine: last + 1 }];
  });
}

/** Functions of the corpus end with a brace in the first column. */
function endOfFunction(lines: readonly string[], from: number): number {
  const end = lines.findIndex((line, index) => index > from && line.startsWith("}"));
  return end < 0 ? lines.length - 1 : end;
}
