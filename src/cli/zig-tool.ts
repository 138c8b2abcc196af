// Tools that are part of the zig binary, run with the user's arguments and this process's streams.

import { findToolchain } from "../frontend/toolchain.js";
import { runChild } from "../support/child-process.js";
import type { CommandContext } from "./command.js";

const TROUBLE_STATUS = 3;

export function runZigTool(name: string, args: readonly string[], context: CommandContext): number {
  const found = findToolchain({ env: { ...context.env, TANGENT_CLANG: "" } });
  if (found.kind === "missing") {
    context.error(`tangent ${name}: ${found.message}\n`);
    return TROUBLE_STATUS;
  }
  const child = runChild(found.toolchain.zig, [name, ...args], { stdio: "inherit", env: context.env });
  return child.status ?? TROUBLE_STATUS;
}
