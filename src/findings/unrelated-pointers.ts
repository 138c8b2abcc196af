// Pointers into different objects that are compared by order or subtracted, as gcc's -fsanitize=pointer-compare and
// pointer-subtract find them: a run of a program that tells its pairs (jit/pointer-pairs.ts) goes on, and each place is a
// finding once. A null pointer is compared with anything; the end of an object belongs to it.

import type { ProgramImage } from "../jit/image.js";
import { loadModule } from "../jit/load-module.js";
import { GUEST_BASE } from "../jit/memory-layout.js";
import { PAIR } from "../jit/pointer-pairs.js";
import { Machine } from "../vm/machine.js";
import { placeKeyOf } from "../vm/place-key.js";
import type { RunOptions } from "../vm/run-options.js";
import { captureFrames, sourceFrames, visibleFrames } from "../vm/stack-trace.js";
import { type CheckedRun, type CheckOptions, runChecked } from "./check.js";
import { describeObject, userFrameIndex } from "./classify.js";
import type { Finding } from "./finding.js";
import { type LocatedObject, locateObject } from "./locate-object.js";

const MOST_PLACES = 200;
/** Loops compare pointers into the same few objects again and again. */
const MOST_RECENT = 8;

class PointerPairs {
  readonly findings = new Map<string, Finding>();
  private first = 0;
  /** What lies on the stack is known as long as nothing was called or left since: `stack` is the stack pointer, or 0. */
  private readonly recent: { readonly start: number; readonly end: number; readonly stack: number }[] = [];

  constructor(
    private readonly machine: Machine,
    private readonly check: CheckOptions,
  ) {}

  hear(code: number, pointer: number): void {
    if (code === PAIR.first) this.first = pointer >>> 0;
    else this.look(this.first, pointer >>> 0, code === PAIR.subtracted);
  }

  private look(a: number, b: number, isDifference: boolean): void {
    if (a < GUEST_BASE || b < GUEST_BASE) return;
    const now = this.machine.kernel.stack.value >>> 0;
    for (const { start, end, stack } of this.recent) {
      if (a >= start && a <= end && b >= start && b <= end && (stack === 0 || stack === now)) return;
    }
    const one = this.objectAt(a);
    const other = this.objectAt(b);
    if (one === null || other === null || one.object.address === other.object.address) return;
    if (this.findings.size < MOST_PLACES) this.tell(one, other, isDifference);
  }

  private objectAt(address: number): LocatedObject | null {
    const { machine, check } = this;
    const stackPointer = machine.kernel.stack.value >>> 0;
    const located = locateObject(
      {
        image: machine.image,
        memory: machine.memory,
        heap: check.heap(machine),
        arguments: machine.argumentObjects ?? [],
        mappings: machine.kernel.mappings.ranges(),
        stackPointer,
      },
      address,
    );
    if (located === null) return null;
    const { address: start, size, kind } = located.object;
    const stack = kind === "stack" ? stackPointer : 0;
    if (this.recent.unshift({ start, end: start + size, stack }) > MOST_RECENT) this.recent.pop();
    return located;
  }

  private tell(one: LocatedObject, other: LocatedObject, isDifference: boolean): void {
    const stack = visibleFrames(sourceFrames(this.machine.image, captureFrames()));
    const place = placeKeyOf(stack);
    if (this.findings.has(place)) return;
    const [a, b] = [one, other].map(({ object, ended }) => describeObject(object, ended));
    this.findings.set(place, {
      kind: "unrelated-pointers",
      access: null,
      size: 0,
      address: null,
      firstBadAddress: null,
      stack,
      userFrame: userFrameIndex(stack),
      object: one.object,
      message: `pointers into ${a} and ${b} are ${isDifference ? "subtracted" : "compared"}`,
      check: null,
      confirmed: null,
    });
  }
}

/** The image must be translated with `pointerPairs`. */
export function runComparing(
  image: ProgramImage,
  options: RunOptions,
  check: CheckOptions,
  module: WebAssembly.Module = loadModule(image),
): CheckedRun {
  const machine = new Machine(image, options);
  const pairs = new PointerPairs(machine, check);
  machine.onObserved = (code, pointer) => pairs.hear(code, pointer);
  const checked = runChecked(image, options, check, module, machine);
  return { ...checked, unrelatedPointers: [...pairs.findings.values()] };
}
