// What a campaign found, as one versioned value from which every report is made: terminal, HTML, SARIF, JUnit, Markdown.
// Plain JSON: bytes are base64, times milliseconds since the start. A reader of version N reads every file of version N;
// fields are added, never given another meaning.

import { type Finding, userFrameOf } from "../findings/finding.js";
import type { FindingIdentity } from "../findings/identity.js";
import { KINDS } from "../findings/kinds.js";
import { weightOf } from "../findings/severity.js";
import type { InputValue } from "../inputs/input-value.js";
import type { SourceFile } from "../jit/image.js";
import type { Sampled } from "../project/sample.js";
import type { SourceFrame } from "../vm/stack-trace.js";
import type { ComposeCampaignResult } from "./compose-result.js";
import type { PatchCampaignResult } from "./patch-result.js";

export const RESULT_VERSION = 2;

/** Of findings of composition: they begin at a function, not at the path of a test. */
export const NO_DISTANCE = -1;

export interface ResultFrame {
  readonly function: string;
  readonly file: string | null;
  readonly line: number;
  readonly column: number;
  /** "program", or whose code it is. */
  readonly origin: string;
}

/** One object of the input, as the test had it and as the witness has it. */
export interface ResultInput {
  /** arg0, stdin, file:/path. */
  readonly name: string;
  readonly seed: string;
  readonly witness: string;
}

export interface ResultFinding {
  /** Of its identity (findings/identity.ts): the same in every campaign and after every build. */
  readonly id: string;
  /** Others that it had: by the rule of versions before November 2026, or before its statement was edited. Whoever knows one finds it. */
  readonly formerIds?: readonly string[];
  /** What it was found in (finding-build.ts); absent in results of before November 2026. */
  readonly build?: {
    /** The program's content. */
    readonly program: string;
    /** Of files of the stack: what the compiler has read (MD5), where it said so. */
    readonly compiled: readonly SourceFile[];
    /** Of files of the stack: their content, and the name in the project's store of what is kept of it. */
    readonly sources: readonly { readonly file: string; readonly content: string; readonly kept: string }[];
    /** In words, if it is a version of the project that is not the files in it. */
    readonly version?: string;
  };
  /** What the id was made from, in words. */
  readonly identity: string;
  /** The same for all findings that have one cause; and that cause in words. */
  readonly group: string;
  readonly cause: string;
  /** The same as long as the source's lines say the same, wherever they have moved. */
  readonly fingerprint: string;
  readonly kind: string;
  readonly title: string;
  readonly sentence: string;
  readonly message: string;
  readonly severity: string;
  /** As CVSS counts (findings/severity.ts); absent in results of before it was. */
  readonly score?: number;
  readonly cwe: number;
  readonly access?: "read" | "write";
  readonly location: ResultFrame | null;
  readonly stack: readonly ResultFrame[];
  readonly object: {
    readonly kind: string;
    readonly name: string | null;
    readonly size: number;
    readonly offset: number;
    readonly file: string | null;
    readonly line: number;
    readonly allocation: readonly ResultFrame[];
    readonly free: readonly ResultFrame[];
  } | null;
  /** From the path of its test; NO_DISTANCE if it was not found by leaving that. */
  readonly distance: number;
  readonly depth: number;
  readonly foundMs: number;
  readonly program: string;
  readonly seedId: string;
  /** Its test was not recorded: a technique made it. */
  readonly isMade?: boolean;
  /** If moves made it: the recorded test they began with, its argv, and what was done to it, in words. */
  readonly moved?: {
    readonly from: string;
    readonly command: readonly string[];
    readonly steps: readonly string[];
  };
  /**
   * How composition came to it: a failing function led up its callers; the whole program explored; a test changed at random; a test changed
   * towards what some function needs to fail, which failed elsewhere.
   */
  readonly by?: "unit" | "main" | "edit" | "approach";
  /** argv of the test, and of the witness. */
  readonly seedCommand: readonly string[];
  readonly witnessCommand: readonly string[];
  readonly workingDirectory: string;
  readonly inputs: readonly ResultInput[];
  /** How far it was confirmed. */
  readonly confirmed: "vm" | "native" | "sanitizer";
  /** Of patch testing: whether the version before the patch fails on the same input too; absent if nobody looked. */
  readonly since?: "patch" | "before";
  /** It was in the baseline, and is no reason to fail. */
  readonly known?: boolean;
  /** The reason why tangent.toml suppresses it: it is shown, and no reason to fail. */
  readonly suppressed?: string;
  /** Findings that the run comes by first, reads that it goes on behind: their ids, and their places for a replay. */
  readonly behind?: readonly { readonly id: string; readonly place: string }[];
}

export interface ResultFile {
  readonly path: string;
  /** Lines that have code; those the tests reached; those only Tangent reached. */
  readonly lines: readonly number[];
  readonly byTests: readonly number[];
  readonly added: readonly number[];
}

export interface ResultSeed {
  readonly id: string;
  readonly program: string;
  readonly command: readonly string[];
  readonly stdinBytes: number | null;
  readonly files: readonly string[];
  readonly end: string;
  /** How it ends in the virtual machine, if that is another end. */
  readonly machineEnd?: string;
  /** The largest distance that was done. */
  readonly distance: number;
  readonly checks: number;
  readonly paths: number;
  readonly milliseconds: number;
  readonly skipped: string | null;
  /**
   * Of the dangerous operations on its own path that depend on its input: whether all, some or none were checked for all inputs;
   * absent if it was not looked at. And why not all.
   */
  readonly checked?: "all" | "part" | "none";
  readonly why?: readonly string[];
}

