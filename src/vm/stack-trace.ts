// From V8's stack text to source frames. V8 names a frame of generated code by function index and the byte offset of
// the call or trapping instruction in the module; the image's tables turn that into source positions, one per level of
// inlining. The text is parsed rather than Error.prepareStackTrace hooked, since that hook is global to the process.

import type { FunctionInfo, ProgramImage } from "../jit/image.js";
import { NO_LOCATION } from "../jit/line-table.js";
import type { WasmFrame } from "./run-end.js";

/** Deep enough for any report; deeper frames are dropped. */
export const TRACE_LIMIT = 256;

export interface SourceFrame {
  readonly functionName: string;
  readonly origin: FunctionInfo["origin"];
  readonly file: string | null;
  readonly line: number;
  readonly column: number;
}

/** The frames of generated code in an exception, innermost first. */
export function wasmFrames(error: Error): WasmFrame[] {
  const frames: WasmFrame[] = [];
  for (const match of (error.stack ?? "").matchAll(/wasm-function\[(\d+)\]:0x([0-9a-f]+)/g)) {
    frames.push({ functionIndex: Number(match[1]), offset: Number.parseInt(match[2], 16) });
  }
  return frames;
}

/** The stack of generated code at this moment. */
export function captureFrames(): WasmFrame[] {
  return withDeepTraces(() => wasmFrames(new Error("trace")));
}

/** Runs `body` with room for TRACE_LIMIT frames in the exceptions it makes. */
function withDeepTraces<T>(body: () => T): T {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = TRACE_LIMIT;
  try {
    return body();
  } finally {
    Error.stackTraceLimit = before;
  }
}

/** Source positions of the frames, innermost first, inlined calls unfolded. */
export function sourceFrames(image: ProgramImage, frames: readonly WasmFrame[]): SourceFrame[] {
  const result: SourceFrame[] = [];
  for (const frame of frames) {
    const info = image.functions[frame.functionIndex - image.importCount];
    if (info === undefined) continue;
    let location = locationAt(image, frame.offset);
    if (location < 0) {
      result.push({ functionName: info.name, origin: info.origin, file: info.file, line: info.line, column: 0 });
      continue;
    }
    while (location >= 0) {
      const at = image.locations[location];
      result.push({
        functionName: at.functionName,
        origin: at.origin,
        file: at.file === "" ? null : at.file,
        line: at.line,
        column: at.column,
      });
      location = at.inlinedAt;
    }
  }
  return result;
}

/**
 * The machinery's own helpers say nothing to a user; malloc and free do, although they are ours too. So of trusted
 * functions that call each other only the outermost is shown, the one the program or its C library called.
 */
export function visibleFrames(frames: readonly SourceFrame[]): SourceFrame[] {
  return frames.filter((frame, index) => {
    if (frame.functionName.startsWith("__tangent_")) return false;
    return frame.origin !== "trusted" || frames[index + 1]?.origin !== "trusted";
  });
}

/** Index into `locations` of the instruction at a byte offset; -1 if no position is known there. */
function locationAt(image: ProgramImage, offset: number): number {
  const { codeOffsets } = image;
  let low = 0;
  let high = codeOffsets.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (codeOffsets[middle] <= offset) low = middle + 1;
    else high = middle;
  }
  const found = low === 0 ? NO_LOCATION : image.codeLocations[low - 1];
  return found === NO_LOCATION ? -1 : found;
}
