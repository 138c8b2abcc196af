// Looks for uses of what was never set on many inputs of a program, one after the other, as an exploration makes them. A place
// is told once, after the run has been made a second time, which confirms it and says where its block was allocated.

import type { LoadedImage } from "../findings/confirmation.js";
import type { Finding } from "../findings/finding.js";
import { pipeShape, STANDARD_FLAGS } from "../vm/files/standard-streams.js";
import type { RunOptions } from "../vm/run-options.js";
import { DefinedMachine } from "./defined-machine.js";
import { findingOf } from "./run-defined.js";

const DISCARD = pipeShape(STANDARD_FLAGS.output, 2);
/** A machine whose heap has grown larger is not kept for the next input. */
const MOST_HEAP_BYTES = 0x400_0000;

export class UnsetSearch {
  private readonly known = new Set<string>();
  private kept: DefinedMachine | null = null;

  /** The image is translated with DEFINEDNESS_COMPILE_OPTIONS. */
  constructor(private readonly loaded: LoadedImage) {}

  /** What a run with these options uses at places where no run before has; confirmed. Its output is thrown away. */
  look(options: RunOptions): Finding[] {
    const silent = { ...options, stdout: DISCARD, stderr: DISCARD };
    const uses = this.run(silent, []).uses();
    const fresh = uses.filter(({ place }) => !this.known.has(place));
    if (fresh.length === 0) return [];
    const second = this.run(
      silent,
      fresh.map(({ origin }) => origin?.serial ?? 0),
    );
    const again = new Set(second.uses().map(({ place }) => place));
    const confirmed = fresh.filter(({ place }) => again.has(place));
    for (const { place } of confirmed) this.known.add(place);
    return confirmed.map((use) => findingOf(use, second, true));
  }

  private run(options: RunOptions, serials: readonly number[]): DefinedMachine {
    const { image, module } = this.loaded;
    const { kept } = this;
    const machine = kept ?? new DefinedMachine(image, options, true);
    const watch = machine.watchFor(serials);
    machine.prepare({ ...options, watch });
    machine.machine.runToEnd(module);
    this.kept = machine.machine.memory.heapBytes > MOST_HEAP_BYTES ? null : machine;
    return machine;
  }
}
