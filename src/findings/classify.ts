// From what a detector saw (a fault: code, address, size) to a finding: which kind it is, which object is concerned, and
// a sentence that says it. Everything is read from the machine as the run left it.

import {
  ARGUMENTS_LIMIT,
  GLOBALS_BASE,
  GUEST_BASE,
  NULL_LIMIT,
  STACK_LIMIT,
  STACK_TOP,
  STATE_READ_ONLY,
} from "../jit/memory-layout.js";
import { VARIADIC_SLOT } from "../jit/variadic-area.js";
import type { HeapBlock } from "../vm/heap-reader.js";
import type { Fault, WasmFrame } from "../vm/run-end.js";
import { type SourceFrame, sourceFrames, visibleFrames } from "../vm/stack-trace.js";
import { originOf } from "./access-origin.js";
import type { Finding, FindingObject } from "./finding.js";
import { KINDS, type KindName, UNDEFINED_CHECKS } from "./kinds.js";
import { isMissingArgument, type LocatedObject, locateObject, type Scene } from "./locate-object.js";

/** A finding and the heap block it concerns, whose serial numbers a repetition needs. */
export interface Classified {
  readonly finding: Finding;
  readonly block: HeapBlock | null;
}

const STACK_KIB = (STACK_TOP - STACK_LIMIT) / 1024;

type AccessFault = "read" | "write" | "invalid-free" | "double-free";

/** Kinds that follow from the fault alone. */
const PLAIN: Readonly<Record<Exclude<Fault["name"], AccessFault>, KindName>> = {
  overlap: "memcpy-overlap",
  "stack-overflow": "stack-overflow",
  unreachable: "unreachable-reached",
  ubsan: "undefined-behaviour",
  field: "field-overflow",
  "division-by-zero": "division-by-zero",
  "division-overflow": "division-overflow",
  assertion: "assertion-failure",
  "wild-call": "wild-call",
  "wild-jump": "wild-jump",
  trap: "trap",
  "invalid-longjmp": "invalid-longjmp",
  "negative-size": "negative-size",
  comparator: "inconsistent-comparator",
  "closed-descriptor": "closed-descriptor",
  abort: "abort",
  reported: "reported-error",
};

/** What a comparator did, by the codes of machine.h. */
const COMPARED: Readonly<Record<number, string>> = {
  1: "two elements, compared both ways, do not have opposite orders",
  2: "of three elements each is before the next, and the last before the first: after the sort some are out of order",
  3: "the elements are not in the order that the comparison with the key wants",
};

export function classify(scene: Scene, fault: Fault, trace: readonly WasmFrame[]): Classified {
  const stack = visibleFrames(sourceFrames(scene.image, trace));
  switch (fault.name) {
    case "read":
    case "write":
      return classifyAccess(scene, fault, fault.name, stack, trace);
    case "invalid-free":
    case "double-free":
      return classifyFree(scene, fault, fault.name, stack);
    default:
      return { finding: plainFinding(scene, fault, PLAIN[fault.name], stack), block: null };
  }
}

/** Innermost frame of the program itself; -1 if there is none. */
export function userFrameIndex(stack: readonly SourceFrame[]): number {
  return stack.findIndex((frame) => frame.origin === "program");
}

function classifyAccess(
  scene: Scene,
  fault: Fault,
  access: "read" | "write",
  stack: SourceFrame[],
  trace: readonly WasmFrame[],
): Classified {
  const { memory } = scene;
  const { address, size } = fault;
  const refused = memory.firstRefused(address, size, access === "write");
  if (access === "read" && refused >= 0 && isMissingArgument(scene, refused)) {
    return { finding: plainFinding(scene, fault, "missing-argument", stack), block: null };
  }
  const origin = (refused < 0 ? address : refused) < NULL_LIMIT ? null : originOf(scene, trace, access);
  // All of it may be touched, but the object that is meant ends before it.
  const bad = refused >= 0 ? refused : firstOutside(origin, address);
  const near = bad < NULL_LIMIT || bad < GUEST_BASE ? null : locateObject(scene, bad);
  const located = bad < NULL_LIMIT ? null : meantObject(fault, bad, near, origin);
  // Where there is no memory, it is a wild access whatever it was computed from.
  const isNowhere = near === null && !isMemory(scene, bad);
  const kind = accessKind(scene, access, bad, isNowhere ? null : located);
  // The offset is that of the access itself: where it began tells more than where it left the object.
  const object = located === null ? null : { ...located.object, offset: address - located.object.address };
  return {
    finding: {
      kind,
      access,
      size,
      address,
      firstBadAddress: bad,
      stack,
      userFrame: userFrameIndex(stack),
      object,
      message: accessMessage(fault, access, bad, object, located?.ended ?? null),
      check: null,
      confirmed: null,
    },
    block: located?.block ?? null,
  };
}

