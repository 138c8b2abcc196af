// `tangent record`: stand-ins are put in the programs' places, the user's command runs as ever, the programs come back, and
// what was recorded becomes seeds, most of it while the command still runs. The analysis comes later, on the seeds, so that no test is ever slowed down by it.

import type { StdioOptions } from "node:child_process";
import { existsSync } from "node:fs";
import { startChild } from "../support/child-process.js";
import { lostCount, prepareLostCount, recordFolders } from "./collect-records.js";
import { LinkDesk } from "./link-desk.js";
import { noteSeeds } from "./made-here.js";
import { signalTree } from "./process-tree.js";
import { programContent } from "./program-content.js";
import type { ProjectFolder } from "./project-folder.js";
import { type Collected, RecordCollector } from "./record-collector.js";
import { beginJournal, isStandIn, restorePrograms } from "./restore-programs.js";
import { StandIns } from "./stand-ins.js";
import { forgetVanishedProjects, type ProjectState } from "./state-folder.js";

export interface RecordOptions {
  readonly programs: readonly string[];
  /** Where libraries are that stand for the system's. */
  readonly libraryFolders: readonly string[];
  readonly command: readonly string[];
  readonly workingDirectory: string;
  readonly env: NodeJS.ProcessEnv;
  readonly recorder: Buffer;
  /** Whether a program that the command links is to be recorded from then on. */
  readonly isWanted: (program: string) => boolean;
  /** A command that runs longer is stopped. */
  readonly timeMs: number;
  /**
   * Where what it prints goes: standard output to standard error, if that is for something else; or all of it to an open file, by its
   * descriptor.
   */
  readonly stdout: "inherit" | "stderr" | number;
}

export interface RecordResult extends Collected {
  /** Of the command; null if it could not be started. */
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly problem: string | null;
  /** Somebody pressed Ctrl-C, or wants us to end in another way. */
  readonly interruptedBy: NodeJS.Signals | null;
  /** It did not end in its time. */
  readonly timedOut: boolean;
  /** Invocations that could not be recorded, for want of room on the disk most likely. */
  readonly lost: number;
  /** Programs that the command linked, and that were recorded from then on. */
  readonly linked: readonly string[];
  /** Programs that the command built anew otherwise, over their stand-ins: from then on nothing of them was recorded. */
  readonly rebuilt: readonly string[];
  /** What was not as ever while the tests ran, and programs that could not be put back. */
  readonly notes: readonly string[];
}

type Ended = Pick<RecordResult, "status" | "signal" | "problem" | "interruptedBy" | "timedOut">;

/** A tracer that outlives its program has a moment to write the end. */
const SETTLE_MS = 2000;
/** Between asking a command to end and ending it. */
const GRACE_MS = 5000;
/** How often records are made seeds while the command runs, and how long at a time: signals must be passed on meanwhile. */
const COLLECT_EVERY_MS = 500;
const COLLECT_MS = 200;
/** What a timer can wait for. */
const LONGEST_MS = 0x7fff_ffff;

export async function record(
  folder: ProjectFolder,
  state: ProjectState,
  options: RecordOptions,
): Promise<RecordResult> {
  const before = restorePrograms(state);
  forgetVanishedProjects(options.env);
  // The whole environment of each invocation is in there until it is collected, so it is not for the project's folder.
  const store = state.directory("records");
  prepareLostCount(store);
  const standIns = new StandIns(state, options.recorder, store);
  const notes = [...before.problems];
  const restore = (): void => {
    notes.push(...restorePrograms(state).problems);
  };
  // From now on: a signal between the first stand-in and the command would leave it in place.
  const signals = new SignalHandling();
  process.once("exit", restore);
  const collector = new RecordCollector(folder, store, standIns, state, options.env.TMPDIR ?? "");
  let timer: NodeJS.Timeout | undefined;
  let ended: Ended;
  let rebuilt: readonly string[] = [];
  const desk = new LinkDesk((program) => {
    if (isBuiltByTests(program) && options.isWanted(program)) {
      const made = programContent(program, options.libraryFolders);
      if (made === null) return false;
      standIns.install(program, made);
      return true;
    }
    return false;
  });
  try {
    beginJournal(state);
    // All of them before the first is replaced: a stand-in says nothing of what the program needs.
    const made = options.programs.map((program) => programContent(program, options.libraryFolders));
    for (const [index, program] of options.programs.entries()) {
      standIns.install(program, made[index] ?? { content: "", libraries: [] });
    }
    timer = setInterval(() => collector.collectSome(COLLECT_MS), COLLECT_EVERY_MS);
    const env = { ...options.env, ...(await desk.open(state)) };
    ended = await runCommand({ ...options, env }, signals);
    rebuilt = [...new Set([...options.programs, ...desk.linked])].filter(isBuiltByTests);
  } finally {
    clearInterval(timer);
    desk.close();
    restore();
    process.off("exit", restore);
    signals.end();
  }
  notes.push(...standIns.notes, ...desk.problems);
  await settle(store);
  const collected = collector.collectAll();
  noteSeeds(state, collected.seedIds);
  return { ...ended, ...collected, lost: lostCount(store), linked: desk.linked, rebuilt, notes };
}

