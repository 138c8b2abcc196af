// Variables with static storage: where each lies, and the bytes they begin with. Addresses are needed before any code is
// written, the bytes only afterwards (a table of labels holds block numbers that are known by then). Zeroes are not
// written: a program's large arrays are mostly that.
// Thread-local variables lie together behind all others, and behind them is their image, the bytes that they begin with:
// a thread gets them from there, and the bytes of the thread before are put back when it has ended
// (runtime/trusted/thread-locals.c).

import type { DataLayout } from "../ir/data-layout.js";
import type { GlobalVariable } from "../ir/module.js";
import type { Constant } from "../ir/values.js";
import { redzoneAfter } from "./frame.js";
import type { GlobalInfo } from "./image.js";
import { GLOBALS_BASE, GRANULE, HEAP_LIMIT } from "./memory-layout.js";
import { ShapeError } from "./shape.js";

export interface GlobalLayout {
  readonly addresses: ReadonlyMap<GlobalVariable, number>;
  readonly infos: readonly GlobalInfo[];
  readonly threadLocals: ThreadLocals;
  readonly end: number;
}

/** Where the thread-local variables are, how many bytes together, and where the bytes are that they begin with. */
export interface ThreadLocals {
  readonly address: number;
  readonly size: number;
  readonly image: number;
}

/** By variable: bytes behind it that are its own to grow into. */
export type Rooms = ReadonlyMap<GlobalVariable, number>;
const NO_ROOMS: Rooms = new Map();

/** `variables`: the thread-local ones are the last. */
export function layoutGlobals(
  variables: readonly GlobalVariable[],
  layout: DataLayout,
  rooms: Rooms = NO_ROOMS,
): GlobalLayout {
  const addresses = new Map<GlobalVariable, number>();
  const infos: GlobalInfo[] = [];
  let at = GLOBALS_BASE + 64;
  let firstLocal = 0;
  for (const variable of variables) {
    const size = layout.sizeOf(variable.valueType);
    const align = Math.max(variable.align || layout.abiAlign(variable.valueType), size >= 16 ? 16 : GRANULE);
    at = Math.ceil(at / align) * align;
    if (variable.threadLocal && firstLocal === 0) firstLocal = at;
    addresses.set(variable, at);
    const where = variable.debugId >= 0 ? variable.module.debug.variable(variable.debugId) : null;
    infos.push({
      name: where?.functionName || variable.name,
      address: at,
      size,
      constant: variable.constant,
      file: where?.file ?? null,
      line: where?.line ?? 0,
    });
    at += size + (rooms.get(variable) ?? 0) + redzoneAfter(size);
    if (at >= HEAP_LIMIT) throw new ShapeError(tooLarge(infos));
  }
  if (firstLocal === 0) return { addresses, infos, threadLocals: { address: 0, size: 0, image: 0 }, end: at };
  const image = Math.ceil(at / GRANULE) * GRANULE;
  const size = image - firstLocal;
  if (image + size >= HEAP_LIMIT) throw new ShapeError(tooLarge(infos));
  return { addresses, infos, threadLocals: { address: firstLocal, size, image }, end: image + size };
}

function tooLarge(infos: readonly GlobalInfo[]): string {
  const { name, size } = infos.reduce((largest, info) => (info.size > largest.size ? info : largest));
  const most = Math.floor((HEAP_LIMIT - GLOBALS_BASE) / 0x10_0000);
  return `its static variables do not fit into the ${most} MiB there are; the largest is '${name}' with ${size} bytes`;
}

export interface Segment {
  readonly address: number;
  readonly bytes: Uint8Array;
}

/** Segments closer than this are joined: each costs a few bytes and a call at start. */
const JOIN_DISTANCE = 64;

export function initialSegments(
  variables: readonly GlobalVariable[],
  { addresses, threadLocals }: GlobalLayout,
  layout: DataLayout,
  addressOf: (constant: Constant) => bigint,
): Segment[] {
  const pieces: Segment[] = [];
  const images: Segment[] = [];
  for (const variable of variables) {
    const initial = variable.initializer();
    if (initial === null || initial.kind === "zero" || initial.kind === "undef") continue;
    const bytes = new Uint8Array(layout.sizeOf(variable.valueType));
    writeConstant(initial, bytes, 0, layout, addressOf);
    let first = 0;
    let last = bytes.length;
    while (first < last && bytes[first] === 0) first++;
    while (last > first && bytes[last - 1] === 0) last--;
    if (first === last) continue;
    const piece = { address: (addresses.get(variable) as number) + first, bytes: bytes.subarray(first, last) };
    pieces.push(piece);
    if (!variable.threadLocal) continue;
    images.push({ ...piece, address: piece.address - threadLocals.address + threadLocals.image });
  }
  pieces.push(...images);
  const joined: Segment[] = [];
  for (let n = 0; n < pieces.length; ) {
    let m = n + 1;
    while (m < pieces.length && pieces[m].address - end(pieces[m - 1]) <= JOIN_DISTANCE) m++;
    const address = pieces[n].address;
    const bytes = new Uint8Array(end(pieces[m - 1]) - address);
    for (; n < m; n++) bytes.set(pieces[n].bytes, pieces[n].address - address);
    joined.push({ address, bytes });
  }
  return joined;
}
function end(segment: Segment): number {
  return segment.address + segment.bytes.length;
}

/** Writes a constant as it lies in memory. The depth of recursion is the nesting of C types. */
function writeConstant(
  constant: Constant,
  out: Uint8Array,
  offset: number,
  layout: DataLayout,
  addressOf: (constant: Constant) => bigint,
): void {
  switch (constant.kind) {
    case "zero":
    case "undef":
      return;
    case "bytes":
      out.set(constant.bytes, offset);
      return;
    case "int":
      writeBits(constant.value, layout.storeSize(constant.type), out, offset);
      return;
    case "float":
      writeBits(constant.bits, layout.storeSize(constant.type), out, offset);
      return;
    case "aggregate": {
      const type = constant.type;
      if (type.kind === "struct") {
        const { offsets } = layout.structLayout(type);
        constant.elements.forEach((element, n) => {
          writeConstant(element, out, offset + offsets[n], layout, addressOf);
        });
      } else if (type.kind === "array" || type.kind === "vector") {
        const stride = layout.sizeOf(type.element);
        constant.elements.forEach((element, n) => {
          writeConstant(element, out, offset + n * stride, layout, addressOf);
        });
      }
      return;
    }
    default:
      writeBits(addressOf(constant), layout.storeSize(constant.type), out, offset);
  }
}
function writeBits(value: bigint, bytes: number, out: Uint8Array, offset: number): void {
  let rest = value;
  for (let n = 0; n < bytes; n++) {
    out[offset + n] = Number(rest & 0xffn);
    rest >>= 8n;
  }
}
