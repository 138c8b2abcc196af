// What the kernel puts on a new process's stack: argc, argv, envp and the auxiliary vector, and the strings they point
// to. Here it gets a region of its own, so that every string can have memory around it that is not addressable: running
// past the end of an argument is then seen, which AddressSanitizer does not do.

import { ARGUMENTS_BASE, ARGUMENTS_LIMIT } from "../jit/memory-layout.js";
import { Random } from "../support/random.js";
import type { GuestMemory } from "./guest-memory.js";
import type { RunOptions } from "./run-options.js";

const AUXILIARY = {
  end: 0,
  pageSize: 6,
  userId: 11,
  effectiveUserId: 12,
  groupId: 13,
  effectiveGroupId: 14,
  platform: 15,
  hardware: 16,
  clockTicks: 17,
  secure: 23,
  random: 25,
  executable: 31,
} as const;
const STRING_GAP = 16;

/** A string the program was given: where it lies and what it is. */
export interface ArgumentObject {
  readonly name: string;
  readonly address: number;
  readonly size: number;
}

export interface Identity {
  readonly user: number;
  readonly group: number;
}

/** Lays everything out; null if it does not fit, which the kernel calls E2BIG. */
export function layStartVector(memory: GuestMemory, options: RunOptions, identity: Identity): ArgumentObject[] | null {
  const objects: ArgumentObject[] = [];
  const words = 1 + options.arguments.length + 1 + options.environment.length + 1 + 2 * Object.keys(AUXILIARY).length;
  let free = align(ARGUMENTS_BASE + 8 * words + STRING_GAP, 16);

  const place = (name: string, bytes: Uint8Array): number => {
    const address = free;
    const end = address + bytes.length;
    free = align(end + STRING_GAP, 16);
    if (free > ARGUMENTS_LIMIT) return 0;
    memory.u8.set(bytes, address);
    memory.allow(address, bytes.length);
    objects.push({ name, address, size: bytes.length });
    return address;
  };
  const terminated = (text: string | Uint8Array): Uint8Array => Buffer.concat([Buffer.from(text), Buffer.alloc(1)]);

  const seed = new Uint8Array(16);
  // A source of its own, so that what the program draws does not depend on whether this was laid out anew.
  new Random(options.seed ^ 0x41_5452).fill(seed);
  const strings: number[] = [];
  for (const [index, text] of options.arguments.entries()) strings.push(place(`argv[${index}]`, terminated(text)));
  const variables: number[] = [];
  for (const text of options.environment) {
    const bytes = terminated(text);
    const equals = bytes.indexOf(0x3d);
    variables.push(place(`environment variable ${Buffer.from(bytes.subarray(0, equals)).toString()}`, bytes));
  }
  const randomAddress = place("AT_RANDOM", seed);
  const executable = place("AT_EXECFN", terminated(options.executable));
  const platform = place("AT_PLATFORM", terminated("x86_64"));
  if (free > ARGUMENTS_LIMIT) return null;

  let at = ARGUMENTS_BASE;
  const word = (value: number): void => {
    memory.setI64(at, value);
    at += 8;
  };
  word(options.arguments.length);
  for (const address of strings) word(address);
  word(0);
  for (const address of variables) word(address);
  word(0);
  const auxiliary: readonly (readonly [number, number])[] = [
    [AUXILIARY.pageSize, 4096],
    [AUXILIARY.userId, identity.user],
    [AUXILIARY.effectiveUserId, identity.user],
    [AUXILIARY.groupId, identity.group],
    [AUXILIARY.effectiveGroupId, identity.group],
    [AUXILIARY.platform, platform],
    [AUXILIARY.hardware, 0],
    [AUXILIARY.clockTicks, 100],
    [AUXILIARY.secure, 0],
    [AUXILIARY.random, randomAddress],
    [AUXILIARY.executable, executable],
    [AUXILIARY.end, 0],
  ];
  for (const [key, value] of auxiliary) {
    word(key);
    word(value);
  }
  memory.allow(ARGUMENTS_BASE, at - ARGUMENTS_BASE);
  objects.push({ name: "argv and environ", address: ARGUMENTS_BASE, size: at - ARGUMENTS_BASE });
  return objects;
}

function align(value: number, to: number): number {
  return Math.ceil(value / to) * to;
}
