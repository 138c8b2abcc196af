// Threads of a script start as those of `tangent` do, from the file that holds all modules (bin/start.cjs), if it is that of the last build:
// a script that starts hundreds of them would otherwise spend most of its time on opening files.

import { statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

export function startThreadsFromPack(): void {
  const timeOf = (path: string): number => statSync(join(ROOT, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const packed = timeOf("dist/modules.pack");
  if (packed === 0 || timeOf("dist/.tsbuildinfo") > packed) return;
  const start = { script: join(ROOT, "bin/start.cjs"), folder: join(ROOT, "dist/src") };
  (globalThis as { [name: symbol]: unknown })[Symbol.for("tangent.start")] = start;
}
