// For tests: a symbolic host over a small memory, with what tests keep asking of it.

import { ExprArena } from "../expr/arena.js";
import { Evaluator } from "../expr/evaluate.js";
import type { ExprRef } from "../expr/ops.js";
import { operationCode, type Site, type SymbolicOperation } from "../jit/symbolic-boundary.js";
import type { Model } from "../solver/solver.js";
import { InputSpace } from "./input-space.js";
import { FIXTURE_BASE, FixtureMemory, RecordingObserver, type Told } from "./memory-fixture.js";
import { type HostEvents, SymbolicHost } from "./symbolic-host.js";

export class HostFixture {
  readonly arena = new ExprArena();
  readonly memory = new FixtureMemory();
  readonly space = new InputSpace();
  readonly host: SymbolicHost;
  observer = new RecordingObserver();
  private loaded: ArrayLike<number> | null = null;
  private readonly evaluator = new Evaluator(this.arena);

  constructor(sites: readonly Site[] = [], events?: HostEvents) {
    // Constant memory ends in the middle of the fixture.
    const program = { sites, globalsEnd: FIXTURE_BASE + 0x8000 };
    this.host = new SymbolicHost(this.arena, this.memory, program, this.space, events);
  }

  /** Begins a run with this input, of which nothing has been told. */
  begin(input: Model | readonly number[]): void {
    this.observer = new RecordingObserver();
    this.host.begin(Uint8Array.from(input), this.observer);
  }

  get told(): readonly Told[] {
    return this.observer.told;
  }

  value(ref: ExprRef | number, input: ArrayLike<number>): bigint {
    if (input !== this.loaded) this.evaluator.load(Uint8Array.from(input));
    this.loaded = input;
    return this.evaluator.big(ref as ExprRef);
  }

  call(name: keyof SymbolicHost["functions"], ...words: number[]): ExprRef {
    return this.host.functions[name](...words) as ExprRef;
  }

  /** `operate` on shadows and constants below 2^31. */
  operate(operation: SymbolicOperation, width: number, sa: number, sb: number, a = 0, b = 0, toWidth = 0): ExprRef {
    return this.call("operate", operationCode(operation, width, toWidth), sa, sb, a, 0, b, 0);
  }

  /** A 64-bit address: base + input byte * scale. */
  indexed(base: number, variable: number, scale: number): ExprRef {
    const { arena } = this;
    const index = arena.zext(arena.variable(variable), 64);
    const offset = scale === 1 ? index : arena.binary("mul", index, arena.constant(64, scale, 0));
    return arena.binary("add", arena.constant(64, base, 0), offset);
  }
}
