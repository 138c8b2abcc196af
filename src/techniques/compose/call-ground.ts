// What must be known of a program when calls of its functions are looked at: how parameters are passed, which variables there are. A whole
// program knows it of all functions (context-ground.ts); of one function it is plain data, which crosses threads without the program's IR.

import type { HookedProgram } from "../../engine/hooked-program.js";
import type { CFunction, CTypes } from "../../ir/debug-types.js";
import type { ProgramImage } from "../../jit/image.js";
import { loadModule } from "../../jit/load-module.js";
import type { PassedParameter } from "../unit/passed-parameters.js";
import type { FoundVariable } from "./found-values.js";

/** A function with what is known of how it is called. */
export interface KnownFunction {
  readonly declared: CFunction;
  /** Not visible outside of its file. */
  readonly isStatic: boolean;
  readonly hiddenResult: boolean;
  /** Null if the IR's parameters are not those of C. */
  readonly passed: readonly PassedParameter[] | null;
}

const MOST_LOOKING = 3;

export abstract class CallGround {
  /** Tests that were run to look at calls, the last ones: making a machine costs more than most runs. */
  private readonly looking = new Map<string, HookedProgram>();

  constructor(
    readonly image: ProgramImage,
    private compiled: WebAssembly.Module | null,
  ) {}

  /** Made when somebody runs it. */
  get module(): WebAssembly.Module {
    this.compiled ??= loadModule(this.image);
    return this.compiled;
  }

  abstract get cTypes(): CTypes;
  /** By index into `image.functions`; null if it is none of the program's own, or has no debug information. */
  abstract function(index: number): KnownFunction | null;
  /** All variables of the program that may be written; those that the code behind the function mentions are used. */
  abstract variablesFor(index: number): readonly FoundVariable[];

  /** The program of a test to look at calls of; `key` tells tests apart. */
  lookingAt(key: string, make: () => HookedProgram): HookedProgram {
    const known = this.looking.get(key) ?? make();
    // The last one used is the last to go.
    this.looking.delete(key);
    this.looking.set(key, known);
    for (const [oldest, program] of [...this.looking].slice(0, Math.max(0, this.looking.size - MOST_LOOKING))) {
      this.looking.delete(oldest);
      program.release();
    }
    return known;
  }
}

/** All that is known of one function. */
export interface CallFacts {
  /** Into `image.functions`. */
  readonly index: number;
  readonly known: KnownFunction;
  readonly variables: readonly FoundVariable[];
  readonly types: CTypes;
}

/** Null if nothing is known of the function. */
export function callFacts(ground: CallGround, index: number): CallFacts | null {
  const known = ground.function(index);
  if (known === null) return null;
  const { declared, isStatic, hiddenResult, passed } = known;
  return {
    index,
    known: { declared, isStatic, hiddenResult, passed },
    variables: ground.variablesFor(index),
    types: ground.cTypes,
  };
}

/** The ground of one function. */
export class FunctionGround extends CallGround {
  constructor(
    image: ProgramImage,
    module: WebAssembly.Module,
    private readonly facts: CallFacts,
  ) {
    super(image, module);
  }

  get cTypes(): CTypes {
    return this.facts.types;
  }

  function(index: number): KnownFunction | null {
    return index === this.facts.index ? this.facts.known : null;
  }

  variablesFor(index: number): readonly FoundVariable[] {
    return index === this.facts.index ? this.facts.variables : [];
  }
}
