// How a symbolic run takes part in the machine: implementations for the functions that generated code calls, and word of
// every byte that the host itself puts into the guest's memory. A plain run has no hooks, and pays nothing for them.

import type { HostName } from "../jit/boundary.js";
import type { SymbolicFunctionName } from "../jit/symbolic-boundary.js";
import type { GivenContent } from "./files/given-content.js";
import type { RunOptions } from "./run-options.js";
import type { ArgumentObject } from "./start-vector.js";

/** What bytes were read from: standard input, a file that the run was given, or anything else. */
export type InputName = "stdin" | "other" | GivenContent;

/** Where input leaves what a symbolic run follows, other than as bytes that it is told of. */
export type Unfollowed = "other-process" | "thread-order" | "shown-words" | "refused-call";

export type HostImplementation = (...values: number[]) => unknown;

export interface MachineHooks {
  readonly functions: Readonly<Partial<Record<HostName | SymbolicFunctionName, HostImplementation>>>;
  /** Ends are to have their whole stacks, as in a plain run. */
  readonly keepsStacks?: boolean;
  /** Arguments and environment lie in memory; the program is about to start. */
  started(objects: readonly ArgumentObject[]): void;
  /** The host has put bytes [offset, offset + size) of an input, or of what the program may have written, at the address. */
  delivered(input: InputName, offset: number, address: number, size: number): void;
  /** The host is about to put concrete bytes there, or (read) has just done so. */
  written(address: number, size: number): void;
  /** The host has read a path there, and what it does depends on these bytes. */
  read(address: number, size: number): void;
  /** A system call has read a structure there, and what it does depends on these bytes. */
  taken(address: number, size: number): void;
  /** The program writes these bytes to a file or a pipe, where it may read them again. */
  stored(address: number, size: number): void;
  /** The host moves bytes of the guest. */
  moved?(destination: number, source: number, size: number): void;
  /** A value goes on without its shadow, which has no place there. */
  unshadowed?(shadow: number, low: number, high: number): void;
  /** What follows may depend on the input in a way that nobody tells. */
  unfollowed?(what: Unfollowed): void;
  /** The program writes these bytes anywhere. */
  output?(address: number, size: number): void;
  /** What of the run's options holds bytes that are put in place only in a symbolic run; for a run of the same without hooks. */
  concreteOptions?(): Partial<RunOptions>;
  /** False: what is known of this run does not allow it to go on behind a read that is refused. */
  mayGoOn?(): boolean;
  /** Whether nobody wants this run any more; asked every few milliseconds. */
  isCancelled?(): boolean;
}
