// The life of one process: its birth, its children, what it turns into. The first process of a run has a life too, which
// stays empty and costs nothing until it makes a child.
//
// A child is made by noting where its parent stands (call-log.ts) and what it has open. When its time comes, a new machine
// runs the parent's life again up to there, is told 0, and goes on as the child (processes.ts says when). A process that
// becomes another program is a new machine too, inside the call that asked for it, with the same files and number; when that
// program ends, so does the process.

import { ERRNO } from "../errno.js";
import type { FileSystem } from "../files/file-system.js";
import { TYPE } from "../files/open-file.js";
import type { Kernel } from "../kernel.js";
import { type RunEnd, RunStop } from "../run-end.js";
import { RunMemory } from "../run-memory.js";
import type { RunOptions } from "../run-options.js";
import { SIGNAL } from "../signals.js";
import { CallLog, NOT_REPEATED, RelivedLog } from "./call-log.js";
import { type InstalledProgram, installedProgram } from "./installed-programs.js";
import { type Child, Children, type ProcessEnd, ProcessTable } from "./processes.js";
import { wellKnownProgram } from "./well-known-programs.js";

/** Runs a program to its end in a machine of its own. */
export type StartMachine = (program: InstalledProgram, options: RunOptions, life: ProcessLife) => RunEnd;

/** What a life is begun from. */
interface Origin {
  readonly program: InstalledProgram;
  /** Nothing in them reaches the world outside. */
  readonly options: RunOptions;
}

/** What the machine that has the life can do. */
export interface LifeHost {
  readonly start: StartMachine;
  /** Null: what the process is made of cannot be had twice. */
  readonly origin: (kernel: Kernel) => Origin | null;
  readonly deadlineMs: () => number;
}

export class ProcessLife {
  readonly children = new Children();
  /** What is noted for children to come; null before the first. */
  log: CallLog | null = null;
  /** Its parent's life, until it is born. */
  relived: RelivedLog | null = null;
  /** How many of its children have ended that it has not been signalled. */
  private unheard = 0;
  private table: ProcessTable | null = null;
  private origin: Origin | null = null;
  private host: LifeHost | null = null;
  private kernel: Kernel | null = null;

  private constructor(
    /** Null: it is the first of its run, or has become another program. */
    private readonly birth: Child | null,
    private readonly before: Kernel | null,
  ) {}

  static first(): ProcessLife {
    return new ProcessLife(null, null);
  }

  private static ofChild(child: Child, parent: ProcessLife): ProcessLife {
    const life = new ProcessLife(child, null);
    life.relived = new RelivedLog(child.log);
    life.table = parent.table;
    life.origin = parent.origin;
    return life;
  }

  private static after(kernel: Kernel, origin: Origin, table: ProcessTable): ProcessLife {
    const life = new ProcessLife(null, kernel);
    life.table = table;
    life.origin = origin;
    // Its files are as they are now and never again, so everything is noted from its start.
    life.log = new CallLog(0, table.memory);
    return life;
  }

  /** A machine is about to begin this life. */
  enter(kernel: Kernel, host: LifeHost): void {
    this.host = host;
    this.kernel = kernel;
    const { before } = this;
    if (before === null) return;
    kernel.become(before.processId, before.parentId, before.files, before.denied);
    this.watchWrites(kernel);
  }

  /** Whether calls are to be noted, or answered from notes. */
  get isEventful(): boolean {
    return this.log !== null || this.relived !== null;
  }

  /** The run's account. The first process of a run begins it. */
  static memoryOf(life: ProcessLife | null, { limits }: RunOptions): RunMemory {
    return life?.table?.memory ?? new RunMemory(limits.heapBytes);
  }

  get isFirst(): boolean {
    return this.birth === null && this.before === null;
  }

  /** The process, so far its parent, begins its own life. */
  beBorn(kernel: Kernel): void {
    const { birth } = this;
    if (birth === null) return;
    this.relived = null;
    this.log = birth.log;
    kernel.become(birth.id, birth.parentId, birth.files, this.table?.denied ?? kernel.denied);
    this.watchWrites(kernel);
    kernel.mappings.adopt(birth.shared, (address, bytes) => birth.log.wroteAtBirth(address, bytes));
  }

  private watchWrites({ memory }: Kernel): void {
    const { onWrite } = memory;
    memory.onWrite = (address, size) => {
      onWrite?.(address, size);
      this.log?.writes(address, size);
    };
  }

  /** From here on there can be no more children; before the first one nothing matters. */
  cannotRepeat(why: string): void {
    if (this.log !== null) this.log.trouble ??= why;
  }

  /** Gives the child's number, or a negated error number. */
  fork(kernel: Kernel): number {
    const { host } = this;
    if (host === null || kernel.options.writeThrough) return kernel.deny("fork", ERRNO.EPERM);
    this.origin ??= host.origin(kernel);
    this.table ??= new ProcessTable(kernel.processId, host.deadlineMs(), kernel.denied, kernel.account);
    const { origin, table } = this;
    if (origin === null || table.isFull) return kernel.deny("fork", ERRNO.EAGAIN);
    // It will need as much as its parent has.
    if (!table.memory.has(kernel.memory.heapBytes)) return kernel.deny("fork", ERRNO.ENOMEM);
    if (this.log === null) {
      this.log = new CallLog(kernel.callsMade - 1, table.memory);
      this.log.begin(FORK);
      this.watchWrites(kernel);
    }
    const { log } = this;
    if (log.trouble !== null || log.isNested) return kernel.deny("fork", ERRNO.EAGAIN);
    const child: Child = {
      id: table.newId(),
      parentId: kernel.processId,
      files: kernel.files.forked(),
      shared: kernel.mappings.sharedWithChild((bytes) => kernel.account.must(bytes)),
      log: log.atBirth(),
      end: null,
      isAwaited: false,
    };
    this.children.add(child);
    table.add(child, () => this.run(child, origin, host, table));
    return child.id;
  }

