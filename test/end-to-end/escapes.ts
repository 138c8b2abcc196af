// Programs that try to outlive the limit they were given (test/programs/escapes), each under a command that has one. What is
// measured is how long the command took beyond what it was given, from its start: translating and starting Node are in it.

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../../..");
const LAUNCHER = join(ROOT, "bin/tangent");
const PROGRAMS = join(ROOT, "test/programs/escapes");
/** All of them read that much, if they read. */
const INPUT = "a".repeat(40);

const GAUGE_MS = 20;

/** The first build of all also builds the C library. */
const PREPARING_MS = 600_000;

export const ESCAPE_COMMANDS = ["run", "explore", "amplify"] as const;
export type EscapeCommand = (typeof ESCAPE_COMMANDS)[number];
/** What a run's program may have, and an exploration's process. */
export const LIMITS_MB: Readonly<Partial<Record<EscapeCommand, number>>> = { run: 256, explore: 500 };
export const LIMITS_MS: Readonly<Record<EscapeCommand, number>> = { run: 2000, explore: 4000, amplify: 6000 };

/** Of a process, in megabytes; 0 if it is gone. */
export function peakOf(pid: number): number {
  try {
    return Number(/^VmHWM:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

export interface Escape {
  /** As a shell shows it; null if we had to kill it. */
  readonly status: number | null;
  readonly tookMs: number;
  /** Of the process's memory, as the system counts it. */
  readonly peakMb: number;
  readonly output: string;
}

export function escapeNames(): string[] {
  return readdirSync(PROGRAMS)
    .map((name) => basename(name, ".c"))
    .sort();
}

/** A folder with the program, built, and for amplify one recorded test of it. */
export class EscapeAttempt {
  private readonly folder = mkdtempSync(join(tmpdir(), "tangent-escape-"));

  constructor(
    readonly name: string,
    private readonly killAfterMs: number,
    /** Of a program that is not among these. */
    source = readFileSync(join(PROGRAMS, `${name}.c`), "utf8"),
  ) {
    mkdirSync(this.folder, { recursive: true });
    writeFileSync(join(this.folder, "escape.c"), source);
  }

  async build(): Promise<Escape> {
    const built = await this.tangent(["cc", "-g", "-O1", "-o", "escape", "escape.c"], PREPARING_MS);
    if (built.status !== 0) throw new Error(`${this.name} cannot be built: ${built.output}`);
    return built;
  }

  /** A native run would not end either: its recording is cut short. */
  async record(): Promise<Escape> {
    writeFileSync(join(this.folder, "test.sh"), `printf ${INPUT} | timeout -s KILL 1 ./escape > /dev/null || true\n`);
    return this.tangent(["record", "sh", "test.sh"], PREPARING_MS);
  }

  /** Gives it as much time as this machine needs to translate it, so that the cache has it. */
  async translate(command: EscapeCommand): Promise<void> {
    for (let limitMs = LIMITS_MS[command]; limitMs < this.killAfterMs; limitMs *= 2) {
      const { output } = await this.attempt(command, limitMs);
      if (!output.includes("not translated yet")) return;
    }
  }

  attempt(command: EscapeCommand, limitMs: number): Promise<Escape> {
    const seconds = limitMs / 1000;
    switch (command) {
      case "run":
        return this.tangent(["run", "--timeout", `${seconds}`, "--memory", `${LIMITS_MB.run}`, "./escape"]);
      case "explore":
        rmSync(join(this.folder, "out"), { recursive: true, force: true });
        return this.tangent([
          "explore",
          "-q",
          "--max-time",
          `${seconds}s`,
          "--max-memory",
          `${LIMITS_MB.explore}`,
          "-o",
          "out",
          "--sym-stdin",
          "40",
          "./escape",
        ]);
      case "amplify":
        return this.tangent(["amplify", "-q", "--again", "--distance", "1", "--time", `${seconds}s`]);
    }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private tangent(words: readonly string[], killAfterMs = this.killAfterMs): Promise<Escape> {
    const startedMs = performance.now();
    return new Promise((done) => {
      const child = spawn("sh", [LAUNCHER, ...words], { cwd: this.folder, stdio: ["pipe", "pipe", "pipe"] });
      const parts: string[] = [];
      let length = 0;
      const keep = (part: Buffer): void => {
        length += part.length;
        if (length < 1 << 20) parts.push(part.toString("latin1"));
      };
      child.stdout.on("data", keep);
      child.stderr.on("data", keep);
      // Who does not read it closes it.
      child.stdin.on("error", () => {});
      child.stdin.end(INPUT);
      const timer = setTimeout(() => child.kill("SIGKILL"), killAfterMs);
      let peakMb = 0;
      const gauge = setInterval(() => {
        peakMb = Math.max(peakMb, peakOf(child.pid ?? 0));
      }, GAUGE_MS);
      child.on("close", (code, signal) => {
        clearTimeout(timer);
        clearInterval(gauge);
        const status = signal === null ? code : null;
        done({ status, tookMs: performance.now() - startedMs, peakMb, output: parts.join("") });
      });
    });
  }
}
