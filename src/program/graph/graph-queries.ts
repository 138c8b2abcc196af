// placeholder until the graph helper's branch is merged
import type { ProgramImage } from "../../jit/image.js";
import type { BlockNumber, ProgramGraph } from "./program-graph.js";
export const UNREACHED = 0x7fff_ffff;
export interface WantedDefinition {
  readonly block: BlockNumber;
  readonly place: number;
  readonly value: string | null;
  readonly certain: boolean;
  readonly sentence: string;
}
export class GraphQueries {
  constructor(
    readonly graph: ProgramGraph,
    readonly image: ProgramImage,
  ) {}
  distancesTo(_targets: readonly BlockNumber[], _options?: { readonly preconditions?: boolean }): Int32Array {
    return new Int32Array(0);
  }
  definitionsFor(_block: BlockNumber, _side: number): readonly WantedDefinition[] {
    return [];
  }
  conditionText(_block: BlockNumber): string {
    return "";
  }
  whyUnreachable(_targets: readonly BlockNumber[]): string | null {
    return null;
  }
}
