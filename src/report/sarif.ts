// SARIF 2.1.0, for code hosts and editors that show findings in the source. Kinds are rules; a finding has two fingerprints, its
// identity and that of its source text (findings/identity.ts), so that a host knows it again after the code around it moved. The other
// places of the same cause are related locations. The code flow is the way there: allocation, free, then the calls from main to the
// place.

import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import { tellsReads } from "../findings/severity.js";
import { visible, visibleJson } from "../support/visible-text.js";
import type { CampaignResult, ResultFinding, ResultFrame } from "./campaign-result.js";
import { divergencesInWords } from "./divergences.js";
import { sampledInWords } from "./extent.js";
import { othersOf } from "./finding-groups.js";
import {
  asSentence,
  byImportance,
  changedInputs,
  changeInWords,
  commandSegments,
  commandsOf,
  failsUnchanged,
  pathsBelow,
  pathsOf,
  plainText,
  readsStdin,
  shownWords,
  testIdOf,
  variablesInFront,
} from "./finding-view.js";
import { TARGET_RULES, type TargetNote, targetNotes } from "./patch-sarif.js";
import { sourcePath } from "./source-path.js";

const SOURCE_ROOT = "SRCROOT";
const IDENTITY = "tangentIdentity/v3";
const FINGERPRINT = "tangentSource/v1";
const TARGET = "tangentTarget/v1";
const OTHERS_LIMIT = 20;

/** SARIF has three levels; code hosts sort by the number, as CVSS counts. Findings of older results have no score. */
const LEVELS: { readonly [severity: string]: { readonly level: string; readonly score: number } } = {
  critical: { level: "error", score: 9.1 },
  high: { level: "error", score: 7.8 },
  medium: { level: "warning", score: 5.5 },
  low: { level: "note", score: 3.3 },
};

/** Code hosts show a rule's severity, not a result's: what differs in severity is a rule of its own. */
function ruleIdOf({ kind, access, severity }: ResultFinding): string {
  if (access !== "read" || !tellsReads(kind)) return kind;
  return severity === "low" ? `${kind}-near-read` : `${kind}-read`;
}

interface Location {
  readonly physicalLocation?: object;
  readonly logicalLocations?: readonly object[];
  readonly message?: { readonly text: string };
}

export function renderSarif(result: CampaignResult): string {
  const findings = byImportance(result.findings);
  const kinds = [...new Map(findings.map((finding) => [ruleIdOf(finding), finding])).values()].sort((a, b) =>
    ruleIdOf(a) < ruleIdOf(b) ? -1 : 1,
  );
  const ruleOf = new Map(kinds.map((finding, index) => [ruleIdOf(finding), index]));
  const notes = result.technique === "patch" ? targetNotes(result) : [];
  const ownRules = notes.length === 0 ? [] : TARGET_RULES;
  const [name, version = "0"] = result.tool.split(" ");
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name,
            semanticVersion: version,
            version,
            rules: [...kinds.map((kind) => rule(kind, findings)), ...ownRules],
          },
        },
        automationDetails: { id: "tangent/" },
        originalUriBaseIds: { [SOURCE_ROOT]: { uri: `${pathToFileURL(rootOf(result)).href.replace(/\/$/, "")}/` } },
        columnKind: "unicodeCodePoints",
        invocations: [invocation(result)],
        results: [
          ...findings.map((finding) => sarifResult(finding, result, ruleOf.get(ruleIdOf(finding)) ?? 0)),
          ...notes.map((note) => noteResult(note, rootOf(result), kinds.length)),
        ],
      },
    ],
  };
  return visibleJson(log, 2);
}

/** What paths of sources are relative to. */
function rootOf({ project, sources }: CampaignResult): string {
  return sources ?? project;
}

function invocation(result: CampaignResult): object {
  const diverged = divergencesInWords(result);
  const sampled = result.technique === "amplify" ? sampledInWords(result).trimEnd() : "";
  const notes = [
    ...(diverged === null ? [] : [{ level: "warning", message: { text: `${diverged}.` } }]),
    ...(sampled === "" ? [] : [{ level: "note", message: { text: sampled } }]),
  ];
  return {
    executionSuccessful: true,
    startTimeUtc: result.startedAt,
    endTimeUtc: endOf(result),
    ...(notes.length === 0 ? {} : { toolExecutionNotifications: notes }),
  };
}

function endOf({ startedAt, durationMs }: CampaignResult): string {
  const start = Date.parse(startedAt);
  return Number.isNaN(start) ? startedAt : new Date(start + durationMs).toISOString();
}

function rule(finding: ResultFinding, findings: readonly ResultFinding[]): object {
  const { level, score } = LEVELS[finding.severity] ?? LEVELS.low;
  const id = ruleIdOf(finding);
  const title = id === finding.kind ? finding.title : `${finding.title}, read`;
  const weaknesses = new Set(findings.flatMap((one) => (ruleIdOf(one) === id ? [one.cwe] : [])));
  return {
    id,
    name: title.replace(/\b\w/g, (letter) => letter.toUpperCase()).replace(/[ ,]/g, ""),
    shortDescription: { text: plain(title) },
    fullDescription: { text: plain(finding.sentence) },
    help: {
      text: `${plain(finding.sentence)} Run it again with \`tangent replay ID\`; see why with \`tangent explain ID\`.`,
    },
    helpUri: `https://cwe.mitre.org/data/definitions/${finding.cwe}.html`,
    defaultConfiguration: { level },
    properties: {
      tags: ["security", ...[...weaknesses].map((cwe) => `external/cwe/cwe-${String(cwe).padStart(3, "0")}`)],
      precision: "very-high",
      "security-severity": (finding.score ?? score).toFixed(1),
    },
  };
}

