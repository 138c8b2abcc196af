// A test program states in comments what must happen when it runs; this file reads them. A separate file of expectations
// would drift from the programs, and a line number in it would be wrong after the next edit.
//
//   // args: one "two words" tab\there      the arguments, split like a shell does, with \n \t \\ \" \xHH
//   // stdin: text\n                        standard input, with the same escapes; several lines are joined
//   // options: --ubsan                     options of `tangent run`
//   // environment: NAME=value               a variable besides PATH
//   // native: none (why)                   natively this error cannot be seen; otherwise gcc's sanitizers must see it
//   // stdout: a line                       one line each; the newline is implied
//   // exit: 3                              the exit code, if not 0
//   // signal: 15                           the signal the program dies of, if any
//   // expect: double-free                  at the end of the erroneous line: the kind (or kinds, a|b) and
//   // expect: heap-buffer-overflow read    read or write; several such lines mean: any of these lines
//   // expect-function: stack-overflow      at the head of a function: anywhere in it
//
// Invariant: everything that is not one of these comments is the program's own business.

export interface ExpectedFinding {
  /** Any of these kinds will do. */
  readonly kinds: readonly string[];
  /** null: the kind has no direction. */
  readonly access: "read" | "write" | null;
  /** 1-based lines the finding may stand at. */
  readonly lines: readonly number[];
}

export interface Expectations {
  readonly args: readonly string[];
  readonly stdin: string;
  readonly options: readonly string[];
  /** NAME=value each. */
  readonly environment: readonly string[];
  /** The reason why native sanitizers cannot see the error, or null. */
  readonly nativeUnseen: string | null;
  /** null: the program does not say. */
  readonly stdout: string | null;
  readonly exit: number;
  /** The number of the signal that ends the program, or null. */
  readonly signal: number | null;
  readonly finding: ExpectedFinding | null;
}

export function parseExpectations(source: string): Expectations {
  const lines = source.split("\n");
  const header = (name: string): string[] => {
    const prefix = `// ${name}:`;
    return lines.filter((line) => line.startsWith(prefix)).map((line) => line.slice(prefix.length).replace(/^ /, ""));
  };
  const stdout = header("stdout");
  return {
    args: header("args").flatMap(splitArguments),
    stdin: header("stdin").map(unescapeText).join(""),
    options: header("options").flatMap(splitArguments),
    environment: header("environment"),
    nativeUnseen: header("native")[0] ?? null,
    stdout: stdout.length > 0 ? stdout.map((line) => `${line}\n`).join("") : null,
    exit: Number(header("exit")[0] ?? 0),
    signal: header("signal").length > 0 ? Number(header("signal")[0]) : null,
    finding: parseFinding(lines),
  };
}

function parseFinding(lines: readonly string[]): ExpectedFinding | null {
  let kinds: readonly string[] | null = null;
  let access: ExpectedFinding["access"] = null;
  const at: number[] = [];
  lines.forEach((line, index) => {
    const match = /\/\/ (expect|expect-function): ([a-z|-]+)(?: (read|write))?$/.exec(line);
    if (match === null) return;
    kinds = match[2].split("|");
    access = (match[3] ?? null) as ExpectedFinding["access"];
    const last = match[1] === "expect" ? index : endOfFunction(lines, index);
    for (let i = index; i <= last; i++) at.push(i + 1);
  });
  return kinds === null ? null : { kinds, access, lines: at };
}

/** Functions of the corpus end with a brace in the first column. */
function endOfFunction(lines: readonly string[], from: number): number {
  const end = lines.findIndex((line, index) => index > from && line.startsWith("}"));
  return end < 0 ? lines.length - 1 : end;
}

export function unescapeText(text: string): string {
  return text.replace(/\\(?:x([0-9a-fA-F]{2})|(.))/g, (_, hex: string | undefined, letter: string) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    return letter === "n" ? "\n" : letter === "t" ? "\t" : letter;
  });
}

export function splitArguments(text: string): string[] {
  const result: string[] = [];
  for (const match of text.matchAll(/"((?:\\.|[^"\\])*)"|(\S+)/g)) result.push(unescapeText(match[1] ?? match[2]));
  return result;
}
