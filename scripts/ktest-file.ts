// Writes the format of KLEE's test files, for native replays in tests and checks of the corpus. Independent of
// src/report/ktest.ts on purpose: what one writes the other's readers must read.

export interface KTestEntry {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const VERSION = 3;

export function formatKTest(objects: readonly KTestEntry[]): Buffer {
  const number = (value: number): Buffer => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return bytes;
  };
  // No arguments, no symbolic arguments.
  const parts: Uint8Array[] = [Buffer.from("KTEST"), number(VERSION), number(0), number(0), number(0)];
  parts.push(number(objects.length));
  for (const { name, bytes } of objects) {
    const encoded = Buffer.from(name, "latin1");
    parts.push(number(encoded.length), encoded, number(bytes.length), bytes);
  }
  return Buffer.concat(parts);
}
