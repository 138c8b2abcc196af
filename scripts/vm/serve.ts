// One request of protocol.ts answered with the engine's own functions: load, translate, run, classify.

import { type CheckOptions, runChecked } from "../../src/findings/check.js";
import type { Finding } from "../../src/findings/finding.js";
import { DEFAULT_COMPILE_OPTIONS } from "../../src/jit/options.js";
import { loadProgram } from "../../src/program/load.js";
import { readHeap } from "../../src/vm/heap.js";
import type { RunEnd } from "../../src/vm/run-end.js";
import { DEFAULT_LIMITS, DEFAULT_OPTIONS } from "../../src/vm/run-options.js";
import type { SourceFrame } from "../../src/vm/stack-trace.js";
import type { VmEnd, VmFinding, VmFrame, VmReply, VmRequest } from "./protocol.js";

const NOTHING: Omit<VmReply, "end"> = {
  findings: [],
  stdout: "",
  stderr: "",
  loadMs: 0,
  translateMs: 0,
  runMs: 0,
  instructions: 0,
};
export async function serveRequest(request: VmRequest): Promise<VmReply> {
  try {
    return await answer(request);
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { ...NOTHING, end: { kind: "crash", message } };
  }
}

async function answer(request: VmRequest): Promise<VmReply> {
  const { options } = request;
  const value = (name: string): string | undefined =>
    options.includes(name) ? options[options.indexOf(name) + 1] : undefined;
  const loaded = await loadProgram(request.inputs, {
    env: process.env,
    clang: null,
    flags: [...request.flags, ...undefinedFlags(value("--ubsan"))],
    compile: DEFAULT_COMPILE_OPTIONS,
  });
  if (loaded.kind === "failed") return { ...NOTHING, end: loaded };
  const { image, milliseconds } = loaded;
  const compileStarted = performance.now();
  const module = new WebAssembly.Module(image.wasm);
  const compileMs = performance.now() - compileStarted;
  const check: CheckOptions = {
    repeat: "for-stacks",
    leaks: options.includes("--leaks"),
    heap: readHeap,
  };
  const run = runChecked(
    image,
    {
      ...DEFAULT_OPTIONS,
      arguments: ["program", ...request.args.map((text) => Buffer.from(text, "latin1"))],
      environment: ["PATH=/usr/bin:/bin"],
      workingDirectory: request.directory,
      stdin: Buffer.from(request.stdin, "latin1"),
      limits: {
        ...DEFAULT_LIMITS,
        milliseconds: request.timeLimitMs,
        instructions: Number(value("--fuel") ?? DEFAULT_LIMITS.instructions),
      },
    },
    check,
    module,
  );
  const { result } = run;
  return {
    end: run.finding === null ? endOf(result.end) : { kind: "finding" },
    findings: [...(run.finding === null ? [] : [run.finding]), ...run.leaks].map(findingOf),
    stdout: Buffer.from(result.stdout).toString("latin1"),
    stderr: Buffer.from(result.stderr).toString("latin1"),
    loadMs: milliseconds.load,
    translateMs: milliseconds.link + milliseconds.translate + compileMs,
    runMs: result.elapsedMs,
    instructions: result.instructions,
  };
}

/** As `tangent run --ubsan` makes them. */
function undefinedFlags(checks: string | undefined): string[] {
  if (checks === undefined) return [];
  const list = checks === "all" ? "undefined" : checks;
  return [`-fsanitize=${list}`, `-fsanitize-trap=${list}`, `-fno-sanitize-merge=${list}`];
}

function endOf(end: RunEnd): VmEnd {
  switch (end.kind) {
    case "exit":
      return { kind: "exit", code: end.code };
    case "signal":
      return { kind: "signal", signal: end.signal };
    case "fault":
      return { kind: "finding" };
    case "unsupported":
      return { kind: "unsupported", what: `${end.what} in ${end.functionName}` };
    case "limit":
      return { kind: "limit", limit: end.limit };
  }
}

function findingOf(finding: Finding): VmFinding {
  return {
    kind: finding.kind,
    access: finding.access,
    message: finding.message,
    stack: finding.stack.map(frameOf),
    userFrame: finding.userFrame,
    allocationStack: finding.object?.allocationStack?.map(frameOf) ?? null,
    freeStack: finding.object?.freeStack?.map(frameOf) ?? null,
    confirmed: finding.confirmed,
  };
}

function frameOf({ functionName, origin, file, line }: SourceFrame): VmFrame {
  return { functionName, origin, file, line };
}
