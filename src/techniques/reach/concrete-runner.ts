// Runs inputs with nothing symbolic, one after the other, in one machine: what a test covers, and whether an input that was made
// reaches its target. The same translated program as in explorations, so that the numbers of blocks are the same; a run costs
// what its instructions cost and a reset of what the last one dirtied.

import { runOptionsOf, type TestInput } from "../../inputs/test-input.js";
import type { ProgramImage } from "../../jit/image.js";
import { RememberedStatuses } from "../../vm/files/remembered-statuses.js";
import { pipeShape, STANDARD_FLAGS } from "../../vm/files/standard-streams.js";
import { Machine } from "../../vm/machine.js";
import type { RunEnd } from "../../vm/run-end.js";
import { DEFAULT_LIMITS, type RunOptions } from "../../vm/run-options.js";

export interface ConcreteLimits {
  readonly instructions: number;
  readonly milliseconds: number;
  readonly heapBytes: number;
}

export interface ConcreteRun {
  readonly end: RunEnd;
  readonly instructions: number;
  /** Calls of the system that the machine refuses: processes, networks. */
  readonly refused: readonly string[];
  /** It started other processes: what these tell it depends on files in ways that no expression says. */
  readonly hasStartedOthers: boolean;
  /** One byte a block, how often it was executed, 255 for more. The caller's own, or until the next run if it was only lent. */
  readonly coverage: Uint8Array;
}

const DISCARD = pipeShape(STANDARD_FLAGS.output, 2);
/** A machine whose heap has grown larger takes longer to put back than a new one to make. */
const MOST_HEAP_BYTES = 0x400_0000;

export class ConcreteRunner {
  /** So far. */
  runs = 0;
  private machine: Machine | null = null;
  private readonly remembered = new RememberedStatuses();

  constructor(
    private readonly image: ProgramImage,
    private readonly module: WebAssembly.Module,
    private readonly seed: number,
    /** Makes a machine ready before its first run: nobody else has it then. Null: any machine will do. */
    private readonly ready: ((machine: Machine) => void) | null = null,
  ) {}

  run(test: TestInput, limits: ConcreteLimits): ConcreteRun {
    const run = this.lend(test, limits);
    return { ...run, coverage: run.coverage.slice() };
  }

  /** As `run`, but its coverage is the machine's own: for thousands of runs a second of which few are kept. */
  lend(test: TestInput, limits: ConcreteLimits): ConcreteRun {
    const options: RunOptions = {
      ...runOptionsOf(test),
      stdout: DISCARD,
      stderr: DISCARD,
      seed: this.seed,
      remembered: this.remembered,
      limits: { ...DEFAULT_LIMITS, ...limits },
    };
    this.runs++;
    if (this.machine !== null && this.machine.memory.heapBytes > MOST_HEAP_BYTES) this.machine = null;
    if (this.machine === null) this.machine = this.machineFor(options);
    else this.machine.prepare(options);
    const end = this.machine.runToEnd(this.module);
    const { instructions, coverage, kernel } = this.machine;
    const refused = [...kernel.denied.keys()];
    const { hasOthers: hasStartedOthers } = kernel.life;
    return { end, instructions, refused, hasStartedOthers, coverage };
  }

  private machineFor(options: RunOptions): Machine {
    if (this.ready === null) return Machine.lend(this.image, options);
    const machine = new Machine(this.image, options, null, true);
    this.ready(machine);
    return machine;
  }

  /** There will be no more runs: others may have the machine. */
  release(): void {
    if (this.machine !== null && this.ready === null) Machine.giveBack(this.machine);
    this.machine = null;
  }
}
