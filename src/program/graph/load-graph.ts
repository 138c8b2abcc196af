// placeholder until the graph helper's branch is merged
import type { ProgramImage } from "../../jit/image.js";
import type { LoadOptions } from "../warm.js";
import type { ProgramGraph } from "./program-graph.js";
export async function loadGraph(
  _path: string,
  _image: ProgramImage,
  _options: LoadOptions,
): Promise<ProgramGraph | { readonly kind: "failed"; readonly message: string }> {
  return { kind: "failed", message: "not yet" };
}
