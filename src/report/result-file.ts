// Reading results.json again: what another version or an editor may have made of it is a message, never an exception
// somewhere inside a report.

import { readRegularFile } from "../support/regular-file.js";
import { type CampaignResult, RESULT_VERSION, type ResultFinding, TECHNIQUES } from "./campaign-result.js";
import { namedBy } from "./named-findings.js";
import { isCampaignResult } from "./result-shape.js";

export type ReadResult =
  | { readonly kind: "result"; readonly result: CampaignResult }
  | { readonly kind: "unreadable"; readonly message: string };

/** As much text as there can be. */
const MOST_BYTES = 0x1fff_ffe8;

export function readResultFile(path: string): ReadResult {
  let text: string;
  try {
    text = readRegularFile(path, { mostBytes: MOST_BYTES }).toString();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const message = code === "ENOENT" ? `there is no ${path}; run \`tangent test -- make check\` first` : String(error);
    return { kind: "unreadable", message };
  }
  return parseResult(text, path);
}

export function parseResult(text: string, path: string): ReadResult {
  let value: { readonly version?: unknown; readonly technique?: unknown };
  try {
    value = JSON.parse(text) as { readonly version?: unknown; readonly technique?: unknown };
  } catch {
    return { kind: "unreadable", message: `${path} is not JSON; was it cut short? Run \`tangent amplify\` again` };
  }
  if (value === null || typeof value !== "object" || typeof value.version !== "number") {
    return { kind: "unreadable", message: `${path} is not a file of results of tangent` };
  }
  if (value.version !== RESULT_VERSION) {
    return {
      kind: "unreadable",
      message: `${path} has version ${value.version} of the results, this tangent reads ${RESULT_VERSION}; make it again with \`tangent amplify\``,
    };
  }
  if (!TECHNIQUES.some((name) => name === value.technique)) {
    const name = JSON.stringify(value.technique ?? null).slice(0, 40);
    return {
      kind: "unreadable",
      message: `${path} has results of the technique ${name}, and this tangent reads ${TECHNIQUES.join(", ")}`,
    };
  }
  if (!isCampaignResult(value)) {
    return {
      kind: "unreadable",
      message: `${path} lacks parts of the results, or has others in their place; make it again with \`tangent amplify\``,
    };
  }
  return { kind: "result", result: value };
}

export type FoundById =
  | { readonly kind: "found"; readonly finding: ResultFinding }
  | { readonly kind: "none"; readonly message: string };

/** By the beginning of its id, if only one has it. */
export function findingById({ findings }: Pick<CampaignResult, "findings">, id: string): FoundById {
  const matching = namedBy(findings, id);
  if (matching.length === 1) return { kind: "found", finding: matching[0] };
  const known = findings.length === 0 ? "there are none" : findings.map((finding) => finding.id).join(", ");
  const what = matching.length > 1 ? "several findings begin with" : "there is no finding";
  return { kind: "none", message: `${what} ${id}; the findings are: ${known}` };
}
