// Many small explorations in a few processes, one after the other in each: the command `tangent explore` as the command line calls it, and every
// exploration in a new thread, but Node is started and the translator warmed up once. A process that dies or is overdue takes only its
// own exploration along. What a limit of memory concerns is given a process of its own, because others would count too.

import { type ChildProcess, fork } from "node:child_process";
import {
  type CommandRunner,
  type EndedCommand,
  type ExploreReply,
  type ExploreRequest,
  explore,
} from "./explore-fixture.js";

export interface BatchRequest {
  readonly words: readonly string[];
  readonly directory: string;
}

/** Memory that is not given back must not pile up. */
const EXPLORATIONS_PER_PROCESS = 40;

/** What both streams end with when the command is done; printed text and JSON have no such character. */
export function endMark(status: number): string {
  return `\0${status}\n`;
}
const END_MARK = /\0(\d+)\n$/;

export class ExploreBatch {
  private readonly idle: ExploreProcess[] = [];

  explore(request: ExploreRequest): Promise<ExploreReply> {
    if (request.options.includes("--max-memory")) return explore(request);
    return explore(request, this.run);
  }

  /** When everything was answered. */
  close(): void {
    for (const process of this.idle.splice(0)) process.end();
  }

  /** As many processes as callers that wait at the same time. */
  private readonly run: CommandRunner = async (words, directory, timeLimitMs) => {
    const process = this.idle.pop() ?? new ExploreProcess();
    const ended = await process.ask({ words, directory }, timeLimitMs);
    if (process.isUsable) this.idle.push(process);
    else process.end();
    return ended;
  };
}

class ExploreProcess {
  private readonly child: ChildProcess;
  private served = 0;
  private isAlive = true;

  constructor() {
    this.child = fork(new URL("./explore-batch-service.js", import.meta.url), [], {
      env: { ...process.env, LC_ALL: "C" },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
  }

  get isUsable(): boolean {
    return this.isAlive && this.served < EXPLORATIONS_PER_PROCESS;
  }

  ask(request: BatchRequest, timeLimitMs: number): Promise<EndedCommand> {
    this.served++;
    const { child } = this;
    const printed = { stdout: "", stderr: "" };
    return new Promise((resolve) => {
      const finish = (status: number | null, signal: NodeJS.Signals | null): void => {
        clearTimeout(timer);
        for (const emitter of [child, child.stdout, child.stderr]) emitter?.removeAllListeners();
        resolve({
          stdout: printed.stdout.replace(END_MARK, ""),
          stderr: printed.stderr.replace(END_MARK, ""),
          status,
          signal,
        });
      };
      const timer = setTimeout(() => child.kill("SIGKILL"), timeLimitMs);
      for (const name of ["stdout", "stderr"] as const) {
        child[name]?.setEncoding("utf8").on("data", (text: string) => {
          printed[name] += text;
          const mark = END_MARK.exec(printed.stdout);
          if (mark !== null && END_MARK.test(printed.stderr)) finish(Number(mark[1]), null);
        });
      }
      child.on("close", (status, signal) => {
        this.isAlive = false;
        finish(status, signal);
      });
      child.send(request);
    });
  }

  end(): void {
    this.isAlive = false;
    if (this.child.connected) this.child.disconnect();
  }
}
