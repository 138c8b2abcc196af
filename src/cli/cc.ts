// `tangent cc`: a stand-in for cc in any build. bin/tangent starts the compiler itself where it can; the rest is in frontend/cc.ts.

import { fileURLToPath } from "node:url";
import { defineCommand } from "./command.js";

export const command = defineCommand({
  name: "cc",
  summary: 'Compile C like cc and keep the LLVM IR inside the result: CC="tangent cc" ./configure && make',
  description: `
Your own compiler (TANGENT_CC, else cc, gcc or clang) runs with exactly these arguments; beside it the same sources are
compiled to IR, which goes into the result. Where there is no compiler, or with TANGENT_CC=embedded, the one that came
with tangent makes static programs with musl. docs/cc.md has the details. Of its own it takes:

  --cc COMMAND           your compiler, or "embedded"; also TANGENT_CC
  --clang PATH           make the IR with that clang (15 or later); also TANGENT_CLANG
  --tangent-ubsan LIST   put UBSan's checks into the IR, not into the native code; also TANGENT_UBSAN`,
  options: {},
  operands: { args: { kind: "rest", value: "ARG", help: "what cc takes" } },
  async run(_, { args }, context) {
    const { runDriver } = await import("../frontend/cc.js");
    const packageRoot = fileURLToPath(new URL("../../..", import.meta.url)).replace(/\/$/, "");
    return runDriver(args, { ...context, packageRoot });
  },
});
