// Which object an address belongs to, or lies next to: a heap block, a local variable, a global, an argument. An access
// just outside an object is in a redzone between two of them; the nearer one is meant, and the one before it if both are
// equally near, since running over the end is the commoner mistake.

import type { FrameInfo, GlobalInfo, ProgramImage } from "../jit/image.js";
import {
  ARGUMENTS_AREA_BYTES,
  ARGUMENTS_BASE,
  ARGUMENTS_LIMIT,
  FRAME_MAGIC,
  GLOBALS_BASE,
  NO_ARGUMENTS,
  STACK_LIMIT,
  STACK_TOP,
  STATE_SYMBOLIC,
  STATE_SYMBOLIC_COUNT_SHIFT,
} from "../jit/memory-layout.js";
import { VARIADIC_SLOT } from "../jit/variadic-area.js";
import { SLOT_PREFIX } from "../support/literal-names.js";
import type { GuestMemory } from "../vm/guest-memory.js";
import type { HeapBlock, HeapReader } from "../vm/heap-reader.js";
import type { ArgumentObject } from "../vm/start-vector.js";
import type { FindingObject } from "./finding.js";

/** What is known about the machine at the end of the run. */
export interface Scene {
  readonly image: ProgramImage;
  readonly memory: GuestMemory;
  readonly heap: HeapReader;
  readonly arguments: readonly ArgumentObject[];
  /** What the program mapped itself. */
  readonly mappings: readonly { readonly address: number; readonly size: number }[];
  readonly stackPointer: number;
}

export interface LocatedObject {
  readonly object: FindingObject;
  /** The object had ended its life: freed, returned from, out of scope. */
  readonly ended: "freed" | "returned" | "left" | null;
  readonly block: HeapBlock | null;
}

/** How far from a mapping an access is still taken for one that missed it. */
const MAPPING_REACH = 4096;

interface Range {
  readonly start: number;
  readonly size: number;
}

export function locateObject(scene: Scene, address: number): LocatedObject | null {
  if (address >= STACK_LIMIT && address < STACK_TOP) return locateOnStack(scene, address);
  if (address >= ARGUMENTS_BASE && address < ARGUMENTS_LIMIT) return locateArgument(scene, address);
  if (address >= GLOBALS_BASE && address < scene.image.globalsEnd) return locateGlobal(scene, address);
  if (address >= scene.memory.heapStart) return locateInHeap(scene, address);
  return null;
}

/** Index of the nearest range; they are sorted by start and do not overlap. -1 if there is none. */
export function nearest(ranges: readonly Range[], address: number): number {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ranges[middle].start <= address) low = middle + 1;
    else high = middle;
  }
  const before = low - 1;
  if (before < 0) return ranges.length > 0 ? 0 : -1;
  if (low >= ranges.length) return before;
  const past = address - (ranges[before].start + ranges[before].size);
  const until = ranges[low].start - address;
  return past < 0 || past < until ? before : low;
}

function locateInHeap(scene: Scene, address: number): LocatedObject | null {
  const block = scene.heap.findBlock(address);
  if (block === null) return locateMapping(scene, address);
  return {
    object: {
      kind: "heap",
      name: null,
      address: block.start,
      size: block.size,
      offset: address - block.start,
      file: null,
      line: 0,
      functionName: null,
      allocationStack: null,
      freeStack: null,
    },
    ended: block.live ? null : "freed",
    block,
  };
}

/** The mapping an address lies in or shortly after; only mappings that still exist are known. */
function locateMapping(scene: Scene, address: number): LocatedObject | null {
  const ranges = scene.mappings
    .map(({ address: start, size }) => ({ start, size }))
    .toSorted((a, b) => a.start - b.start);
  const found = ranges[nearest(ranges, address)];
  if (found === undefined || address < found.start - MAPPING_REACH) return null;
  if (address >= found.start + found.size + MAPPING_REACH) return null;
  return {
    object: {
      kind: "mapping",
      name: "mapped memory",
      address: found.start,
      size: found.size,
      offset: address - found.start,
      file: null,
      line: 0,
      functionName: null,
      allocationStack: null,
      freeStack: null,
    },
    ended: null,
    block: null,
  };
}

function locateGlobal(scene: Scene, address: number): LocatedObject | null {
  const globals = scene.image.globals
    .filter(({ name }) => !name.startsWith(SLOT_PREFIX))
    .map((info) => grown(scene, info));
  const ranges = globals.map(({ address: start, size }) => ({ start, size }));
  const index = nearest(ranges, address);
  if (index < 0) return null;
  const found = globals[index];
  return {
    object: {
      kind: "global",
      name: found.name,
      address: found.address,
      size: found.size,
      offset: address - found.address,
      file: found.file,
      line: found.line,
      functionName: null,
      allocationStack: null,
      freeStack: null,
    },
    ended: null,
    block: null,
  };
}

/** A literal that was given more bytes than it has in the source is as long as its states say. */
function grown({ image, memory }: Scene, info: GlobalInfo): GlobalInfo {
  const literal = image.tests?.literals.find(({ address, room }) => address === info.address && room !== undefined);
  const room = literal?.room ?? 0;
  if (room === 0 || memory.firstRefused(info.address + info.size, 1, false) >= 0) return info;
  const end = memory.firstRefused(info.address, info.size + room, false);
  return { ...info, size: end < 0 ? info.size + room : end - info.address };
}

