// Which variables of the environment are kept with a test. A CI job's environment is full of secrets, and a recorded test is
// copied, committed and attached to reports, so only what the program can have read is kept: variables whose names are
// among the strings of the program itself (getenv needs the name in memory), and those of the locale and the time zone, whose names
// libc may put together. A name that looks like a secret's must be a string by itself; of others the end of a longer
// string is enough, because linkers let "HOME" be the end of "MY_HOME".
// A program with shared libraries has not all of them in itself: the loader's LD_LIBRARY_PATH is kept (the program does not start without),
// and what libc reads for a function that the program has the name of, because it calls it.
// A program that puts a name together, or goes through all of `environ`, gets what is kept and nothing else.

/** Whether a program has this string; `isWhole`: not as the end of a longer word. */
export type Mentions = (name: string, isWhole: boolean) => boolean;

const ALWAYS = /^(LANG|LANGUAGE|LC_[A-Z]+|TZ)$/;
const SECRET = /TOKEN|SECRET|PASS|PWD_|_PWD|KEY|CREDENTIAL|AUTH|COOKIE|SESSION|PRIVATE|SIGNATURE|APIKEY|LICENSE/i;

/** NAME=value each; what is kept stays in its order. */
export function keptEnvironment(environment: readonly string[], mentions: Mentions, isDynamic = false): string[] {
  return environment.filter((variable) => {
    const end = variable.indexOf("=");
    const name = end < 0 ? variable : variable.slice(0, end);
    if (ALWAYS.test(name) || (isDynamic && isReadByLibc(name, mentions))) return true;
    return name !== "" && mentions(name, SECRET.test(name));
  });
}

/** Variables that libc reads by itself, by the functions that make it do so. */
const READ_FOR: { readonly [name: string]: readonly string[] } = {
  POSIXLY_CORRECT: ["getopt", "getopt_long", "getopt_long_only", "argp_parse", "fnmatch", "wordexp"],
  PATH: ["execvp", "execlp", "execvpe", "posix_spawnp"],
  TMPDIR: ["tempnam"],
  HOME: ["glob", "glob64", "wordexp"],
  ARGP_HELP_FMT: ["argp_parse", "argp_help"],
};

function isReadByLibc(name: string, mentions: Mentions): boolean {
  if (name === "LD_LIBRARY_PATH") return true;
  return Object.hasOwn(READ_FOR, name) && READ_FOR[name].some((called) => mentions(called, true));
}

/** Looks for names as strings ("PATH", or "PATH=" for programs that look through `environ`) in the memory that a program begins with. */
export function mentionsIn(pieces: readonly Uint8Array[]): Mentions {
  const known = new Map<string, boolean>();
  const buffers = pieces.map((piece) => Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength));
  return (name, isWhole) => {
    const key = `${isWhole ? "=" : "~"}${name}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const found = buffers.some((buffer) => occurs(buffer, Buffer.from(name, "latin1"), isWhole));
    known.set(key, found);
    return found;
  };
}

function occurs(buffer: Buffer, name: Buffer, isWhole: boolean): boolean {
  const isMention = (at: number): boolean => !isWhole || at === 0 || !/\w/.test(String.fromCharCode(buffer[at - 1]));
  for (const end of isWhole ? ["\0"] : ["\0", "=\0"]) {
    const ended = Buffer.concat([name, Buffer.from(end)]);
    for (let at = buffer.indexOf(ended); at >= 0; at = buffer.indexOf(ended, at + 1)) if (isMention(at)) return true;
  }
  // An image's data end before the zeros that they end with.
  const last = buffer.length - name.length;
  return last >= 0 && buffer.subarray(last).equals(name) && isMention(last);
}

/** What of an executable is in memory when it starts: not its debugging information, which names everything. */
export function loadedPieces(executable: Buffer): Uint8Array[] {
  const isElf = executable.length >= 64 && executable.readUInt32BE(0) === 0x7f454c46;
  if (!isElf) return [executable];
  const at = Number(executable.readBigUInt64LE(32));
  const size = executable.readUInt16LE(54);
  const pieces: Uint8Array[] = [];
  for (let i = 0; i < executable.readUInt16LE(56); i++) {
    const header = at + i * size;
    if (size < 56 || header + size > executable.length) break;
    const offset = Number(executable.readBigUInt64LE(header + 8));
    const bytes = Number(executable.readBigUInt64LE(header + 32));
    if (executable.readUInt32LE(header) === PT_LOAD) pieces.push(executable.subarray(offset, offset + bytes));
  }
  return pieces;
}

const PT_LOAD = 1;
