// `tangent c++`: the user's own compiler of C++, so that a build can be given both: CC="tangent cc" CXX="tangent c++".

import { fileURLToPath } from "node:url";
import { defineCommand } from "./command.js";

export const command = defineCommand({
  name: "c++",
  summary: "Compile C++ with the compiler that is there; nothing of it is captured",
  description: `
Takes the arguments of g++ and clang++ and gives them to TANGENT_CXX, or the first of c++, g++ and clang++ on PATH. Objects
are marked as C++, so that a program that calls into them says so. A C++ compiler left alone (CXX=g++) serves as well.`,
  options: {},
  operands: { args: { kind: "rest", value: "ARG", help: "what c++ takes" } },
  async run(_, { args }, context) {
    const { runCxxDriver } = await import("../frontend/cc.js");
    const packageRoot = fileURLToPath(new URL("../../..", import.meta.url)).replace(/\/$/, "");
    return runCxxDriver(args, { ...context, packageRoot });
  },
});
