// A command that is stopped (SIGINT, then SIGKILL) when it and all that it started have used so much processor time, or when somebody has
// seen enough. Machines are shared: by the clock one tool would get more than another. Time is summed over the command's session and its
// descendants (AFL++ gives its fork server a session of its own), with the children that were waited for.

import { spawn } from "node:child_process";
import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";

export interface LimitedCommand {
  readonly command: readonly string[];
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly processorSeconds: number;
  /** By the clock, for what hangs. */
  readonly mostSeconds: number;
  /** Standard output and error go here. */
  readonly log: string;
  /** Looked at every second. */
  readonly enough: () => boolean;
}

export interface LimitedEnd {
  readonly status: number | null;
  readonly reason: "ended" | "processor-time" | "clock" | "enough";
  readonly processorSeconds: number;
  readonly wallSeconds: number;
  /** Processor seconds used after so many seconds by the clock. */
  processorSecondsAt(wallSeconds: number): number;
}

const TICKS_A_SECOND = 100;
const LOOK_MS = 500;
const GRACE_MS = 30_000;

export function runLimited(limited: LimitedCommand): Promise<LimitedEnd> {
  const log = openSync(limited.log, "w");
  const started = performance.now();
  const wall = (): number => (performance.now() - started) / 1000;
  const [program, ...words] = limited.command;
  const child = spawn(program, words, {
    cwd: limited.folder,
    env: limited.env,
    stdio: ["ignore", log, log],
    detached: true,
  });
  const samples: { wall: number; processor: number }[] = [{ wall: 0, processor: 0 }];
  let reason: LimitedEnd["reason"] = "ended";
  let askedAt = Number.POSITIVE_INFINITY;
  const signal = (name: NodeJS.Signals): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, name);
    } catch {
      // It has ended meanwhile.
    }
  };
  return new Promise((resolve) => {
    const look = setInterval(() => {
      const used = Math.max(samples[samples.length - 1].processor, treeSeconds(child.pid ?? 0));
      samples.push({ wall: wall(), processor: used });
      if (performance.now() > askedAt + GRACE_MS) signal("SIGKILL");
      if (askedAt !== Number.POSITIVE_INFINITY) return;
      const why =
        used >= limited.processorSeconds
          ? "processor-time"
          : wall() >= limited.mostSeconds
            ? "clock"
            : limited.enough()
              ? "enough"
              : null;
      if (why === null) return;
      reason = why;
      askedAt = performance.now();
      signal("SIGINT");
    }, LOOK_MS);
    const end = (status: number | null): void => {
      clearInterval(look);
      signal("SIGKILL");
      closeSync(log);
      const last = { wall: wall(), processor: samples[samples.length - 1].processor };
      resolve({
        status,
        reason,
        processorSeconds: last.processor,
        wallSeconds: last.wall,
        processorSecondsAt: (seconds) => between([...samples, last], seconds),
      });
    };
    // A program that cannot be started is both an error and, later, closed.
    let isStarted = true;
    child.on("error", () => {
      isStarted = false;
    });
    child.on("close", (status) => end(isStarted ? status : null));
  });
}

/** What lies between two samples is taken to be even. */
export function between(samples: readonly { wall: number; processor: number }[], seconds: number): number {
  const after = samples.findIndex(({ wall }) => wall >= seconds);
  if (after < 0) return samples[samples.length - 1]?.processor ?? 0;
  if (after === 0) return samples[0].processor;
  const [a, b] = [samples[after - 1], samples[after]];
  return a.processor + ((b.processor - a.processor) * (seconds - a.wall)) / Math.max(b.wall - a.wall, 1e-9);
}

function treeSeconds(root: number): number {
  const stats: string[] = [];
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      stats.push(readFileSync(`/proc/${name}/stat`, "utf8"));
    } catch {
      // It has ended meanwhile.
    }
  }
  return ticksOf(stats, root) / TICKS_A_SECOND;
}

/** user, system, and both of the children that were waited for, of the root, its session and all that descend from it. */
export function ticksOf(stats: readonly string[], root: number): number {
  const processes = stats.map((stat) => {
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { id: Number.parseInt(stat, 10), parent: Number(fields[1]), session: Number(fields[3]), ticks };
  });
  const parents = new Map(processes.map(({ id, parent }) => [id, parent]));
  const descends = (id: number): boolean => {
    for (let at: number | undefined = id, steps = 0; at !== undefined && steps < 1000; at = parents.get(at), steps++)
      if (at === root) return true;
    return false;
  };
  const own = processes.filter(({ id, session }) => session === root || descends(id));
  return own.reduce((sum, { ticks }) => sum + ticks, 0);
}
