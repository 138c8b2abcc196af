// For tests: a process behind walls that tries what it is told, and says what came of it.

import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { Worker } from "node:worker_threads";
import { listenForTasks, ownFolder, say, stopFileOf, stopPoll } from "./confined-side.js";

const ANSWER_BYTES = 100_000;
export type Attempt =
  | "environment"
  | "spawn"
  | "thread"
  | "code"
  | "processes"
  | "hang"
  | "until-stopped"
  | "deaf"
  | "nonsense"
  | "talk"
  | "memory"
  | { readonly read: string }
  | { readonly write: string }
  | { readonly connect: number };

function tried(attempt: Attempt): string {
  if (typeof attempt === "object") {
    if ("read" in attempt) return `${readFileSync(attempt.read).length} bytes`;
    if ("write" in attempt) return String(writeFileSync(attempt.write, "x") ?? "written");
    return "later";
  }
  const stopped = stopPoll();
  switch (attempt) {
    case "environment":
      return JSON.stringify(process.env);
    case "spawn": {
      const { error, status } = spawnSync("/bin/true");
      if (error !== undefined) throw error;
      return `status ${status}`;
    }
    case "thread":
      return String(new Worker("0", { eval: true }).threadId);
    case "code":
      return String(new Function("return 7")());
    case "processes":
      return readdirSync("/proc").join(" ");
    case "hang":
      for (;;);
    case "until-stopped":
      while (!stopped());
      return "stopped";
    case "deaf": {
      // Where somebody may write who asks it to stop, there is what cannot be written to.
      const own = ownFolder();
      for (const path of [join(own, "stop"), dirname(stopFileOf(own)), stopFileOf(own)]) {
        try {
          mkdirSync(path, { recursive: true });
        } catch {
          // It may not.
        }
      }
      for (;;);
    }
    case "nonsense":
      writeSync(1, Buffer.alloc(100, 0xff));
      return "";
    case "talk":
      for (;;) say(Buffer.alloc(ANSWER_BYTES));
    case "memory":
      // Asked for and not used: it is nobody's yet.
      return String(Array.from({ length: 20 }, () => new ArrayBuffer(2 ** 30)).length);
  }
}

function answer(text: string): void {
  say(Buffer.from(text));
}

listenForTasks(ANSWER_BYTES, (task) => {
  const attempt = JSON.parse(task.toString()) as Attempt;
  try {
    if (typeof attempt === "object" && "connect" in attempt) {
      const socket = connect(attempt.connect, "127.0.0.1");
      socket.on("connect", () => answer("connected"));
      socket.on("error", ({ code }: NodeJS.ErrnoException) => answer(`refused: ${code}`));
    } else answer(tried(attempt));
  } catch (error) {
    answer(`refused: ${(error as NodeJS.ErrnoException).code ?? (error as Error).name}`);
  }
});
