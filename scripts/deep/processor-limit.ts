// A command that is stopped (SIGINT, then SIGKILL) when it and all that it started have used so much processor time, or when somebody has
// seen enough. Machines are shared: by the clock one tool would get more than another. Time is summed over the command's session
// as the kernel tells it, with the children that were waited for; a child that leaves the session is not counted.

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
      const used = Math.max(samples[samples.length - 1].processor, sessionSeconds(child.pid ?? 0));
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
    child.on("error", () => end(null));
    child.on("close", end);
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

function sessionSeconds(session: number): number {
  let ticks = 0;
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    let text: string;
    try {
      text = readFileSync(`/proc/${name}/stat`, "utf8");
    } catch {
      continue;
    }
    ticks += ticksIn(text, session);
  }
  return ticks / TICKS_A_SECOND;
}

/** user, system, and both of the children that were waited for; 0 for a process of another session. */
export function ticksIn(stat: string, session: number): number {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (Number(fields[3]) !== session) return 0;
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
}
