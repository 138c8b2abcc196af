// `tangent ranlib`: LLVM's ranlib out of the toolchain, for machines that have none.

import { defineCommand } from "./command.js";
import { runZigTool } from "./zig-tool.js";

export const command = defineCommand({
  name: "ranlib",
  summary: "Index archives, as ranlib does",
  options: {},
  operands: { args: { kind: "rest", value: "ARG", help: "what ranlib takes" } },
  run: (_, { args }, context) => runZigTool("ranlib", args, context),
});
