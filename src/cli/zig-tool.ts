// Tools that are part of the zig binary, run with the user's arguments and this process's streams.

import { spawnSync } from "node:child_process";
import { findToolchain } from "../frontend/toolchain.js";
import type { CommandContext } from "./command.js";

const TROUBLE_STATUS = 3;

export function runZigTool(name: string, args: readonly string[], context: CommandContext): number {
  const found = findToolchain({ env: { ...context.env, TANGENT_CLANG: "" } });
  if (found.kind === "missing") {
    context.error(`tangent ${name}: ${found.message}\n`);
    return TROUBLE_STATUS;
  }
  const child = spawnSync(found.toolchain.zig, [name, ...args], { stdio: "inherit", env: context.env });
  return child.status ?? TROUBLE_STATUS;
}
