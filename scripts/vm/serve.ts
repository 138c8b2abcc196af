// One request of protocol.ts answered as `tangent run` does it: load, translate, and run in a thread with a large stack and
// V8's flags set. Not through the command line, because starting Node anew for each of thousands of programs takes longer
// than they do.

import type { Finding } from "../../src/findings/finding.js";
import { cacheDirectory } from "../../src/frontend/cache.js";
import { ubsanFlags } from "../../src/frontend/ubsan.js";
import { DEFAULT_COMPILE_OPTIONS } from "../../src/jit/options.js";
import { RunThread } from "../../src/jobs/run-thread.js";
import { loadProgram } from "../../src/program/load.js";
import { storedImageName } from "../../src/program/stored-image.js";
import { commandMs } from "../../src/support/command-clock.js";
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
  cpuMs: 0,
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
  const compile = { ...DEFAULT_COMPILE_OPTIONS, fields: options.includes("--fields") };
  const loaded = await loadProgram(request.inputs, {
    env: process.env,
    clang: null,
    flags: [...request.flags, ...ubsanFlags(value("--ubsan"))],
    compile,
  });
  if (loaded.kind === "failed") return { ...NOTHING, end: loaded };
  const { image, milliseconds, cacheEntry } = loaded;
  const thread = new RunThread();
  const ended = await thread.run({
    ...{ startable: [], compile },
    untilMs: commandMs() + request.timeLimitMs,
    source:
      cacheEntry === null
        ? { kind: "image", image }
        : { kind: "stored", name: storedImageName({ directory: cacheDirectory(process.env), ...cacheEntry }) },
    options: {
      ...DEFAULT_OPTIONS,
      arguments: ["program", ...request.args.map((text) => Buffer.from(text, "latin1"))],
      environment: ["PATH=/usr/bin:/bin", ...request.environment],
      workingDirectory: request.directory,
      stdin: Buffer.from(request.stdin, "latin1"),
      limits: {
        ...DEFAULT_LIMITS,
        milliseconds: request.timeLimitMs,
        instructions: Number(value("--fuel") ?? DEFAULT_LIMITS.instructions),
      },
    },
    check: { repeat: "for-stacks", leaks: options.includes("--leaks") },
  });
  if (ended.kind === "died") return { ...NOTHING, end: { kind: "failed", message: ended.message } };
  const { run } = ended;
  const { result } = run;
  return {
    end: run.finding === null ? endOf(result.end) : { kind: "finding" },
    findings: [...(run.finding === null ? [] : [run.finding]), ...run.leaks].map(findingOf),
    stdout: Buffer.from(result.stdout).toString("latin1"),
    stderr: Buffer.from(result.stderr).toString("latin1"),
    loadMs: milliseconds.load,
    translateMs: milliseconds.link + milliseconds.translate,
    runMs: result.elapsedMs,
    cpuMs: result.cpuMs,
    instructions: result.instructions,
  };
}

function endOf(end: RunEnd): VmEnd {
  switch (end.kind) {
    case "exit":
      return { kind: "exit", code: end.code };
    case "signal":
      return { kind: "signal", signal: end.signal };
    case "silent":
      return { kind: "exit", code: 0 };
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
