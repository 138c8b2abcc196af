// Machines whose process has ended, kept for the next process of the same program: an exploration of a program that starts
// others makes thousands of them, a campaign confirms each finding by several runs, and a memory is slow to make and slower to
// collect.

import type { ProgramImage } from "../../jit/image.js";
import { collectGarbage } from "../../support/memory-gauge.js";
import type { GuestMemory } from "../guest-memory.js";
import type { RunOptions } from "../run-options.js";

interface Kept {
  readonly image: ProgramImage;
  readonly memory: GuestMemory;
  readonly options: RunOptions;
}

/** Of one program: as many as wait for each other. */
const MOST_KEPT = 4;
/** One that has grown larger costs more to put back than a new one. */
const MOST_HEAP_BYTES = 0x200_0000;
/** V8 is in no hurry to collect memories that nobody has any more: children one after the other would take gigabytes. */
const MOST_DROPPED_BYTES = 0x1000_0000;

export class IdleMachines<Machine extends Kept> {
  /** Since garbage was collected last. */
  private droppedBytes = 0;
  private readonly kept = new WeakMap<ProgramImage, Machine[]>();

  /** Null: there is none whose heap has that limit. */
  take(image: ProgramImage, heapBytes: number): Machine | null {
    const list = this.kept.get(image);
    const at = list?.findIndex(({ options }) => options.limits.heapBytes === heapBytes) ?? -1;
    return list?.splice(at, at < 0 ? 0 : 1)[0] ?? null;
  }

  takeAll(image: ProgramImage): readonly Machine[] {
    const list = this.kept.get(image) ?? [];
    this.kept.delete(image);
    return list;
  }

  give(machine: Machine): void {
    const list = this.kept.get(machine.image) ?? [];
    this.kept.set(machine.image, list);
    const { heapBytes } = machine.memory;
    if (list.length < MOST_KEPT && heapBytes <= MOST_HEAP_BYTES) {
      list.push(machine);
      return;
    }
    this.droppedBytes += heapBytes;
    if (this.droppedBytes < MOST_DROPPED_BYTES) return;
    this.droppedBytes = 0;
    collectGarbage();
  }
}
