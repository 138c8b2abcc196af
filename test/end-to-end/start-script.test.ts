// `npm start` builds only what has changed since the last build: the compiler takes longer to see that nothing has than the demo to begin.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { fileURLToPath } from "node:url";

const PACKAGE = fileURLToPath(new URL("../../../package.json", import.meta.url));

it("npm start builds when a source, a folder or the settings are newer than the last build, and only then", () => {
  const script = (JSON.parse(readFileSync(PACKAGE, "utf8")) as { scripts: { start: string } }).scripts.start;
  const folder = mkdtempSync(join(tmpdir(), "tangent-start-"));
  try {
    for (const name of ["src/a", "test", "bench", "scripts", "bin", "dist"])
      mkdirSync(join(folder, name), { recursive: true });
    for (const name of ["src/a/one.ts", "package.json", "tsconfig.json"]) writeFileSync(join(folder, name), "");
    writeFileSync(join(folder, "bin/tangent"), "echo demo");
    writeFileSync(join(folder, "bin/npm"), "#!/bin/sh\necho build");
    chmodSync(join(folder, "bin/npm"), 0o755);
    const stamp = (name: string, seconds: number): void => utimesSync(join(folder, name), seconds, seconds);
    const start = (): string => {
      const env = { ...process.env, PATH: `${join(folder, "bin")}:${process.env.PATH}` };
      return spawnSync("sh", ["-c", script], { cwd: folder, env, encoding: "utf8" }).stdout;
    };
    assert.equal(start(), "build\ndemo\n");
    writeFileSync(join(folder, "dist/modules.pack"), "");
    const all = ["src/a/one.ts", "src/a", "src", "test", "bench", "scripts", "package.json", "tsconfig.json"];
    for (const name of all) stamp(name, 1000);
    stamp("dist/modules.pack", 2000);
    assert.equal(start(), "demo\n");
    for (const name of ["src/a/one.ts", "src/a", "scripts", "tsconfig.json"]) {
      stamp(name, 3000);
      assert.equal(start(), "build\ndemo\n", name);
      stamp(name, 1000);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