  private run(child: Child, { program, options }: Origin, host: LifeHost, table: ProcessTable): ProcessEnd {
    const life = ProcessLife.ofChild(child, this);
    const end = host.start(program, withinTime(options, table), life);
    // It ended before its birth: its parent's life was another one.
    if (life.relived !== null) throw new RunStop({ kind: "unsupported", what: NOT_REPEATED, functionName: "" });
    this.unheard++;
    return processEnd(end);
  }

  /** Something is being waited for: runs another process to its end; false if there is none. */
  runAnother(): boolean {
    if (this.table === null || this.relived !== null) return false;
    this.kernel?.mappings.handOut();
    const ran = this.table.runNext() !== null;
    if (ran) this.kernel?.mappings.handIn();
    return ran;
  }

  /** The files that a process will have whose parent's life is being lived again. */
  get filesAtBirth(): FileSystem | null {
    return this.relived === null ? null : (this.birth?.files ?? null);
  }

  /** Whether the process has children that end by themselves. */
  get hasOthers(): boolean {
    return this.table !== null && this.relived === null;
  }

  /** The process sends a signal to a child. */
  kill(child: Child, signal: number): void {
    if (child.end === null && signal !== 0) this.table?.kill(child, signal);
  }

  /** Signals of children that have ended since, if the process listens. True if there were any. */
  hear(kernel: Kernel): boolean {
    if (this.unheard === 0) return false;
    const count = this.unheard;
    this.unheard = 0;
    for (let heard = 0; heard < count; heard++) {
      this.log?.raises(SIGNAL.SIGCHLD);
      kernel.raise(SIGNAL.SIGCHLD);
    }
    return true;
  }

  /** The first process of the run has ended; those that are left run on, as they would. */
  outlive(): void {
    while (this.table?.runNext() != null) {}
  }

  /** Nothing of it runs any more. */
  finish(): void {
    if (this.isFirst) this.table?.finish();
  }

  /** Becomes another program, or gives a negated error number. */
  exec(kernel: Kernel, path: string, words: readonly Uint8Array[], environment: readonly Uint8Array[]): number {
    const absolute = kernel.files.absolute(-100, path);
    if (typeof absolute === "number") return absolute;
    const trouble = executableTrouble(kernel, absolute);
    if (trouble !== 0) return trouble;
    const { host } = this;
    const program = installedProgram(absolute);
    if (program === null || host === null) {
      // The first process is what is tested: it cannot become what we know nothing of.
      if (this.isFirst) return kernel.deny("execve", ERRNO.EPERM);
      throw this.asForeign(kernel, absolute, words);
    }
    const table = this.table ?? new ProcessTable(kernel.processId, host.deadlineMs(), kernel.denied, kernel.account);
    // A program that becomes itself for ever.
    if (!table.hasRoom) return kernel.deny("execve", ERRNO.EAGAIN);
    kernel.files.closeOnExec();
    kernel.mappings.finish();
    const options: RunOptions = {
      ...kernel.options,
      ...{ arguments: words, environment, executable: absolute, stdin: new Uint8Array(0) },
      ...{ files: [], directories: [], missing: [], tree: [], objects: [] },
    };
    const life = ProcessLife.after(kernel, { program, options }, table);
    throw stopOf(table.within(() => host.start(program, withinTime(options, table), life)));
  }

  /** A program of which we have only the name: a few are simple enough; of the others nothing is known but that they end. */
  private asForeign(kernel: Kernel, path: string, words: readonly Uint8Array[]): RunStop {
    const known = wellKnownProgram(path);
    if (known === null) kernel.deny("execve");
    const code = known === null ? 0 : known(words, (bytes) => kernel.files.get(1)?.write(bytes));
    return new RunStop({ kind: "exit", code });
  }
}

const FORK = 57;
const EXECUTE = 1;

function withinTime(options: RunOptions, { deadlineMs }: ProcessTable): RunOptions {
  const milliseconds = Math.max(1, deadlineMs - performance.now());
  return { ...options, limits: { ...options.limits, milliseconds } };
}

function executableTrouble(kernel: Kernel, path: string): number {
  const status = kernel.files.disk.status(path, true);
  if (typeof status === "number") return status;
  if ((status.mode & TYPE.mask) !== TYPE.regular) return -ERRNO.EACCES;
  return kernel.files.disk.access(path, EXECUTE, true);
}

/** How a process ended; what ends a run but no process leaves as it is. */
function processEnd(end: RunEnd): ProcessEnd {
  const { reason } = stopOf(end);
  if (reason.kind === "exit" || reason.kind === "signal") return reason;
  throw new RunStop(reason);
}

function stopOf(end: RunEnd): RunStop {
  switch (end.kind) {
    case "exit":
    case "signal":
      return new RunStop(end);
    case "limit":
      return new RunStop({ kind: "limit", limit: end.limit });
    case "silent":
      return new RunStop({ kind: "silent", why: end.why });
    case "unsupported":
      return new RunStop({ kind: "unsupported", what: end.what, functionName: end.functionName });
    case "fault":
      if (end.fault.name === "abort") return new RunStop({ kind: "signal", signal: SIGNAL.SIGABRT });
      return new RunStop({
        kind: "unsupported",
        what: `a failure (${end.fault.name}) of a process that it started`,
        functionName: "",
      });
  }
}
