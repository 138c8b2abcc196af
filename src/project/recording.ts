// `tangent record`: stand-ins are put in the programs' places, the user's command runs as ever, the programs come back, and
// what was recorded becomes seeds. The analysis comes later, on the seeds, so that no test is ever slowed down by it.

import { spawn } from "node:child_process";
import { BlobStore } from "./blob-store.js";
import { collectRecord, lostCount, prepareLostCount, recordFolders, removeRecord } from "./collect-records.js";
import { signalTree } from "./process-tree.js";
import type { ProjectFolder } from "./project-folder.js";
import { SeedStore } from "./seed-store.js";
import { restorePrograms, StandIns } from "./stand-ins.js";

export interface RecordOptions {
  readonly programs: readonly string[];
  readonly command: readonly string[];
  readonly workingDirectory: string;
  readonly env: NodeJS.ProcessEnv;
  readonly recorder: Buffer;
  /** A command that runs longer is stopped. */
  readonly timeMs: number;
}

export interface RecordResult {
  /** Of the command; null if it could not be started. */
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly problem: string | null;
  /** Somebody pressed Ctrl-C. */
  readonly interrupted: boolean;
  /** It did not end in its time. */
  readonly timedOut: boolean;
  readonly invocations: number;
  readonly newSeeds: number;
  readonly seeds: number;
  readonly seedIds: ReadonlySet<string>;
  /** Invocations whose files and pipes could not be observed. */
  readonly untraced: number;
  /** Invocations that could not be recorded, for want of room on the disk most likely. */
  readonly lost: number;
  /** Recorded, but not stored; they stay for the next recording. */
  readonly unstored: number;
  readonly storeFailure: string | null;
}

type Ended = Pick<RecordResult, "status" | "signal" | "problem" | "interrupted" | "timedOut">;

/** A tracer that outlives its program has a moment to write the end. */
const SETTLE_MS = 2000;
/** Between asking a command to end and ending it. */
const GRACE_MS = 5000;
/** What a timer can wait for. */
const LONGEST_MS = 0x7fff_ffff;

export async function record(folder: ProjectFolder, options: RecordOptions): Promise<RecordResult> {
  restorePrograms(folder);
  const store = folder.directory("records");
  prepareLostCount(store);
  const standIns = new StandIns(folder, options.recorder, store);
  const restore = (): void => {
    restorePrograms(folder);
  };
  process.once("exit", restore);
  let ended: Ended;
  try {
    for (const program of options.programs) standIns.install(program);
    ended = await runCommand(options);
  } finally {
    restore();
    process.off("exit", restore);
  }
  await settle(store);
  return { ...ended, ...collect(folder, store, standIns), lost: lostCount(store) };
}

function runCommand(options: RecordOptions): Promise<Ended> {
  const [program, ...rest] = options.command;
  return new Promise((resolve) => {
    const child = spawn(program, rest, { cwd: options.workingDirectory, env: options.env, stdio: "inherit" });
    let interrupts = 0;
    // The terminal sends the first to the command as well; whoever dies of it, the programs must come back. A suite that
    // does not end of it is asked again, harder each time.
    const send = (signal: NodeJS.Signals): void => {
      if (child.pid !== undefined) signalTree(child.pid, signal);
    };
    const onInterrupt = (): void => {
      const signal = (["SIGINT", "SIGTERM", "SIGKILL"] as const)[Math.min(interrupts++, 2)];
      if (signal !== "SIGINT" || process.stdin.isTTY !== true) send(signal);
    };
    const forward = (signal: NodeJS.Signals): void => {
      child.kill(signal);
    };
    let timedOut = false;
    const stop = (): void => {
      timedOut = true;
      send("SIGTERM");
      timer = setTimeout(() => send("SIGKILL"), GRACE_MS);
    };
    let timer = options.timeMs > LONGEST_MS ? undefined : setTimeout(stop, options.timeMs);
    process.on("SIGINT", onInterrupt);
    process.on("SIGTERM", forward);
    const done = (result: Omit<Ended, "interrupted" | "timedOut">): void => {
      clearTimeout(timer);
      process.off("SIGINT", onInterrupt);
      process.off("SIGTERM", forward);
      resolve({ ...result, interrupted: interrupts > 0, timedOut });
    };
    child.once("error", (error) => done({ status: null, signal: null, problem: `${program}: ${error.message}` }));
    child.once("close", (status, signal) => done({ status, signal, problem: null }));
  });
}

async function settle(store: string): Promise<void> {
  const deadline = Date.now() + SETTLE_MS;
  while (Date.now() < deadline && recordFolders(store).some((folder) => folder.endsWith(".part"))) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

type Collected = Pick<
  RecordResult,
  "invocations" | "newSeeds" | "seeds" | "seedIds" | "untraced" | "unstored" | "storeFailure"
>;

function collect(folder: ProjectFolder, store: string, standIns: StandIns): Collected {
  const blobs = new BlobStore(folder);
  const seeds = new SeedStore(folder);
  let invocations = 0;
  let newSeeds = 0;
  let untraced = 0;
  let storeFailure: string | null = null;
  const met = new Set<string>();
  const take = (path: string): boolean => {
    try {
      const collected = collectRecord(path, standIns.programs, blobs);
      if (collected !== null) {
        if (seeds.add(collected.seed)) newSeeds++;
        invocations++;
        met.add(collected.seed.id);
        if (collected.untraced) untraced++;
      }
    } catch (error) {
      // A full disk: the record stays.
      if (!(error instanceof Error) || !("syscall" in error)) throw error;
      storeFailure = error.message;
      return false;
    }
    removeRecord(path);
    return true;
  };
  const left = recordFolders(store).filter((path) => !take(path));
  // Those that were stored have made room.
  const unstored = left.filter((path) => !take(path)).length;
  return { invocations, newSeeds, seeds: met.size, seedIds: met, untraced, unstored, storeFailure };
}
