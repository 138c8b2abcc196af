// What of an ELF file decides how it is started: whether it is a program at all, whether a loader comes first, and whether that loader finds
// libraries by where the program lies. Read from the program headers, which a stripped file has too.
// Invariant: every offset is checked against the file's length before it is used.

export interface ExecutableFacts {
  /** A loader starts it, and maps its shared libraries. */
  readonly isDynamic: boolean;
  /** It finds libraries relative to its own place (`$ORIGIN`), so it must be started in its own folder. */
  readonly usesOrigin: boolean;
}

const ET_EXEC = 2;
const ET_DYN = 3;
const PT_LOAD = 1;
const PT_DYNAMIC = 2;
const PT_INTERP = 3;
const DT_STRTAB = 5n;
const DT_RPATH = 15n;
const DT_RUNPATH = 29n;
const DT_FLAGS_1 = 0x6fff_fffbn;
const DF_1_PIE = 0x0800_0000n;
const HEADER = 56;

/** Null if it is not a program: an object, a shared library, or no ELF file for 64 bits. */
export function executableFacts(bytes: Buffer): ExecutableFacts | null {
  if (bytes.length < 64 || bytes.readUInt32BE(0) !== 0x7f454c46 || bytes[4] !== 2 || bytes[5] !== 1) return null;
  const type = bytes.readUInt16LE(16);
  if (type !== ET_EXEC && type !== ET_DYN) return null;
  const headers = programHeaders(bytes);
  const isDynamic = headers.some(({ kind }) => kind === PT_INTERP);
  const tags = dynamicTags(bytes, headers);
  const flags = tags.find(([tag]) => tag === DT_FLAGS_1)?.[1] ?? 0n;
  // What is neither has no loader and is none for it: a shared library.
  if (type === ET_DYN && !isDynamic && (flags & DF_1_PIE) === 0n) return null;
  return {
    isDynamic,
    usesOrigin: isDynamic && searchPaths(bytes, headers, tags).some((path) => /\$(ORIGIN|\{ORIGIN\})/.test(path)),
  };
}

interface ProgramHeader {
  readonly kind: number;
  readonly offset: number;
  readonly address: number;
  readonly size: number;
}

function programHeaders(bytes: Buffer): ProgramHeader[] {
  const table = Number(bytes.readBigUInt64LE(32));
  const count = bytes.readUInt16LE(56);
  const headers: ProgramHeader[] = [];
  if (bytes.readUInt16LE(54) !== HEADER) return headers;
  for (let at = table; at + HEADER <= bytes.length && headers.length < count; at += HEADER) {
    headers.push({
      kind: bytes.readUInt32LE(at),
      offset: Number(bytes.readBigUInt64LE(at + 8)),
      address: Number(bytes.readBigUInt64LE(at + 16)),
      size: Number(bytes.readBigUInt64LE(at + 32)),
    });
  }
  return headers;
}

function dynamicTags(bytes: Buffer, headers: readonly ProgramHeader[]): (readonly [bigint, bigint])[] {
  const dynamic = headers.find(({ kind }) => kind === PT_DYNAMIC);
  const tags: [bigint, bigint][] = [];
  if (dynamic === undefined) return tags;
  const end = Math.min(dynamic.offset + dynamic.size, bytes.length);
  for (let at = dynamic.offset; at + 16 <= end; at += 16) {
    const tag = bytes.readBigUInt64LE(at);
    if (tag === 0n) break;
    tags.push([tag, bytes.readBigUInt64LE(at + 8)]);
  }
  return tags;
}

function searchPaths(
  bytes: Buffer,
  headers: readonly ProgramHeader[],
  tags: readonly (readonly [bigint, bigint])[],
): string[] {
  const strings = Number(tags.find(([tag]) => tag === DT_STRTAB)?.[1] ?? 0n);
  const segment = headers.find(
    ({ kind, address, size }) => kind === PT_LOAD && strings >= address && strings < address + size,
  );
  if (segment === undefined) return [];
  return tags.flatMap(([tag, value]) => {
    if (tag !== DT_RPATH && tag !== DT_RUNPATH) return [];
    const at = strings - segment.address + segment.offset + Number(value);
    const end = at < bytes.length ? bytes.indexOf(0, at) : -1;
    return end < 0 ? [] : [bytes.toString("latin1", at, end)];
  });
}
