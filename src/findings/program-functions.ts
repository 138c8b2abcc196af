// What identities ask of a program's functions, from the tables that came with its image.

import type { ProgramImage } from "../jit/image.js";
import { functionKey } from "../support/function-key.js";
import type { SourceFrame } from "../vm/stack-trace.js";
import { GeneralHelpers } from "./general-helpers.js";
import type { FunctionFacts } from "./identity.js";

export class ProgramFunctions implements FunctionFacts {
  private readonly helpers: GeneralHelpers;
  private readonly lines = new Map<string, number>();
  private readonly shared = new Set<string>();
  /** How many functions have a name. */
  private readonly namesakes = new Map<string, number>();

  constructor({ oftenCalled, sources }: Pick<ProgramImage, "oftenCalled" | "sources">) {
    this.helpers = new GeneralHelpers(oftenCalled);
    for (const { name, file, line, shared } of sources?.functions ?? []) {
      const key = functionKey(name, file);
      this.lines.set(key, line);
      if (shared) this.shared.add(key);
      this.namesakes.set(name, (this.namesakes.get(name) ?? 0) + 1);
    }
  }

  isHelper(frame: SourceFrame): boolean {
    return this.helpers.isHelper(frame);
  }

  isShared({ functionName, file }: SourceFrame): boolean {
    return this.shared.has(functionKey(functionName, file));
  }

  hasNamesakes({ functionName }: SourceFrame): boolean {
    return (this.namesakes.get(functionName) ?? 0) > 1;
  }

  firstLineOf({ functionName, file }: SourceFrame): number {
    return this.lines.get(functionKey(functionName, file)) ?? 1;
  }
}
