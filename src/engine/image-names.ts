// Functions and variables of a program by their names, and blocks by function and line: made once for a program, because thousands of units
// of it may be planned one after the other.

import type { GlobalInfo, ProgramImage } from "../jit/image.js";

export interface NamedGlobal {
  /** `global:NAME`, with a number behind it where an earlier one has the name. */
  readonly name: string;
  readonly address: number;
  readonly size: number;
  readonly fields: readonly [];
}

export class ImageNames {
  /** Functions that have a shape. */
  private readonly functions = new Map<string, number[]>();
  /** All functions: the first of a name. */
  private readonly first = new Map<string, number>();
  private readonly globals = new Map<string, GlobalInfo[]>();
  private readonly own: ReadonlySet<GlobalInfo>;
  /** The variables of the program that may be written. */
  readonly variables: readonly NamedGlobal[];
  private readonly byAddress: ReadonlyMap<number, NamedGlobal>;
  /** Of the variables, by name. */
  readonly addresses: ReadonlyMap<string, number>;
  private blocks: ReadonlyMap<number, readonly number[]> | null = null;
  private lines: ReadonlyMap<string, readonly number[]> | null = null;

  constructor(private readonly image: ProgramImage) {
    const { functions, shapes, globals, programGlobals } = image;
    functions.forEach(({ name }, index) => {
      if (!this.first.has(name)) this.first.set(name, index);
      if (index < shapes.length) listAt(this.functions, name).push(index);
    });
    for (const info of globals) listAt(this.globals, info.name).push(info);
    const own = programGlobals.map((n) => globals[n]);
    this.own = new Set(own);
    this.variables = writableOf(own);
    const byAddress = new Map<number, NamedGlobal>();
    for (const one of this.variables) if (!byAddress.has(one.address)) byAddress.set(one.address, one);
    this.byAddress = byAddress;
    this.addresses = new Map(this.variables.map(({ name, address }) => [name, address]));
  }

  /** Indices of the functions of a name that have a shape, ascending. */
  functionsNamed(name: string): readonly number[] {
    return this.functions.get(name) ?? [];
  }

  /** The first function of a name, whoever's it is; -1 if there is none. */
  firstNamed(name: string): number {
    return this.first.get(name) ?? -1;
  }

  globalsNamed(name: string): readonly GlobalInfo[] {
    return this.globals.get(name) ?? [];
  }

  isOwn(info: GlobalInfo): boolean {
    return this.own.has(info);
  }

  variableAt(address: number): NamedGlobal | null {
    return this.byAddress.get(address) ?? null;
  }

  /** Numbers of `image.coverage`, ascending. */
  blocksOf(functionIndex: number): readonly number[] {
    this.blocks ??= grouped(this.image, ({ functionIndex: own }) => [own]);
    return this.blocks.get(functionIndex) ?? [];
  }

  /** The blocks that have code of a line, by `FILE:LINE`; a block may be there twice. */
  blocksAt(line: string): readonly number[] {
    const { locations } = this.image;
    this.lines ??= grouped(this.image, (block) =>
      block.locations.map((at) => `${locations[at].file}:${locations[at].line}`),
    );
    return this.lines.get(line) ?? [];
  }
}

const known = new WeakMap<ProgramImage, ImageNames>();

export function namesIn(image: ProgramImage): ImageNames {
  const names = known.get(image) ?? new ImageNames(image);
  known.set(image, names);
  return names;
}

function writableOf(own: readonly GlobalInfo[]): readonly NamedGlobal[] {
  const taken = new Map<string, number>();
  return own
    .filter(({ constant, size }) => !constant && size > 0)
    .map(({ name, address, size }) => {
      const before = taken.get(name) ?? 0;
      taken.set(name, before + 1);
      return { name: before === 0 ? `global:${name}` : `global:${name}#${before}`, address, size, fields: [] };
    });
}

function grouped<Key>(
  { coverage }: ProgramImage,
  keysOf: (block: ProgramImage["coverage"][number]) => readonly Key[],
): ReadonlyMap<Key, readonly number[]> {
  const groups = new Map<Key, number[]>();
  coverage.forEach((block, number) => {
    for (const key of keysOf(block)) listAt(groups, key).push(number);
  });
  return groups;
}

function listAt<Key, Value>(lists: Map<Key, Value[]>, key: Key): Value[] {
  const list = lists.get(key) ?? [];
  if (list.length === 0) lists.set(key, list);
  return list;
}