function sarifResult(finding: ResultFinding, result: CampaignResult, ruleIndex: number): object {
  const { baseline } = result;
  const project = rootOf(result);
  const shown = pathsOf(result);
  const place = (frame: ResultFrame, message: string): Location => locationOf(frame, project, message);
  const object = finding.object;
  const changed = changeInWords(changedInputs(finding, shown));
  const words = shownWords(commandsOf(finding).witness, shown);
  const command = `${variablesInFront(finding)}${plainText(commandSegments(words, words))}${readsStdin(finding) ? " < stdin" : ""}`;
  const why = changed === null ? failsUnchanged(finding) : `Compared with the test, ${changed} changed`;
  const related: object[] = [];
  const firstOf = (stack: readonly ResultFrame[]): ResultFrame | undefined =>
    stack.find(({ origin, file }) => origin === "program" && file !== null);
  for (const [stack, text] of [
    [object?.free ?? [], "freed here"],
    [object?.allocation ?? [], "allocated here"],
  ] as const) {
    const frame = firstOf(stack);
    if (frame !== undefined) related.push({ id: related.length + 1, ...place(frame, text) });
  }
  for (const other of othersOf(finding, result.findings).slice(0, OTHERS_LIMIT)) {
    if (other.location === null) continue;
    related.push({ id: related.length + 1, ...place(other.location, `the same cause: ${other.id}`) });
  }
  const located = finding.location !== null && finding.location.file !== null ? [finding.location] : [];
  return {
    ruleId: ruleIdOf(finding),
    ruleIndex,
    level: (LEVELS[finding.severity] ?? LEVELS.low).level,
    message: {
      text: plain(
        `${finding.title}: ${asSentence(finding.message)} ${why}: ${command}. Run it with: tangent replay ${finding.id}`,
      ),
    },
    locations: located.map((frame) => locationOf(frame, project, null)),
    partialFingerprints: { [IDENTITY]: finding.id, [FINGERPRINT]: finding.fingerprint },
    ...(baseline === undefined ? {} : { baselineState: finding.known === true ? "unchanged" : "new" }),
    ...(finding.suppressed === undefined
      ? {}
      : { suppressions: [{ kind: "external", status: "accepted", justification: finding.suppressed }] }),
    ...(related.length === 0 ? {} : { relatedLocations: related }),
    ...(finding.stack.length === 0
      ? {}
      : {
          stacks: [
            {
              message: { text: "where it was" },
              frames: finding.stack.map((frame) => ({ location: place(frame, `in ${frame.function}`) })),
            },
          ],
          codeFlows: [{ message: { text: "how it gets there" }, threadFlows: [{ locations: flow(finding, place) }] }],
        }),
    properties: {
      id: finding.id,
      cwe: finding.cwe,
      group: finding.group,
      cause: finding.cause,
      distance: finding.distance,
      depth: finding.depth,
      confirmed: finding.confirmed,
      test: testIdOf(finding),
      severity: finding.severity,
    },
  };
}

/** `firstRule`: where the rules of notes begin. */
function noteResult({ ruleId, text, target, fingerprint }: TargetNote, project: string, firstRule: number): object {
  const { file, function: name, line, column, lines } = target;
  const location = locationOf({ function: name, file, line, column, origin: "program" }, project, null);
  return {
    ruleId,
    ruleIndex: firstRule + TARGET_RULES.findIndex(({ id }) => id === ruleId),
    level: "note",
    message: { text: plain(text) },
    locations: [location],
    partialFingerprints: { [TARGET]: fingerprint },
    properties: { target: target.id, changedLines: lines },
  };
}

/** In the order in which things happened: what was allocated, what was freed, then the calls, outermost first. */
function flow(finding: ResultFinding, place: (frame: ResultFrame, message: string) => Location): object[] {
  const steps: Location[] = [];
  const { object } = finding;
  for (const [stack, text] of [
    [object?.allocation ?? [], "the block is allocated"],
    [object?.free ?? [], "the block is freed"],
  ] as const) {
    const frame = stack.find(({ origin }) => origin === "program");
    if (frame !== undefined) steps.push(place(frame, text));
  }
  const calls = [...finding.stack].reverse();
  for (const [index, frame] of calls.entries()) {
    steps.push(
      place(
        frame,
        index === calls.length - 1 ? finding.message : `${frame.function} calls ${calls[index + 1].function}`,
      ),
    );
  }
  return steps.map((location, index) => ({
    executionOrder: index + 1,
    importance: index === steps.length - 1 ? "essential" : "important",
    location,
  }));
}

function locationOf(frame: ResultFrame, project: string, message: string | null): Location {
  const { file } = frame;
  return {
    ...(file === null
      ? {}
      : {
          physicalLocation: {
            artifactLocation: artifact(file, project),
            ...(frame.line < 1
              ? {}
              : { region: { startLine: frame.line, ...(frame.column < 1 ? {} : { startColumn: frame.column }) } }),
          },
        }),
    logicalLocations: [{ name: visible(frame.function), kind: "function" }],
    ...(message === null ? {} : { message: { text: plain(message) } }),
  };
}

/** One line with nothing hidden, and no link: SARIF takes a text in brackets before an address for one. */
function plain(text: string): string {
  return visible(text).replaceAll("](", "] (");
}

function artifact(file: string, project: string): object {
  const below = sourcePath(file, pathsBelow(project));
  if (isAbsolute(below) || below.startsWith("..")) return { uri: pathToFileURL(file).href };
  // Half a character cannot be encoded.
  return {
    uri: below
      .replace(/\p{Cs}/gu, "\ufffd")
      .split("/")
      .map(encodeURIComponent)
      .join("/"),
    uriBaseId: SOURCE_ROOT,
  };
}
