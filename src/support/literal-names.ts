// Names of inputs that are literals in a test's own source: strings, byte arrays and numbers that the test hands to the library it tests.
// A name says where the literal stands, `literal:/project/tests/test_csv.c:42`, with `#2` behind it for the second one of a line; the
// program's image knows the address (jit/image.ts). What is not bytes says what it is: `…:42=w32` is a wide string, `…:42=i32,put,2` the
// second argument of a call of put. So a witness that is read back from a file needs nothing else.

const PREFIX = "literal:";

/** Of characters in wide strings, L"…" and U"…" or u"…". */
export const WIDE_FORMS = { w16: 2, w32: 4 } as const;
export type WideForm = keyof typeof WIDE_FORMS;

/** Of numbers: how many bytes they have. */
export const NUMBER_FORMS = { i8: 1, i16: 2, i32: 4, i64: 8, u8: 1, u16: 2, u32: 4, u64: 8, f32: 4, f64: 8 } as const;
export type NumberForm = keyof typeof NUMBER_FORMS;

/** An argument of a call in the test's source. */
export interface NumberPlace {
  readonly form: NumberForm;
  readonly callee: string;
  /** 1 for the first. */
  readonly argument: number;
}

export interface LiteralPlace {
  readonly file: string;
  readonly line: number;
  /** 1 for the first of its line; of numbers: of the calls of this function on the line. */
  readonly number: number;
  /** Absent: bytes. */
  readonly wide?: WideForm;
  readonly argument?: NumberPlace;
}

export function literalName({ file, line, number, wide, argument }: LiteralPlace): string {
  const place = `${PREFIX}${file}:${line}${number === 1 ? "" : `#${number}`}`;
  if (argument !== undefined) return `${place}=${argument.form},${argument.callee},${argument.argument}`;
  return wide === undefined ? place : `${place}=${wide}`;
}

export function isLiteralName(name: string): boolean {
  return name.startsWith(PREFIX);
}

const NAME = /^literal:(.*):(\d+)(?:#(\d+))?(?:=(?:(w16|w32)|([iuf]\d+),([\w.$]+),(\d+)))?$/s;

/** Null if it is the name of something else. */
export function placeOfLiteral(name: string): LiteralPlace | null {
  const match = NAME.exec(name);
  if (match === null) return null;
  const [, file, line, number, wide, form, callee, argument] = match;
  const place = { file, line: Number(line), number: Number(number ?? 1) };
  if (wide !== undefined) return { ...place, wide: wide as WideForm };
  if (form === undefined) return place;
  if (!isNumberForm(form)) return null;
  return { ...place, argument: { form, callee, argument: Number(argument) } };
}

function isNumberForm(text: string): text is NumberForm {
  return Object.hasOwn(NUMBER_FORMS, text);
}

/** Null if it is no number. */
export function numberOfLiteral(name: string): NumberPlace | null {
  return isLiteralName(name) ? (placeOfLiteral(name)?.argument ?? null) : null;
}

/** Variables that hold a number of the test's source (program/number-slots.ts): nobody has declared them. */
export const SLOT_PREFIX = ".number.";

/** Whether literals are input: auto means those of programs that are tests. */
export const LITERAL_CHOICES = ["auto", "on", "off"] as const;
export type LiteralChoice = (typeof LITERAL_CHOICES)[number];