function locateArgument(scene: Scene, address: number): LocatedObject | null {
  const sorted = scene.arguments.toSorted((a, b) => a.address - b.address);
  const index = nearest(
    sorted.map(({ address: start, size }) => ({ start, size })),
    address,
  );
  if (index < 0) return null;
  const found = sorted[index];
  return {
    object: {
      kind: "argument",
      name: found.name,
      address: found.address,
      size: found.size,
      offset: address - found.address,
      file: null,
      line: 0,
      functionName: null,
      allocationStack: null,
      freeStack: null,
    },
    ended: null,
    block: null,
  };
}

/** The frame whose header lies at an address, or null. */
function frameAt(scene: Scene, base: number): FrameInfo | null {
  if (base < STACK_LIMIT || base + 8 > STACK_TOP) return null;
  const { view } = scene.memory;
  if (view.getUint32(base, true) !== FRAME_MAGIC) return null;
  return scene.image.frames[view.getUint32(base + 4, true)] ?? null;
}

function locateOnStack(scene: Scene, address: number): LocatedObject | null {
  return address >= scene.stackPointer ? locateInFrames(scene, address) : locateReturned(scene, address);
}

/**
 * Walks the live frames upwards from the stack pointer. Between frames there may be memory of a function with alloca or
 * a variable-length array, which has no header; it belongs to the frame above it.
 */
function locateInFrames(scene: Scene, address: number): LocatedObject | null {
  let base = scene.stackPointer;
  let gapStart = base;
  while (base < STACK_TOP) {
    const frame = frameAt(scene, base);
    if (frame === null) {
      base += 16;
      continue;
    }
    if (address < base) return locateDynamic(scene, frame, gapStart, base, address);
    if (address < base + frame.size) return inFrame(frame, base, address, false);
    base += frame.size;
    gapStart = base;
  }
  return null;
}

/** The variable at this offset in the innermost live frame of a function. */
export function locateSlot(scene: Scene, functionName: string, offset: number): LocatedObject | null {
  for (let base = scene.stackPointer; base < STACK_TOP; ) {
    const frame = frameAt(scene, base);
    if (frame?.functionName === functionName) return inFrame(frame, base, base + offset, false, true);
    base += frame === null ? 16 : frame.size;
  }
  return null;
}

/**
 * Whether a function read a variadic argument that its caller did not pass: the address lies in a caller's area for them,
 * or behind it. An access by the function that owns the area is something else that went astray.
 */
export function isMissingArgument(scene: Scene, address: number): boolean {
  if (address >= NO_ARGUMENTS && address < NO_ARGUMENTS + ARGUMENTS_AREA_BYTES) return true;
  let base = scene.stackPointer;
  if (address < base || address >= STACK_TOP) return false;
  for (let innermost = true; base <= address; ) {
    const frame = frameAt(scene, base);
    if (frame === null) {
      base += 16;
      continue;
    }
    const slot = frame.slots.at(-1);
    if (address < base + frame.size) {
      return !innermost && slot?.name === VARIADIC_SLOT && address >= base + slot.offset;
    }
    base += frame.size;
    innermost = false;
  }
  return false;
}

/** A frame that has returned leaves its header behind until another one covers it. */
function locateReturned(scene: Scene, address: number): LocatedObject | null {
  for (let base = address - (address % 16); base >= STACK_LIMIT; base -= 16) {
    const frame = frameAt(scene, base);
    if (frame === null) continue;
    return address < base + frame.size ? inFrame(frame, base, address, true) : null;
  }
  return null;
}

function inFrame(
  frame: FrameInfo,
  base: number,
  address: number,
  returned: boolean,
  /** It is meant as such, whether it may be touched or not. */
  isNamed = false,
): LocatedObject | null {
  const ranges = frame.slots.map((slot) => ({ start: base + slot.offset, size: slot.size }));
  const index = nearest(ranges, address);
  if (index < 0) return null;
  const slot = frame.slots[index];
  const start = base + slot.offset;
  const inside = address >= start && address < start + slot.size;
  return {
    object: {
      kind: "stack",
      name: slot.name,
      address: start,
      size: slot.size,
      offset: address - start,
      file: null,
      line: slot.line,
      functionName: frame.functionName,
      allocationStack: null,
      freeStack: null,
    },
    ended: returned ? "returned" : inside && !isNamed ? "left" : null,
    block: null,
  };
}

/** How many of a granule's first bytes may be read. */
function addressable(state: number): number {
  if ((state & STATE_SYMBOLIC) !== 0) return (state >>> STATE_SYMBOLIC_COUNT_SHIFT) & 7 || 8;
  return state & 15;
}

/** The nearest run of addressable bytes in [from, to): memory from alloca or a variable-length array. */
function locateDynamic(
  scene: Scene,
  frame: FrameInfo,
  from: number,
  to: number,
  address: number,
): LocatedObject | null {
  const ranges: Range[] = [];
  const { u8 } = scene.memory;
  for (let at = from; at < to; ) {
    const start = at;
    while (at < to && addressable(u8[at >>> 3]) === 8) at += 8;
    const rest = at < to ? addressable(u8[at >>> 3]) : 0;
    if (at + rest > start) ranges.push({ start, size: at + rest - start });
    at += 8;
  }
  const index = nearest(ranges, address);
  if (index < 0) return null;
  return {
    object: {
      kind: "stack",
      name: null,
      address: ranges[index].start,
      size: ranges[index].size,
      offset: address - ranges[index].start,
      file: null,
      line: 0,
      functionName: frame.functionName,
      allocationStack: null,
      freeStack: null,
    },
    ended: null,
    block: null,
  };
}
