// A process behind walls (confinement.ts) that does one task after the other and is believed nothing: it says frames of bytes, each with its
// length before it, of which whoever listens makes what they can. It is killed when a task takes too long, when it says too much or what is
// no frame, and when it is not needed any more; nobody waits for it.

import type { ChildProcess } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { startChild } from "../child-process.js";
import { PRIVATE_FOLDER } from "../private-modes.js";
import { stopFileOf } from "./confined-side.js";
import { confined, type Place, startEnvironment, type WallName } from "./confinement.js";
import { FrameReader, frame } from "./frames.js";

export type ConfinedEnd =
  | { readonly kind: "done" }
  | { readonly kind: "died"; readonly message: string }
  | { readonly kind: "overdue" };

/** Of what it says for one task, in all. */
const MOST_SAID_BYTES = 0x1000_0000;
const LAST_WORDS = 2000;
/** Timers know no longer ones. */
const LONGEST_MS = 2 ** 31 - 1;

interface Watch {
  readonly listen: (said: Buffer) => boolean;
  readonly end: (end: ConfinedEnd) => void;
  timer: NodeJS.Timeout;
  said: number;
}

export class ConfinedProcess {
  private child: ChildProcess | null;
  private watch: Watch | null = null;
  private readonly frames: FrameReader;
  private words = "";

  constructor(
    private readonly place: Place,
    walls: readonly WallName[],
    mostFrameBytes: number,
  ) {
    this.frames = new FrameReader(mostFrameBytes);
    const asked = dirname(this.stopFile);
    for (const folder of [place.writes, asked]) mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
    const { file, args } = confined({ ...place, reads: [...place.reads, asked] }, walls);
    const child = startChild(file, args, { env: startEnvironment(process.env), stdio: ["pipe", "pipe", "pipe"] });
    this.child = child;
    child.stdout?.on("data", (data: Buffer) => this.take(data));
    child.stderr?.on("data", (data: Buffer) => {
      this.words = (this.words + data.toString()).slice(-LAST_WORDS);
    });
    // It may be gone before it was told all.
    child.stdin?.on("error", () => {});
    child.once("error", (error) => this.died(error.message));
    child.once("close", (code, signal) =>
      this.died(`it ended with ${signal ?? `status ${code}`}: ${this.words.trim()}`),
    );
  }

  get isAlive(): boolean {
    return this.child !== null;
  }

  /** `listen` says true to the task's last frame. */
  run(
    task: Uint8Array,
    { timeMs, graceMs }: { readonly timeMs: number; readonly graceMs: number },
    listen: (said: Buffer) => boolean,
  ): Promise<ConfinedEnd> {
    const { child } = this;
    if (child === null) return Promise.resolve({ kind: "died", message: this.words });
    rmSync(this.stopFile, { force: true });
    return new Promise((end) => {
      const timer = setTimeout(() => this.stop(graceMs), Math.min(Math.ceil(timeMs), LONGEST_MS));
      this.watch = { listen, end, timer, said: 0 };
      child.stdin?.write(frame(task));
    });
  }

  /** Asks the task under way to stop; after its grace the process is killed. */
  stop(graceMs: number): void {
    const { watch } = this;
    if (watch === null || this.child === null) return;
    clearTimeout(watch.timer);
    writeFileSync(this.stopFile, "");
    watch.timer = setTimeout(() => this.discard(), graceMs);
  }

  /** A task under way is overdue. */
  discard(): void {
    this.kill();
    this.ended({ kind: "overdue" });
  }

  private get stopFile(): string {
    return stopFileOf(this.place.writes);
  }

  private kill(): void {
    const { child } = this;
    this.child = null;
    child?.removeAllListeners("close");
    child?.stdout?.destroy();
    child?.stderr?.destroy();
    child?.kill("SIGKILL");
    rmSync(dirname(this.stopFile), { recursive: true, force: true });
  }

  private died(message: string): void {
    if (this.child === null) return;
    this.kill();
    this.words = message;
    this.ended({ kind: "died", message });
  }

  private ended(end: ConfinedEnd): void {
    const { watch } = this;
    this.watch = null;
    if (watch === null) return;
    clearTimeout(watch.timer);
    watch.end(end);
  }

  private take(data: Buffer): void {
    try {
      for (const one of this.frames.push(data)) if (this.child !== null) this.hear(one);
    } catch (error) {
      this.died(`it said what is none: ${(error as Error).message}`);
    }
  }

  private hear(said: Buffer): void {
    const { watch } = this;
    if (watch === null) {
      this.died("it said something when nobody had asked");
      return;
    }
    watch.said += said.length;
    if (watch.said > MOST_SAID_BYTES) this.died("it said too much");
    else if (watch.listen(said)) this.ended({ kind: "done" });
  }
}