/** What every technique's results have. */
export interface CommonTotals {
  readonly paths: number;
  readonly queries: number;
  readonly solverMs: number;
  /** Runs that did not do what was predicted: our bugs. */
  readonly divergences: number;
  readonly unconfirmed: number;
}

export interface CommonResult {
  readonly version: typeof RESULT_VERSION;
  readonly tool: string;
  readonly project: string;
  /** Where its sources are, if the project is a folder that they are only built in. */
  readonly sources?: string;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly reason: "complete" | "time" | "aborted";
  readonly findings: readonly ResultFinding[];
  readonly files: readonly ResultFile[];
  readonly timeline: readonly { readonly ms: number; readonly blocks: number; readonly findings: number }[];
  /** The earlier results that these were compared with. */
  readonly baseline?: string;
  /** Why things were not explored, by reason. */
  readonly notExplored: Readonly<Record<string, number>>;
  /** What the user was told meanwhile: programs that could not be loaded, tests that were left out. */
  readonly notes?: readonly string[];
  /** Inputs that failed, but that there was no time to run again: replay does. */
  readonly seen?: readonly string[];
  /** What the user may do about findings that are alike. */
  readonly hints?: readonly string[];
}

/** Among `notExplored`: there was more to look at. */
export const TOOK_ALL_THEIR_TIME = "tests at a distance that took all of their time (limit)";

/** `tangent amplify` and `tangent test` (without --deep). */
export interface AmplifyCampaignResult extends CommonResult {
  readonly technique: "amplify";
  readonly totals: CommonTotals & {
    readonly seeds: number;
    readonly invocations: number;
    readonly distance: number;
    readonly checks: number;
    /** Inputs of another size, or with a further option, that were run; and those that were amplified. Absent if there are none. */
    readonly tried?: number;
    readonly moved?: number;
  };
  readonly seeds: readonly ResultSeed[];
  /** Only some of the tests were looked at, chosen at random: of how many, and how sure one can be. */
  readonly sampled?: Sampled;
  /** No check was made and nothing was found, so these results say nothing about the programs; and why. */
  readonly nothingChecked?: string;
}

/** By technique: a reader that knows only some of them looks at `technique` first. */
export type CampaignResult = AmplifyCampaignResult | PatchCampaignResult | ComposeCampaignResult;

/** Those that this version reads. */
export const TECHNIQUES = Object.keys({ amplify: true, patch: true, compose: true } satisfies Record<
  CampaignResult["technique"],
  true
>);

export interface FoundParts {
  readonly finding: Finding;
  readonly identity: FindingIdentity;
  readonly distance: number;
  readonly depth: number;
  readonly atMs: number;
  readonly program: string;
  readonly programContent: string;
  readonly compiled?: readonly SourceFile[];
  readonly seedId: string;
  readonly seedCommand: readonly string[];
  readonly witnessCommand: readonly string[];
  readonly workingDirectory: string;
  readonly seedValues: readonly InputValue[];
  readonly witness: readonly InputValue[];
}

export function resultFinding(parts: FoundParts): ResultFinding {
  const { finding } = parts;
  const kind = KINDS[finding.kind];
  const { severity, score, cwe } = weightOf(finding);
  const user = userFrameOf(finding);
  const { object } = finding;
  const seedBytes = new Map(parts.seedValues.map(({ name, bytes }) => [name, bytes]));
  return {
    id: parts.identity.id,
    formerIds: [parts.identity.formerId],
    build: { program: parts.programContent, compiled: parts.compiled ?? [], sources: [] },
    identity: parts.identity.identity,
    group: parts.identity.group,
    cause: parts.identity.cause,
    fingerprint: parts.identity.fingerprint,
    kind: finding.kind,
    title: kind.title,
    sentence: kind.sentence,
    message: finding.message,
    severity,
    score,
    cwe,
    ...(finding.access === null ? {} : { access: finding.access }),
    location: user === null ? null : frame(user),
    stack: finding.stack.map(frame),
    object:
      object === null
        ? null
        : {
            kind: object.kind,
            name: object.name,
            size: object.size,
            offset: object.offset,
            file: object.file,
            line: object.line,
            allocation: (object.allocationStack ?? []).map(frame),
            free: (object.freeStack ?? []).map(frame),
          },
    distance: parts.distance,
    depth: parts.depth,
    foundMs: Math.round(parts.atMs),
    program: parts.program,
    seedId: parts.seedId,
    seedCommand: parts.seedCommand,
    witnessCommand: parts.witnessCommand,
    workingDirectory: parts.workingDirectory,
    inputs: parts.witness.map(({ name, bytes }) => ({
      name,
      seed: base64(seedBytes.get(name) ?? new Uint8Array(0)),
      witness: base64(bytes),
    })),
    confirmed: "vm",
    ...(finding.behind === undefined ? {} : { behind: finding.behind }),
  };
}

function frame({ functionName, file, line, column, origin }: SourceFrame): ResultFrame {
  return { function: functionName, file, line, column, origin };
}
function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}
