// Native z3 as a judge: one process for many questions, each after a (reset), since starting one takes longer than most
// answers. What it cannot answer in its time is undecided, never a verdict.

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { type SmtScript, smtByteName } from "../../src/expr/smt.js";

export type Judgement =
  | { readonly kind: "sat"; readonly model: Uint8Array }
  | { readonly kind: "unsat" }
  | { readonly kind: "undecided"; readonly why: string };

const END = "answer-ends-here";
/** z3 looks at its own clock now and then only. */
const PATIENCE_MS = 5000;

export class Z3Process {
  private child: ChildProcessWithoutNullStreams | null = null;
  private text = "";
  private waiting: ((answer: string) => void) | null = null;

  constructor(private readonly timeoutMs: number) {}

  async judge(script: SmtScript): Promise<Judgement> {
    const asked = `(reset)\n(set-option :timeout ${this.timeoutMs})\n(set-option :model.completion true)\n${script.text}`;
    const answer = await this.send(`${asked}(check-sat)\n`);
    if (answer === "unsat") return { kind: "unsat" };
    if (answer !== "sat") return { kind: "undecided", why: answer };
    const model = new Uint8Array(Math.max(0, ...script.bytes) + 1);
    if (script.bytes.length === 0) return { kind: "sat", model };
    const values = await this.send(`(get-value (${script.bytes.map(smtByteName).join(" ")}))\n`);
    for (const [, index, value] of values.matchAll(/\(b(\d+) #x([0-9a-f]{2})\)/g)) {
      model[Number(index)] = Number.parseInt(value, 16);
    }
    return { kind: "sat", model };
  }

  close(): void {
    this.child?.kill("SIGKILL");
    this.child = null;
  }

  /** What it prints in answer, without the last newline. */
  private send(commands: string): Promise<string> {
    this.child ??= this.start();
    const { child } = this;
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.giveUp(), this.timeoutMs + PATIENCE_MS);
      this.waiting = (answer) => {
        clearTimeout(timer);
        this.waiting = null;
        resolve(answer);
      };
      child.stdin.write(`${commands}(echo "${END}")\n`);
    });
  }

  private giveUp(): void {
    this.close();
    this.text = "";
    this.waiting?.("timeout");
  }

  private start(): ChildProcessWithoutNullStreams {
    const child = spawn("z3", ["-in", "-smt2"], { stdio: ["pipe", "pipe", "pipe"] });
    // A process that was given up may still say something.
    const isCurrent = (): boolean => this.child === child;
    child.on("error", (error) => isCurrent() && this.waiting?.(`z3 cannot be started: ${error.message}`));
    child.on("close", () => {
      if (!isCurrent()) return;
      this.child = null;
      this.text = "";
      this.waiting?.("z3 ended by itself");
    });
    child.stdin.on("error", () => {});
    child.stdout.setEncoding("latin1").on("data", (chunk: string) => {
      if (!isCurrent()) return;
      this.text += chunk;
      const end = this.text.indexOf(END);
      if (end < 0) return;
      const answer = this.text.slice(0, end).trim();
      this.text = this.text.slice(end + END.length).trimStart();
      this.waiting?.(answer);
    });
    return child;
  }
}
