// A technique for tests of the campaign: its items do what their words say (end, find, hang, throw, exit), in a worker thread like
// real ones. The thread's half is below, in the same file: it runs when a worker loads it.

import { appendFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isMainThread, parentPort } from "node:worker_threads";
import type { Finding } from "../findings/finding.js";
import type { ProgramImage } from "../jit/image.js";
import type { Found, ItemContext, ItemOutcome, ItemReport, Technique, WorkItem } from "./technique.js";
import { serveWork } from "./work-server.js";

export interface FakeWork {
  readonly what: "end" | "extra" | "find" | "hang" | "hang-politely" | "throw" | "skip" | "cut" | "exit" | "start";
  /** Takes so long. */
  readonly ms?: number;
  /** Findings, by their ids. */
  readonly ids?: readonly string[];
  /** With "start": programs that it starts. */
  readonly programs?: readonly string[];
}

export type FakeItem = WorkItem<FakeWork>;

export function fakeItem(key: string, work: FakeWork, program = "p"): FakeItem {
  return { key, program, label: key, work };
}

export class FakeTechnique implements Technique<FakeWork, string> {
  readonly name = "fake";
  keepsCutItems = false;
  readonly passedBy: string[] = [];
  /** Items that are not wanted when their turn comes, and those whose findings give way to others. */
  readonly unwanted = new Set<string>();
  readonly ofLowRank = new Set<string>();
  readonly absorbed: string[] = [];
  readonly recalled: string[] = [];
  private round = 0;

  constructor(
    private readonly rounds: readonly (readonly FakeItem[])[],
    readonly settings: Technique<FakeWork, string>["settings"] = { depth: 1 },
    /** Of the last round. */
    private readonly last: readonly FakeItem[] = [],
    /** By round: what it may take of the time. */
    private readonly shares: readonly number[] = [],
    /** What hands get that would be idle, one after the other. */
    private readonly more: FakeItem[] = [],
  ) {}

  moreItems(): readonly FakeItem[] {
    return this.more.splice(0, 1);
  }

  shareOfRound(): number {
    return this.shares[this.round - 1] ?? 1;
  }

  lastRound(): readonly FakeItem[] {
    return this.last;
  }
  lastCount(): number {
    return this.last.length;
  }

  isStillWanted({ key }: FakeItem): boolean {
    return !this.unwanted.has(key);
  }
  rankOf({ key }: FakeItem): number {
    return this.ofLowRank.has(key) ? 1 : 0;
  }
  passed({ key }: FakeItem): void {
    this.passedBy.push(key);
  }

  nextRound(): readonly FakeItem[] | null {
    return this.rounds[this.round++] ?? null;
  }
  absorb({ key }: FakeItem, { result }: ItemReport<string>): void {
    this.absorbed.push(`${key}: ${result}`);
  }
  memoryOf({ result }: ItemReport<string>): unknown {
    return { result };
  }
  recall({ key }: FakeItem, memory: unknown): boolean {
    if (memory === null || typeof memory !== "object" || !("result" in memory)) return false;
    this.recalled.push(key);
    return true;
  }
}

function finding(id: string, by: string): Found {
  const value: Partial<Finding> = { message: `${id} by ${by}` };
  const identity = { id, formerId: id, group: id, fingerprint: id, identity: id, cause: id, place: id };
  return { finding: value as Finding, identity, witness: [], seedValues: [], witnessCommand: [], depth: 0 };
}

function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function run({ what, ms, ids }: FakeWork, { abort, tell, extra }: ItemContext): ItemOutcome<string> {
  if (ms !== undefined) sleep(ms);
  for (const id of ids ?? []) tell({ kind: "finding", found: finding(id, what) });
  switch (what) {
    case "hang":
      for (;;);
    case "hang-politely":
      while (!abort.aborted) sleep(5);
      return { kind: "report", report: { isComplete: false, result: "asked to stop" } };
    case "throw":
      throw new Error("thrown on purpose");
    case "exit":
      process.exit(7);
      break;
    case "extra":
      return { kind: "report", report: { isComplete: true, result: Object.values(extra).join(", ") } };
    case "skip":
      return { kind: "skipped", why: "not today" };
    case "cut":
      return { kind: "report", report: { isComplete: false, result: "cut" } };
  }
  return { kind: "report", report: { isComplete: true, result: "ended" } };
}

/** Every second thread dies of loading the program "frail". */
export const FRAIL_TRIES = join(tmpdir(), `tangent-frail-${process.pid}`);

let preparations = 0;
/** Programs that this thread has got ready. */
const ready = new Set<string>();

if (!isMainThread && parentPort !== null) {
  serveWork(parentPort, {
    async load({ content }) {
      if (content.startsWith("slow")) await new Promise((resolve) => setTimeout(resolve, 300));
      if (content === "frail") {
        // How often it was tried is what threads of one process share: the length of a file.
        appendFileSync(FRAIL_TRIES, ".");
        if (statSync(FRAIL_TRIES).size % 2 === 0) process.exit(1);
      }
      if (content === "stuck") await new Promise(() => {});
      if (content.startsWith("bad")) return { problem: `${content} is no program` };
      ready.add(content);
      const image = { wasm: new Uint8Array(0) } as ProgramImage;
      const warnings = content === "q" ? ["half of it is missing"] : [];
      return { image, module: null as unknown as WebAssembly.Module, warnings };
    },
    async prepare(need, { content }) {
      if (need === "bad") return { problem: `${content} has no ${need}` };
      preparations++;
      return { made: `${need} ${preparations}` };
    },
    describe: () => "described",
    run(work, _setup, context, absent) {
      const { what, programs = [] } = work as FakeWork;
      if (what !== "start") return run(work as FakeWork, context);
      const path = programs.find((name) => !ready.has(name) && !absent.includes(name));
      if (path !== undefined) return { kind: "wanted", path };
      const there = programs.filter((name) => ready.has(name)).join(", ");
      return { kind: "report", report: { isComplete: true, result: `started ${there}` } };
    },
  });
}