/** Where objects lie, or could. */
function isMemory({ memory }: Scene, address: number): boolean {
  if (address >= STACK_LIMIT && address < ARGUMENTS_LIMIT) return true;
  return address >= GLOBALS_BASE && address < memory.heapStart + memory.heapBytes;
}

function firstOutside(origin: LocatedObject | null, address: number): number {
  if (origin === null || isMissed(origin, address)) return address;
  return origin.object.address + origin.object.size;
}

/**
 * The object that an access is a mistake about: the one its address was computed from, if that is known and is missed, else the
 * nearest. What lies inside an object that has ended its life, and was computed from that one, is a use after its end.
 */
function meantObject(
  { syscall }: Fault,
  bad: number,
  near: LocatedObject | null,
  origin: LocatedObject | null,
): LocatedObject | null {
  if (origin === null || syscall !== null) return near;
  return isMissed(origin, bad) ? origin : near;
}

function isMissed(located: LocatedObject | null, address: number): boolean {
  if (located === null) return false;
  const { address: start, size } = located.object;
  return address < start || address >= start + size;
}

function accessKind(scene: Scene, access: "read" | "write", bad: number, located: LocatedObject | null): KindName {
  if (bad < NULL_LIMIT) return "null-dereference";
  if (access === "write" && isReadOnly(scene, bad) && !isMissed(located, bad)) return "read-only-write";
  if (located === null) return "wild-access";
  switch (located.object.kind) {
    case "heap":
      return located.ended === "freed" ? "heap-use-after-free" : "heap-buffer-overflow";
    case "stack":
      if (located.ended === "returned") return "stack-use-after-return";
      return located.ended === "left" ? "stack-use-after-scope" : "stack-buffer-overflow";
    case "global":
      return "global-buffer-overflow";
    case "argument":
      return "argument-overflow";
    case "mapping":
      return "wild-access";
  }
}

function isReadOnly(scene: Scene, address: number): boolean {
  if (address >= scene.memory.u8.length) return false;
  const state = scene.memory.u8[address >>> 3];
  return (state & STATE_READ_ONLY) !== 0 && (address & 7) < (state & 15);
}

function classifyFree(
  scene: Scene,
  fault: Fault,
  kind: "invalid-free" | "double-free",
  stack: SourceFrame[],
): Classified {
  const located = fault.address < GUEST_BASE ? null : locateObject(scene, fault.address);
  const object = located?.object ?? null;
  const what = kind === "double-free" ? "freed again" : "freed, but not the start of a live heap block";
  return {
    finding: {
      kind,
      access: null,
      size: 0,
      address: fault.address,
      firstBadAddress: null,
      stack,
      userFrame: userFrameIndex(stack),
      object,
      message: `${hex(fault.address)} is ${what}`,
      check: null,
      confirmed: null,
    },
    block: located?.block ?? null,
  };
}

function plainFinding(scene: Scene, fault: Fault, kind: KindName, stack: SourceFrame[]): Finding {
  const check = kind === "undefined-behaviour" ? (UNDEFINED_CHECKS[fault.size] ?? null) : null;
  const hasAddress =
    kind === "memcpy-overlap" || kind === "negative-size" || kind === "wild-call" || kind === "wild-jump";
  return {
    kind,
    access: kind === "field-overflow" ? (fault.address === 1 ? "write" : "read") : null,
    size: kind === "memcpy-overlap" ? fault.size : 0,
    address: hasAddress ? fault.address : null,
    firstBadAddress: null,
    stack,
    userFrame: userFrameIndex(stack),
    object: null,
    message: plainMessage(scene, fault, kind, check?.sentence ?? null),
    check: check?.name ?? null,
    confirmed: null,
  };
}

