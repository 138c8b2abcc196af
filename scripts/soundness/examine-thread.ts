// Examines programs in a thread, one at a time. What kills the thread is a report too, and the next program gets a new one.

import { Worker } from "node:worker_threads";
import { NOTHING_EXAMINED, type Report, type Subject } from "./subject.js";

/** As jobs/explore-thread.ts. */
const STACK_MB = 512;
/** A program that takes longer than this is a hang of ours. */
const EXAMINATION_MS = 600_000;

export class ExamineThread {
  private worker: Worker | null = null;

  examine(subject: Subject): Promise<Report> {
    this.worker ??= new Worker(new URL("./examine-worker.js", import.meta.url), {
      resourceLimits: { stackSizeMb: STACK_MB },
    });
    const { worker } = this;
    const { group, name } = subject;
    return new Promise<Report>((resolve) => {
      const ended = (report: Report): void => {
        clearTimeout(timer);
        for (const event of ["message", "error", "exit"]) worker.removeAllListeners(event);
        resolve(report);
      };
      const failed = (why: string): void => {
        this.close();
        ended({ ...NOTHING_EXAMINED, group, name, wrong: [why] });
      };
      const timer = setTimeout(() => failed(`not examined after ${EXAMINATION_MS / 1000} s`), EXAMINATION_MS);
      worker.once("message", ended);
      worker.once("error", (error) => failed(`thrown: ${error.stack ?? error.message}`));
      worker.once("exit", (code) => failed(`the thread ended by itself with code ${code}`));
      worker.postMessage(subject);
    });
  }

  close(): void {
    void this.worker?.terminate();
    this.worker = null;
  }
}
