// The files of the guest process: its descriptors, working directory and umask, over a disk that is either the
// copy-on-write overlay or, when the user asks for it, the real one. Paths are strings of one character per byte.
//
// Invariant: a descriptor number is always the lowest free one, as POSIX wants it.

import { ERRNO } from "./errno.js";
import type { OpenFile } from "./open-file.js";
import type { RunOptions } from "./run-options.js";
import { CapturedOutput, GivenInput, HostStream, InputRecorder, OutputBudget } from "./standard-streams.js";

/** As RLIMIT_NOFILE says. */
export const DESCRIPTOR_LIMIT = 1024;

export interface Descriptor {
  readonly file: OpenFile;
  closeOnExec: boolean;
}

export class FileSystem {
  private readonly table: (Descriptor | null)[] = [];
  readonly recorder = new InputRecorder();
  readonly budget: OutputBudget;
  readonly stdout: CapturedOutput | null;
  readonly stderr: CapturedOutput | null;
  readonly filesRead = new Set<string>();
  workingDirectory: string;
  umask = 0o022;

  constructor(options: RunOptions) {
    this.budget = new OutputBudget(options.limits.outputBytes);
    this.workingDirectory = options.workingDirectory;
    this.stdout = options.stdout === "capture" ? new CapturedOutput(this.budget, 2) : null;
    this.stderr = options.stderr === "capture" ? new CapturedOutput(this.budget, 3) : null;
    const input =
      options.stdin === "inherit" ? new HostStream(0, this.recorder) : new GivenInput(options.stdin, this.recorder);
    this.install(input);
    this.install(this.stdout ?? new HostStream(1, null));
    this.install(this.stderr ?? new HostStream(2, null));
  }

  /** The description behind a descriptor, or null. */
  get(descriptor: number): OpenFile | null {
    return this.table[descriptor]?.file ?? null;
  }

  descriptor(descriptor: number): Descriptor | null {
    return this.table[descriptor] ?? null;
  }

  /** Gives a description the lowest free descriptor from `from` on. */
  install(file: OpenFile, closeOnExec = false, from = 0): number {
    let descriptor = from;
    while (descriptor < this.table.length && this.table[descriptor] !== null) descriptor++;
    if (descriptor >= DESCRIPTOR_LIMIT) return -ERRNO.EMFILE;
    while (this.table.length <= descriptor) this.table.push(null);
    this.table[descriptor] = { file, closeOnExec };
    file.references++;
    return descriptor;
  }

  close(descriptor: number): number {
    const entry = this.table[descriptor];
    if (entry === null || entry === undefined) return -ERRNO.EBADF;
    this.table[descriptor] = null;
    entry.file.references--;
    if (entry.file.references === 0) entry.file.close();
    return 0;
  }

  /** The run is over: leave the host's descriptors as the guest would have. */
  settle(): void {
    for (const entry of this.table) {
      if (entry?.file instanceof HostStream) entry.file.settle();
    }
  }
}
