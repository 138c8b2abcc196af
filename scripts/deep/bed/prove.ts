// Whether a bug of the bed is there: none of the seeds fails natively, the proof of concept fails at the place three times of three, does
// not with the fix, and is seen in Tangent's machine too.

import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { LAUNCHER } from "../../suites/build.js";
import { type DeepBug, type Frame, isThere, nativeFrames } from "../bug.js";
import { judge, oneInput, runStaged, seedsOf } from "../staged-input.js";
import { printedStacks } from "../tools.js";

const REPETITIONS = 3;
const MACHINE_TIMEOUT_MS = 300_000;

/** Null, or what is not as it should be. */
export function prove(bug: DeepBug, proof: Uint8Array): string | null {
  const scratch = mkdtempSync(join(tmpdir(), "tangent-deep-"));
  chmodSync(scratch, 0o755);
  try {
    const corpus = join(bug.directory, "src", bug.corpus);
    for (const name of readdirSync(corpus)) {
      const frames = nativeFrames(runStaged(bug, "asan", oneInput(bug, readFileSync(join(corpus, name))), scratch));
      if (frames.length > 0) return `the seed ${name} fails at ${placeOf(frames)}`;
    }
    const input = oneInput(bug, proof);
    for (let time = 0; time < REPETITIONS; time++) {
      const report = runStaged(bug, "asan", input, scratch);
      const frames = nativeFrames(report);
      if (frames.length === 0) return `the proof of concept does not fail: ${report.trim().split("\n").at(-1) ?? ""}`;
      if (!isThere(bug, frames)) return `the proof of concept fails at ${placeOf(frames)}`;
    }
    if (judge(bug, input, scratch).alsoMended) return "the proof of concept fails with the fix too";
    const seen = machineFrames(bug, proof, scratch);
    if (seen.some((frames) => isThere(bug, frames))) return null;
    return `Tangent's machine ${seen.length === 0 ? "does not fail" : `fails at ${placeOf(seen[0])}`}`;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function machineFrames(bug: DeepBug, proof: Uint8Array, scratch: string): Frame[][] {
  const top = join(scratch, "machine");
  cpSync(seedsOf(bug), top, { recursive: true });
  const { arguments: words, files, stdin } = oneInput(bug, proof);
  for (const { path, bytes } of files) writeFileSync(join(top, path), bytes);
  const given = join(scratch, "standard-input");
  writeFileSync(given, stdin ?? "");
  const program = join(bug.directory, "src", bug.program);
  const { stderr } = spawnSync(LAUNCHER, ["run", "--", program, ...words], {
    cwd: join(top, basename(bug.run)),
    // Memory is filled as AddressSanitizer's is.
    env: { ...process.env, MALLOC_PERTURB_: "65" },
    stdio: [openSync(given, "r"), "ignore", "pipe"],
    timeout: MACHINE_TIMEOUT_MS,
    maxBuffer: 0x400_0000,
  });
  return printedStacks(stderr?.toString("latin1") ?? "");
}

function placeOf(frames: readonly Frame[]): string {
  return frames
    .slice(0, 3)
    .map(({ file, line }) => `${file?.split("/").slice(-2).join("/") ?? "?"}:${line}`)
    .join(" < ");
}