function plainMessage(scene: Scene, fault: Fault, kind: KindName, check: string | null): string {
  switch (kind) {
    case "undefined-behaviour":
      return check ?? `UBSan check ${fault.size} failed`;
    case "field-overflow": {
      const what = fault.address === 1 ? "write" : "read";
      return `${what} outside of the field that its address was computed from, an array of ${fault.size} bytes in a structure`;
    }
    case "reported-error":
      return fault.detail ?? KINDS[kind].sentence;
    case "assertion-failure": {
      const text = scene.memory.latin1(fault.address);
      return text === null ? KINDS[kind].sentence : `the assertion \`${text}' does not hold`;
    }
    case "memcpy-overlap":
      return `${fault.size} bytes are copied to ${hex(fault.address)}, which overlap their source`;
    case "negative-size":
      return `a negative or far too large number of bytes at ${hex(fault.address)}`;
    case "wild-call":
      return fault.address < NULL_LIMIT ? "call through a null pointer" : `call of ${hex(fault.address)}`;
    case "stack-overflow":
      if (fault.size === 0) return KINDS[kind].sentence;
      return `the variables of one function need ${fault.size} KiB of stack; there are ${STACK_KIB}`;
    case "missing-argument":
      return "a variable argument is read that the call did not pass, or not as this type";
    case "inconsistent-comparator":
      return COMPARED[fault.size] ?? KINDS[kind].sentence;
    case "closed-descriptor":
      return fault.detail ?? KINDS[kind].sentence;
    case "wild-jump":
      return `jump to ${hex(fault.address)}, which is no label of the function`;
    default:
      return KINDS[kind].sentence;
  }
}

function accessMessage(
  fault: Fault,
  access: "read" | "write",
  bad: number,
  object: FindingObject | null,
  ended: LocatedObject["ended"],
): string {
  const via = fault.syscall === null ? "" : ` by the system call ${fault.syscall}`;
  const bytes = fault.size === 1 ? "1 byte" : `${fault.size} bytes`;
  const base = `${access} of ${bytes} at ${hex(fault.address)}${via}`;
  if (object === null) return base;
  const end = object.address + object.size;
  const beyond = fault.address + fault.size - end;
  const isPartly = bad === end && fault.address >= object.address && fault.address < end;
  if (isPartly)
    return `${base}, its last ${beyond === 1 ? "byte" : plural(beyond)} after ${describeObject(object, ended)}`;
  return `${base}, ${describePlace(object, bad, ended)}`;
}

/** Where an address lies relative to an object, in words. */
export function describePlace(object: FindingObject, address: number, ended: LocatedObject["ended"]): string {
  const what = describeObject(object, ended);
  const offset = address - object.address;
  if (offset < 0) return `${plural(-offset)} before ${what}`;
  if (offset >= object.size) return `${plural(offset - object.size)} after ${what}`;
  return `${plural(offset)} into ${what}`;
}

function plural(count: number): string {
  return count === 1 ? "1 byte" : `${count} bytes`;
}

/** The object in words: `10-byte heap block`, `local variable 'a' (40 bytes) of main`. */
export function describeObject(object: FindingObject, ended: LocatedObject["ended"]): string {
  switch (object.kind) {
    case "heap":
      return `${ended === "freed" ? "freed " : ""}${object.size}-byte heap block`;
    case "stack": {
      const name = object.name === null ? "a temporary or alloca" : `local variable '${object.name}'`;
      const life = ended === "returned" ? ", which has returned" : "";
      if (object.name === VARIADIC_SLOT) return `the variable arguments passed by ${object.functionName}${life}`;
      return `${name} (${plural(object.size)}) of ${object.functionName}${life}`;
    }
    case "global":
      return `global variable '${object.name}' (${plural(object.size)})`;
    default:
      return `${object.name} (${plural(object.size)})`;
  }
}

export function hex(address: number): string {
  return `0x${address.toString(16)}`;
}
