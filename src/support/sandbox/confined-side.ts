// The other side of confined-process.ts, behind the walls: reads tasks from standard input and says frames on standard output. There is one
// thread, which hears nothing while it works, so that it is asked to stop by a file. That lies beside its folder, where it can read and not
// write: whoever asks writes to no place that it has made.

import { existsSync, writeSync } from "node:fs";
import { join } from "node:path";
import { FrameReader, frame } from "./frames.js";

const ASKED = ".asked";
const STOP_FILE = "stop";
/** Whoever works asks thousands of times a second whether it is to stop. */
const LOOK_MS = 50;
const OUTPUT = 1;

/** Beside the folder that it may write to. */
export function stopFileOf(folder: string): string {
  return join(`${folder}${ASKED}`, STOP_FILE);
}

/** The folder it may write to: what it was started with. */
export function ownFolder(): string {
  return process.argv[2];
}

export function listenForTasks(mostBytes: number, listen: (task: Buffer) => void): void {
  const reader = new FrameReader(mostBytes);
  process.stdin.on("data", (data: Buffer) => {
    for (const task of reader.push(data)) listen(task);
  });
  // Whoever started it is gone.
  process.stdin.on("end", () => process.exit(0));
}

/** Waits until it was taken. */
export function say(bytes: Uint8Array): void {
  const whole = frame(bytes);
  for (let at = 0; at < whole.length; ) at += writeSync(OUTPUT, whole, at);
}

export function stopPoll(): () => boolean {
  const path = stopFileOf(ownFolder());
  let nextMs = 0;
  let isStopped = false;
  return () => {
    const now = performance.now();
    if (now >= nextMs) {
      nextMs = now + LOOK_MS;
      isStopped = existsSync(path);
    }
    return isStopped;
  };
}
