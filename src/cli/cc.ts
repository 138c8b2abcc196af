// `tangent cc`: a stand-in for cc in any build. bin/tangent starts the compiler itself where it can; the rest is in frontend/cc.ts.

import { fileURLToPath } from "node:url";
import { defineCommand } from "./command.js";

export const command = defineCommand({
  name: "cc",
  summary: 'Compile C like cc and keep the LLVM IR inside the result: CC="tangent cc" ./configure && make',
  description: `
Takes the arguments of gcc and clang. Programs are static and use musl; a shared library becomes an archive under
its name, so that programs linked with it hold its code and IR. Of its own it takes:

  --clang PATH           compile with that clang (15 or later); also TANGENT_CLANG
  --tangent-ubsan LIST   put UBSan's checks into the IR, not into the native code; also TANGENT_UBSAN`,
  options: {},
  operands: { args: { kind: "rest", value: "ARG", help: "what cc takes" } },
  async run(_, { args }, context) {
    const { runDriver } = await import("../frontend/cc.js");
    const packageRoot = fileURLToPath(new URL("../../..", import.meta.url)).replace(/\/$/, "");
    return runDriver(args, { ...context, packageRoot });
  },
});
