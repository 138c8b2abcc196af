// `tangent merge`: the results of several machines become one.

import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { findProject } from "../project/project-folder.js";
import { readBaseline, withKnown } from "../report/baseline.js";
import { extent } from "../report/extent.js";
import { counted } from "../report/finding-view.js";
import { mergeResults, type NamedResult } from "../report/merge-results.js";
import { readResultFile } from "../report/result-file.js";
import { visible } from "../support/visible-text.js";
import { statusOfResult, writeResults } from "./campaign-end.js";
import { defineCommand, USAGE_STATUS } from "./command.js";
import { withSettings } from "./project-settings.js";
import { isPrinted, REPORT_OPTIONS, writeReport, writeReports, wrongTargets } from "./report-files.js";

export const command = defineCommand({
  name: "merge",
  summary: "Put the results of several machines together (--shard)",
  description: `Reads the results of \`tangent test --shard K/N\` (or amplify) of several machines, and writes what one machine would have
written: the project's results, its HTML report, and the reports that are named. The same finding is shown once.

The exit status is 0 if nothing was found, 1 if something was, 2 for a usage error, 3 if something could not be read or written.`,
  options: {
    ...REPORT_OPTIONS,
    baseline: { kind: "value", value: "FILE", help: "an earlier results.json: its findings are shown as known" },
  },
  operands: {
    first: { kind: "one", value: "RESULTS", help: "a results.json, or a folder with one (.tangent/report)" },
    more: { kind: "any", value: "RESULTS", help: "and others" },
  },
  run(options, { first, more }, context) {
    const wrong = wrongTargets(options);
    const baseline = readBaseline(options.baseline);
    if (wrong !== null || baseline.kind === "wrong") {
      context.error(`tangent merge: ${wrong ?? (baseline.kind === "wrong" ? baseline.message : "")}\n`);
      return USAGE_STATUS;
    }
    const given: NamedResult[] = [];
    for (const path of [first, ...more]) {
      const read = readResultFile(fileAt(path));
      if (read.kind === "unreadable") {
        context.error(`tangent merge: ${visible(read.message)}\n`);
        return 3;
      }
      given.push({ path, result: read.result });
    }
    const merged = mergeResults(given);
    if (merged.kind === "wrong") {
      context.error(`tangent merge: ${visible(merged.message)}\n`);
      return 3;
    }
    const folder = findProject(process.cwd());
    const known =
      baseline.kind === "none"
        ? merged.result
        : {
            ...merged.result,
            baseline: baseline.path,
            findings: withKnown(merged.result.findings, baseline.findings),
          };
    const result = withSettings(known, folder);
    const isSaved = writeResults(folder, result, context);
    const page = folder.file("report", "index.html");
    const isShown = writeReport(folder, result, "html", page, context);
    const isWritten = writeReports(folder, result, options, context) && isSaved && isShown;
    const tell = isPrinted(options) ? context.error : context.out;
    tell(
      `tangent: ${counted(given.length, "part")} merged: ${extent(merged.result)}, ` +
        `${counted(result.findings.length, "finding")}; report: ${page}\n`,
    );
    return statusOfResult({ result, isWritten });
  },
});

function fileAt(path: string): string {
  const whole = resolve(path);
  return statSync(whole, { throwIfNoEntry: false })?.isDirectory() === true ? join(whole, "results.json") : whole;
}
