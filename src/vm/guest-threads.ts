// What the host knows of the guest's threads. They run one above the other on one stack (runtime/libc/threads.c): the
// topmost runs, those below wait. The guest says which one runs and where its list of waits is. The host is asked when
// the topmost has to wait too and no other is left to begin: if one below could go on, that would need a second stack,
// and the run ends as unsupported; if none could, they wait for each other for ever, as they would natively.

import type { ProgramImage } from "../jit/image.js";
import type { GuestCalls } from "./guest-calls.js";
import type { GuestMemory } from "./guest-memory.js";
import { type PlacedStop, RunStop, type WasmFrame } from "./run-end.js";
import { functionIndex } from "./signals.js";
import { captureFrames, sourceFrames } from "./stack-trace.js";

const WAITS_FOR_ANOTHER = "a thread that waits for another one";
const SIGNALS_ANOTHER = "a signal to another thread";
/** So often time may pass for a thread while one below could go on. */
const MOST_DELAYS = 10_000;
/** A program that writes over the list may make it a circle. */
const MOST_WAITS = 100_000;
const WAIT_BYTES = 24;

export class GuestThreads {
  /** Of the thread that runs; 0 while there was never a second one. */
  currentId = 0;
  /** Address of the function that begins the next thread. */
  private preempt = 0;
  private waits = 0;
  private notBegun = 0;
  private delays = 0;

  /** `waits`: address of the topmost `struct wait`. */
  changed(currentId: number, waits: number, notBegun: number, preempt: number): void {
    this.preempt = preempt;
    this.currentId = currentId;
    this.waits = waits;
    this.notBegun = notBegun;
  }

  /** The topmost thread has to wait. Returns if it may: for nobody, or for a time. */
  wait(memory: GuestMemory, isTimed: boolean): void {
    if (!this.canAnotherGoOn(memory)) return;
    if (!isTimed || ++this.delays > MOST_DELAYS) throw unsupported(WAITS_FOR_ANOTHER);
  }

  /**
   * The program has computed for a while. If no function of libc is at work, whose data may not be in order, the next
   * thread begins: the program may be looking for what that one does, without a call that says so.
   */
  afterAWhile(calls: GuestCalls, image: ProgramImage): void {
    if (this.notBegun === 0 || sourceFrames(image, captureFrames())[0]?.origin !== "program") return;
    calls.call(functionIndex(this.preempt), [0n], []);
  }

  signalsAnother(): never {
    throw unsupported(SIGNALS_ANOTHER);
  }

  /** The end of a run in other words, if threads may be its cause. */
  explain(reason: PlacedStop, memory: GuestMemory, image: ProgramImage, trace: readonly WasmFrame[]): PlacedStop {
    if (this.currentId === 0) return reason;
    const isStuck = reason.kind === "limit" && (reason.limit === "blocked" || reason.limit === "instructions");
    if (isStuck && (this.notBegun > 0 || this.canAnotherGoOn(memory))) {
      return { kind: "unsupported", what: `${WAITS_FOR_ANOTHER}${placeOf(image, trace)}`, functionName: "" };
    }
    if (reason.kind !== "unsupported" || (reason.what !== WAITS_FOR_ANOTHER && reason.what !== SIGNALS_ANOTHER)) {
      return reason;
    }
    return { ...reason, what: `${reason.what}${placeOf(image, trace)}` };
  }

  private canAnotherGoOn(memory: GuestMemory): boolean {
    let at = this.waits;
    for (let n = 0; n < MOST_WAITS && at !== 0; n++) {
      if (memory.firstRefused(at, WAIT_BYTES, false) >= 0) return false;
      const address = memory.getI64(at + 8);
      if (address === 0) return true;
      if (memory.firstRefused(address, 4, false) >= 0) return false;
      if (memory.view.getInt32(address, true) !== memory.view.getInt32(at + 16, true)) return true;
      at = memory.getI64(at);
    }
    return false;
  }
}

function unsupported(what: string): RunStop {
  return new RunStop({ kind: "unsupported", what, functionName: "" });
}

/** ": pthread_cond_wait in worker at queue.c:12". */
function placeOf(image: ProgramImage, trace: readonly WasmFrame[]): string {
  const frames = sourceFrames(image, trace);
  const own = frames.findIndex(({ origin }) => origin === "program");
  if (own < 0) return "";
  const { functionName, file, line } = frames[own];
  const called = own > 0 ? `${frames[own - 1].functionName} in ` : "";
  const place = file === null ? "" : ` at ${file.slice(file.lastIndexOf("/") + 1)}:${line}`;
  return `: ${called}${functionName}${place}`;
}
