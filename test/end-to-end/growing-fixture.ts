// The programs of test/programs/growing as projects: their comments say what their tests are and what is to be found. A test has words, and
// perhaps standard input, files and a variable of the environment; each program has at least one.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface GrowingProgram {
  readonly name: string;
  readonly source: string;
  readonly tests: readonly string[];
  readonly stdin: Buffer | null;
  readonly files: readonly { readonly name: string; readonly bytes: Buffer }[];
  readonly variables: readonly string[];
  /** A kind of finding, or "nothing". */
  readonly finds: string;
}

export function growingPrograms(directory: string): GrowingProgram[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith(".c"))
    .sort()
    .map((name) => read(name, readFileSync(join(directory, name), "utf8")));
}

function read(name: string, source: string): GrowingProgram {
  const said = (what: string): string[] =>
    [...source.matchAll(new RegExp(`^// ${what}: (.*)$`, "gm"))].map(([, text]) => text);
  const [stdin] = said("stdin");
  const tests = said("test");
  return {
    name: name.replace(/\.c$/, ""),
    source,
    tests: tests.length === 0 ? [""] : tests,
    stdin: stdin === undefined ? null : bytes(stdin),
    files: said("file").map((text) => {
      const [file, content] = text.split(" = ", 2);
      return { name: file, bytes: bytes(content) };
    }),
    variables: said("env"),
    finds: said("finds")[0] ?? "nothing",
  };
}

/** As C writes them. */
function bytes(text: string): Buffer {
  const plain = text.replaceAll(/\\x([0-9a-f]{2})|\\n/g, (_, hex: string | undefined) =>
    hex === undefined ? "\n" : String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(plain, "latin1");
}

/** Lays the program out with a script that runs its tests; `sh tests.sh` is the command. */
export function layOut(program: GrowingProgram, directory: string): void {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "prog.c"), program.source);
  for (const { name, bytes: content } of program.files) writeFileSync(join(directory, name), content);
  if (program.stdin !== null) writeFileSync(join(directory, "stdin"), program.stdin);
  const lines = program.tests.map((words) => {
    const from = program.stdin === null ? "</dev/null" : "<stdin";
    return `${program.variables.map((one) => `${one} `).join("")}./prog ${words} ${from} >/dev/null`;
  });
  writeFileSync(join(directory, "tests.sh"), `${lines.join("\n")}\nexit 0\n`);
}