function isBuiltByTests(program: string): boolean {
  try {
    return existsSync(program) && !isStandIn(program);
  } catch {
    return false;
  }
}

/** The signals that would end us, held until there is somebody to pass them on to. */
class SignalHandling {
  private readonly early: NodeJS.Signals[] = [];
  private take: ((signal: NodeJS.Signals) => void) | null = null;
  private readonly listener = (signal: NodeJS.Signals): void => {
    if (this.take === null) this.early.push(signal);
    else this.take(signal);
  };

  constructor() {
    for (const signal of ENDING) process.on(signal, this.listener);
  }
  to(take: (signal: NodeJS.Signals) => void): void {
    this.take = take;
    for (const signal of this.early.splice(0)) take(signal);
  }
  end(): void {
    for (const signal of ENDING) process.off(signal, this.listener);
  }
}

/** SIGHUP: the terminal is closed, or the connection lost. */
const ENDING = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;

function runCommand(options: RecordOptions, signals: SignalHandling): Promise<Ended> {
  const [program, ...rest] = options.command;
  return new Promise((resolve) => {
    const { stdout } = options;
    const stdio: StdioOptions = ["inherit", stdout === "stderr" ? 2 : stdout, isFile(stdout) ? stdout : "inherit"];
    const child = startChild(program, rest, { cwd: options.workingDirectory, env: options.env, stdio });
    let interrupts = 0;
    let interruptedBy: NodeJS.Signals | null = null;
    // The terminal sends the first to the command as well; whoever dies of it, the programs must come back. A suite that
    // does not end of it is asked again, harder each time.
    const send = (signal: NodeJS.Signals): void => {
      if (child.pid !== undefined) signalTree(child.pid, signal);
    };
    const onInterrupt = (): void => {
      const signal = (["SIGINT", "SIGTERM", "SIGKILL"] as const)[Math.min(interrupts++, 2)];
      if (signal !== "SIGINT" || process.stdin.isTTY !== true) send(signal);
    };
    let timedOut = false;
    const stop = (): void => {
      timedOut = true;
      send("SIGTERM");
      timer = setTimeout(() => send("SIGKILL"), GRACE_MS);
    };
    let timer = options.timeMs > LONGEST_MS ? undefined : setTimeout(stop, options.timeMs);
    signals.to((signal) => {
      interruptedBy ??= signal;
      if (signal === "SIGINT") onInterrupt();
      // Whoever sends this one sends it to us alone; the others come from a terminal, to all of them.
      else if (signal === "SIGTERM") send(signal);
      else child.kill(signal);
    });
    const done = (result: Omit<Ended, "interruptedBy" | "timedOut">): void => {
      clearTimeout(timer);
      resolve({ ...result, interruptedBy, timedOut });
    };
    child.once("error", (error) => done({ status: null, signal: null, problem: `${program}: ${error.message}` }));
    child.once("close", (status, signal) => done({ status, signal, problem: null }));
  });
}

function isFile(stdout: RecordOptions["stdout"]): stdout is number {
  return typeof stdout === "number";
}

async function settle(store: string): Promise<void> {
  const deadline = Date.now() + SETTLE_MS;
  while (Date.now() < deadline && recordFolders(store).some((folder) => folder.endsWith(".part"))) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
