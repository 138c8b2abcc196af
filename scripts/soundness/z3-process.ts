// Native z3 as a judge: one process for many questions, each between a push and a pop: a new process, or a (reset), takes
// forty times longer than most answers. What it cannot answer in its time is undecided, never a verdict.

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { type SmtScript, smtByteName } from "../../src/expr/smt.js";

export type Judgement =
  | { readonly kind: "sat"; readonly model: Uint8Array }
  | { readonly kind: "unsat" }
  | { readonly kind: "undecided"; readonly why: string };

const END = "answer-ends-here";
const LAST = "all-is-answered";
/** z3 looks at its own clock now and then only. */
const PATIENCE_MS = 5000;

export class Z3Process {
  private child: ChildProcessWithoutNullStreams | null = null;
  private text = "";
  private logic = "QF_BV";
  private waiting: ((text: string) => void) | null = null;

  constructor(private readonly timeoutMs: number) {}

  /** Several at once: on a busy machine the way to the other process and back takes longer than the answer. */
  async judge(scripts: readonly SmtScript[]): Promise<Judgement[]> {
    // Only who is told beforehand knows floating point.
    const needed =
      scripts.find(({ text }) => text.startsWith("(set-logic QF_BVFP)")) === undefined ? "QF_BV" : "QF_BVFP";
    if (needed !== this.logic) this.close();
    this.logic = needed;
    const asked = scripts.map(({ text, bytes }) => {
      // The logic was set when the process started.
      const begin = `(push)\n${text.replace(/^\(set-logic.*\n/, "")}(check-sat)\n`;
      const names = bytes.map(smtByteName).join(" ");
      return `${begin}${names === "" ? "" : `(get-value (${names}))\n`}(echo "${END}")\n(pop)\n`;
    });
    const answers = (await this.send(`${asked.join("")}(echo "${LAST}")\n`, scripts.length)).split(END);
    // What follows the last mark is no complete answer.
    answers.pop();
    return scripts.map((script, i) => judgementOf(script, (answers[i] ?? "").trim()));
  }

  close(): void {
    this.child?.kill("SIGKILL");
    this.child = null;
  }

  /** What it prints in answer to that many questions; less if it did not come to the end. */
  private send(commands: string, count: number): Promise<string> {
    this.child ??= this.start();
    const { child } = this;
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.giveUp(), (this.timeoutMs + PATIENCE_MS) * count);
      this.waiting = (text) => {
        clearTimeout(timer);
        this.waiting = null;
        resolve(text);
      };
      child.stdin.write(commands);
    });
  }

  private giveUp(): void {
    this.close();
    this.hand("");
  }

  private start(): ChildProcessWithoutNullStreams {
    const child = spawn("z3", ["-in", "-smt2"], { stdio: ["pipe", "pipe", "pipe"] });
    // A process that was given up may still say something.
    const isCurrent = (): boolean => this.child === child;
    child.on("error", (error) => isCurrent() && this.hand(`z3 cannot be started: ${error.message}${END}`));
    child.on("close", () => {
      if (!isCurrent()) return;
      this.child = null;
      this.hand(`z3 ended by itself${END}`);
    });
    child.stdin.on("error", () => {});
    child.stdin.write(`(set-option :timeout ${this.timeoutMs})\n(set-logic ${this.logic})\n`);
    child.stdout.setEncoding("latin1").on("data", (chunk: string) => {
      if (!isCurrent()) return;
      this.text += chunk;
      if (this.text.includes(LAST)) this.hand("");
    });
    return child;
  }

  /** Gives what was said to who waits for it. */
  private hand(last: string): void {
    const text = this.text + last;
    this.text = "";
    this.waiting?.(text);
  }
}

function judgementOf({ bytes }: SmtScript, answer: string): Judgement {
  const [verdict] = answer.split("\n", 1);
  if (verdict === "unsat") return { kind: "unsat" };
  if (verdict !== "sat") return { kind: "undecided", why: verdict === "" ? "timeout" : answer };
  const model = new Uint8Array(Math.max(0, ...bytes) + 1);
  for (const [, index, value] of answer.matchAll(/\(b(\d+) #x([0-9a-f]{2})\)/g)) {
    model[Number(index)] = Number.parseInt(value, 16);
  }
  return { kind: "sat", model };
}
