// Many texts in one file: opening hundreds of files takes longer than reading all they hold. A pack is a line of JSON that
// says what lies where, and the texts.
// Invariant: a pack is whole or refused; the cache has checked its length, this checks the table against it.

export type Pack = ReadonlyMap<string, string>;

export function formatPack(texts: Pack): Buffer {
  const names = [...texts.keys()];
  const bodies = names.map((name) => Buffer.from(texts.get(name)!, "latin1"));
  const head = JSON.stringify(names.map((name, k) => [name, bodies[k].length]));
  return Buffer.concat([Buffer.from(`${head}\n`), ...bodies]);
}

/** The texts as they are needed; null if the bytes are not a pack. */
export function openPack(bytes: Buffer): { has(name: string): boolean; text(name: string): string | null } | null {
  const end = bytes.indexOf(10);
  if (end < 0) return null;
  const places = new Map<string, { start: number; end: number }>();
  let at = end + 1;
  try {
    for (const [name, length] of JSON.parse(bytes.toString("utf8", 0, end)) as [string, number][]) {
      places.set(name, { start: at, end: at + length });
      at += length;
    }
  } catch {
    return null;
  }
  if (at !== bytes.length) return null;
  return {
    has: (name) => places.has(name),
    text: (name) => {
      const place = places.get(name);
      return place === undefined ? null : bytes.toString("latin1", place.start, place.end);
    },
  };
}
