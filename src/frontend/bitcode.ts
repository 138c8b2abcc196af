// Bitcode as a linker leaves it: the modules of all objects one after another in one section. A module has no length of
// its own; but a bitstream is a row of blocks that tell theirs, so one module ends where, instead of a block, the next
// magic number or the end stands. The alternative, searching for the magic number, would one day find it inside a string.
// Invariant: the modules found, with the padding between them, are the whole section.

export type SplitResult =
  | { readonly kind: "modules"; readonly modules: readonly Buffer[] }
  | { readonly kind: "bad"; readonly problem: string };

const MAGIC = 0xdec04342;
/** Abbreviation id of ENTER_SUBBLOCK, in the two bits that abbreviation ids have at the top level. */
const ENTER_SUBBLOCK = 1;

export function isBitcode(bytes: Buffer): boolean {
  return bytes.length >= 4 && bytes.readUInt32LE(0) === MAGIC;
}

export function splitModules(section: Buffer): SplitResult {
  const modules: Buffer[] = [];
  let at = 0;
  for (;;) {
    // Linkers may align a module by zeros.
    while (at < section.length && section[at] === 0) at++;
    if (at === section.length) return { kind: "modules", modules };
    if (at + 4 > section.length || section.readUInt32LE(at) !== MAGIC) {
      return { kind: "bad", problem: `at byte ${at} of the bitcode a module should begin` };
    }
    const end = moduleEnd(section, at);
    if (end < 0) return { kind: "bad", problem: `the module at byte ${at} of the bitcode is cut short or damaged` };
    modules.push(section.subarray(at, end));
    at = end;
  }
}

/** Negative: a block goes on beyond the section, or what stands there is no block. */
function moduleEnd(section: Buffer, start: number): number {
  let at = start + 4;
  while (at + 4 <= section.length) {
    const word = section.readUInt32LE(at);
    if ((word & 3) !== ENTER_SUBBLOCK) break;
    // Block id (vbr8) and width of the abbreviation ids (vbr4) fit into this word: 2 + 8 + 4 bits, as no id exceeds 127.
    if (at + 8 > section.length) return -1;
    at += 8 + section.readUInt32LE(at + 4) * 4;
    if (at > section.length) return -1;
  }
  return at > start + 4 ? at : -1;
}
