// What a run's folder already holds when it is continued. After a kill, paths that were finished but may not have been written
// are run again; with this, each gets the test it has none of, and no finding is reported twice.
//
// Invariant: a file in the folder is whole, because it is written under another name first; a finding's folder is whole if it has
// its finding.json, which comes last. What a kill left behind of others is removed.

import { createHash } from "node:crypto";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readRegularFile } from "../support/regular-file.js";
import { UNFINISHED } from "./file-writer.js";

export const FINDING_FILE = "finding.json";

export class EarlierTests {
  private readonly tests = new Set<string>();
  private readonly findings = new Set<string>();

  constructor(folder: string) {
    removeUnfinished(folder);
    for (const name of namesIn(folder)) {
      if (name.endsWith(".ktest")) this.tests.add(hashOf(readRegularFile(join(folder, name))));
    }
    const findings = join(folder, "findings");
    for (const name of namesIn(findings)) {
      const path = join(findings, name, FINDING_FILE);
      if (existsSync(path)) this.findings.add(idIn(readRegularFile(path).toString()));
      else rmSync(join(findings, name), { recursive: true, force: true });
    }
  }

  hasTest(ktest: Uint8Array): boolean {
    return this.tests.has(hashOf(ktest));
  }

  /** By its identity. */
  hasFinding(id: string): boolean {
    return this.findings.has(id);
  }
}

/** Empty if it says none, as folders of earlier versions do: then the finding is written once more. */
function idIn(json: string): string {
  try {
    const { id } = JSON.parse(json) as { readonly id?: unknown };
    return typeof id === "string" ? id : "";
  } catch {
    return "";
  }
}

function removeUnfinished(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) removeUnfinished(path);
    else if (entry.name.endsWith(UNFINISHED)) rmSync(path, { force: true });
  }
}

function namesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
