// Names of inputs that are literals in a test's own source: strings and byte arrays that the test hands to the library it tests.
// A name says where the literal stands, `literal:/project/tests/test_csv.c:42`, with `#2` behind it for the second one of a line; the
// program's image knows the address (jit/image.ts). So a witness that is read back from a file needs nothing else.

const PREFIX = "literal:";

export interface LiteralPlace {
  readonly file: string;
  readonly line: number;
  /** 1 for the first of its line. */
  readonly number: number;
}

export function literalName({ file, line, number }: LiteralPlace): string {
  return `${PREFIX}${file}:${line}${number === 1 ? "" : `#${number}`}`;
}

export function isLiteralName(name: string): boolean {
  return name.startsWith(PREFIX);
}

/** Null if it is the name of something else. */
export function placeOfLiteral(name: string): LiteralPlace | null {
  const match = /^literal:(.*):(\d+)(?:#(\d+))?$/s.exec(name);
  return match === null ? null : { file: match[1], line: Number(match[2]), number: Number(match[3] ?? 1) };
}

/** Whether literals are input: auto means those of programs that are tests. */
export const LITERAL_CHOICES = ["auto", "on", "off"] as const;
export type LiteralChoice = (typeof LITERAL_CHOICES)[number];
