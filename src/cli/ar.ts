// `tangent ar`: LLVM's ar out of the toolchain, for machines that have none.

import { defineCommand } from "./command.js";
import { runZigTool } from "./zig-tool.js";

export const command = defineCommand({
  name: "ar",
  summary: "Make archives, as ar does",
  options: {},
  operands: { args: { kind: "rest", value: "ARG", help: "what ar takes" } },
  run: (_, { args }, context) => runZigTool("ar", args, context),
});
