// Runs requests in a few VM processes. A process that dies or does not answer in time is replaced and its program counted
// as a crash; every process is retired after a number of programs, so that leaked memories cannot pile up.

import { type ChildProcess, fork } from "node:child_process";
import type { VmReply, VmRequest } from "./protocol.js";

/** Each run reserves gigabytes of address space until its memory is collected. */
const PROGRAMS_PER_PROCESS = 60;
/** Loading and translating on top of the run's own limit. */
const GRACE_MS = 60_000;

interface Job {
  readonly request: VmRequest;
  readonly resolve: (reply: VmReply) => void;
}

export class VmPool {
  private readonly waiting: Job[] = [];
  private readonly idle: Service[] = [];
  private running = 0;
  private closed = false;

  constructor(private readonly size: number) {}

  run(request: VmRequest): Promise<VmReply> {
    return new Promise((resolve) => {
      this.waiting.push({ request, resolve });
      this.startNext();
    });
  }

  /** Ends the processes once all requests have been answered. */
  close(): void {
    this.closed = true;
    for (const service of this.idle.splice(0)) service.end();
  }

  private startNext(): void {
    if (this.running >= this.size) return;
    const job = this.waiting.shift();
    if (job === undefined) return;
    this.running++;
    const service = this.idle.pop() ?? new Service();
    service.ask(job.request).then((reply) => {
      this.running--;
      if (service.usable && !this.closed) this.idle.push(service);
      else service.end();
      job.resolve(reply);
      this.startNext();
    });
  }
}

class Service {
  private readonly process: ChildProcess;
  private served = 0;
  private alive = true;

  constructor() {
    this.process = fork(new URL("./service.js", import.meta.url), [], {
      serialization: "advanced",
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
  }

  get usable(): boolean {
    return this.alive && this.served < PROGRAMS_PER_PROCESS;
  }

  ask(request: VmRequest): Promise<VmReply> {
    this.served++;
    return new Promise((resolve) => {
      let complaint = "";
      const finish = (reply: VmReply): void => {
        clearTimeout(timer);
        this.process.removeAllListeners();
        this.process.stderr?.removeAllListeners();
        resolve(reply);
      };
      const crash = (message: string): void => {
        this.alive = false;
        this.process.kill("SIGKILL");
        finish(crashed(`${message}${complaint === "" ? "" : `: ${complaint.slice(-2000)}`}`));
      };
      const timer = setTimeout(() => crash("no answer"), request.timeLimitMs + GRACE_MS);
      this.process.stderr?.on("data", (text) => {
        complaint += text;
      });
      this.process.on("exit", (code, signal) => crash(`the VM's process ended (${signal ?? code})`));
      this.process.on("message", (message: VmReply) => finish(message));
      this.process.send(request);
    });
  }

  end(): void {
    this.alive = false;
    if (this.process.connected) this.process.disconnect();
  }
}

function crashed(message: string): VmReply {
  return {
    end: { kind: "crash", message },
    findings: [],
    stdout: "",
    stderr: "",
    loadMs: 0,
    translateMs: 0,
    runMs: 0,
    cpuMs: 0,
    instructions: 0,
  };
}
