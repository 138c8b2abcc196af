// What the tests, benchmarks and qualifications ask of a VM in another process, and what it answers. Another process,
// because a program that takes the VM down must not take down the list of the other thousand.

export interface VmRequest {
  /** .c files, or programs built by `tangent cc`. */
  readonly inputs: readonly string[];
  /** Compiler flags for the .c files. */
  readonly flags: readonly string[];
  /** Options of `tangent run`, as the programs of the corpus state them. */
  readonly options: readonly string[];
  readonly args: readonly string[];
  /** NAME=value each, besides PATH. */
  readonly environment: readonly string[];
  /** One character for each byte. */
  readonly stdin: string;
  readonly directory: string;
  readonly timeLimitMs: number;
}

export interface VmFrame {
  readonly functionName: string;
  readonly origin: string;
  readonly file: string | null;
  readonly line: number;
}

export interface VmFinding {
  readonly kind: string;
  readonly access: "read" | "write" | null;
  readonly message: string;
  readonly stack: readonly VmFrame[];
  /** Index of the program's innermost frame; -1 if there is none. */
  readonly userFrame: number;
  readonly allocationStack: readonly VmFrame[] | null;
  readonly freeStack: readonly VmFrame[] | null;
  readonly confirmed: boolean | null;
}

export type VmEnd =
  | { readonly kind: "exit"; readonly code: number }
  | { readonly kind: "signal"; readonly signal: number }
  | { readonly kind: "finding" }
  | { readonly kind: "unsupported"; readonly what: string }
  | { readonly kind: "limit"; readonly limit: string }
  /** The program could not be compiled or linked. */
  | { readonly kind: "failed"; readonly message: string }
  /** The VM itself broke, hung or died. */
  | { readonly kind: "crash"; readonly message: string };

export interface VmReply {
  readonly end: VmEnd;
  readonly findings: readonly VmFinding[];
  readonly stdout: string;
  readonly stderr: string;
  readonly loadMs: number;
  readonly translateMs: number;
  /** Of the run alone, with the compilation that V8 does while it runs. */
  readonly runMs: number;
  /** Processor time of the run. */
  readonly cpuMs: number;
  readonly instructions: number;
}

export const PLAIN_REQUEST: VmRequest = {
  inputs: [],
  flags: [],
  options: [],
  args: [],
  environment: [],
  stdin: "",
  directory: "/",
  timeLimitMs: 20_000,
};
