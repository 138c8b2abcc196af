// KLEE's .ktest files, so that ktest-tool, klee-replay and everything people built on them read our tests, and we theirs.
// The layout, every number four bytes, the most significant first:
//
//   "KTEST" (or "BOUT\n", its older name) | version | number of arguments | (length | bytes) each
//   | from version 2: symArgvs | symArgvLen | number of objects | (length | name | length | bytes) each
//
// Reading trusts no length: a damaged file is an error value that names the byte where it stops making sense. Bytes after
// the last object are let pass, as KLEE does. Arguments are bytes, since nothing says what encoding they have.

export interface KTestObject {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface KTest {
  readonly version: number;
  /** The command line as the user wrote it: the program first, then words such as --sym-args that stand for symbolic ones. */
  readonly args: readonly Uint8Array[];
  /** Of a model of arguments that KLEE no longer has; 0 in all files of today. */
  readonly symArgvs: number;
  readonly symArgvLen: number;
  readonly objects: readonly KTestObject[];
}

export type KTestResult =
  | { readonly kind: "ktest"; readonly ktest: KTest }
  /** `at`: the byte that is wrong. */
  | { readonly kind: "corrupt"; readonly message: string; readonly at: number };

const KTEST_VERSION = 3;
const MAGICS = ["KTEST", "BOUT\n"] as const;
const MAGIC_BYTES = 5;
const WORD = 4;

export function isKTest(bytes: Uint8Array): boolean {
  const magic = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(MAGIC_BYTES, bytes.length)).toString("latin1");
  return MAGICS.some((known) => known === magic);
}

export function encodeKTest(args: readonly Uint8Array[], objects: readonly KTestObject[]): Uint8Array {
  const names = objects.map(({ name }) => Buffer.from(name));
  let size = MAGIC_BYTES + WORD * 5;
  for (const arg of args) size += WORD + arg.length;
  for (let i = 0; i < objects.length; i++) size += 2 * WORD + names[i].length + objects[i].bytes.length;
  const out = Buffer.allocUnsafe(size);
  let at = out.write(MAGICS[0], 0, "latin1");
  const block = (bytes: Uint8Array): void => {
    at = out.writeUInt32BE(bytes.length, at);
    out.set(bytes, at);
    at += bytes.length;
  };
  at = out.writeUInt32BE(KTEST_VERSION, at);
  at = out.writeUInt32BE(args.length, at);
  for (const arg of args) block(arg);
  at = out.writeUInt32BE(0, at);
  at = out.writeUInt32BE(0, at);
  at = out.writeUInt32BE(objects.length, at);
  for (let i = 0; i < objects.length; i++) {
    block(names[i]);
    block(objects[i].bytes);
  }
  return out;
}

/** What went wrong, on its way out of the reader; it never leaves this file. */
class Corrupt extends Error {
  constructor(
    message: string,
    readonly at: number,
  ) {
    super(message);
  }
}

class Reader {
  private readonly buffer: Buffer;
  at = MAGIC_BYTES;

  constructor(bytes: Uint8Array) {
    this.buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  word(what: string): number {
    const left = this.buffer.length - this.at;
    if (left < WORD) throw new Corrupt(`the file ends where ${what} should be (4 bytes, ${left} left)`, this.at);
    const value = this.buffer.readUInt32BE(this.at);
    this.at += WORD;
    return value;
  }

  /** A count of things that take at least `least` bytes each. */
  count(what: string, least: number): number {
    const start = this.at;
    const value = this.word(`the number of ${what}`);
    const left = this.buffer.length - this.at;
    if (value * least > left) {
      throw new Corrupt(`${value} ${what} cannot fit into the ${left} bytes that are left`, start);
    }
    return value;
  }

  block(what: string): Uint8Array {
    const start = this.at;
    const length = this.word(`the length of ${what}`);
    const left = this.buffer.length - this.at;
    if (length > left) throw new Corrupt(`${what} should have ${length} bytes, but ${left} are left`, start);
    const bytes = this.buffer.subarray(this.at, this.at + length);
    this.at += length;
    return bytes;
  }
}

export function decodeKTest(bytes: Uint8Array): KTestResult {
  if (!isKTest(bytes)) {
    return { kind: "corrupt", at: 0, message: "at byte 0: it does not begin with KTEST, so it is not a .ktest file" };
  }
  const reader = new Reader(bytes);
  try {
    const version = reader.word("the version");
    if (version < 1 || version > KTEST_VERSION) {
      throw new Corrupt(`its version is ${version}; versions 1 to ${KTEST_VERSION} are known`, MAGIC_BYTES);
    }
    const args: Uint8Array[] = [];
    const argCount = reader.count("arguments", WORD);
    for (let i = 0; i < argCount; i++) args.push(reader.block(`argument ${i + 1} of ${argCount}`));
    const symArgvs = version >= 2 ? reader.word("symArgvs") : 0;
    const symArgvLen = version >= 2 ? reader.word("symArgvLen") : 0;
    const objects: KTestObject[] = [];
    const objectCount = reader.count("objects", 2 * WORD);
    for (let i = 0; i < objectCount; i++) {
      const which = `object ${i + 1} of ${objectCount}`;
      const name = Buffer.from(reader.block(`the name of ${which}`)).toString();
      objects.push({ name, bytes: reader.block(`${which} (${name})`) });
    }
    return { kind: "ktest", ktest: { version, args, symArgvs, symArgvLen, objects } };
  } catch (error) {
    if (!(error instanceof Corrupt)) throw error;
    const message = `at byte ${error.at}: ${error.message}; the file is truncated or damaged`;
    return { kind: "corrupt", at: error.at, message };
  }
}
