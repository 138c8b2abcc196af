// `tangent report`: any of the reports again, from the results of the last campaign or of a file.

import { resolve } from "node:path";
import { findProject } from "../project/project-folder.js";
import { readBaseline, withKnown } from "../report/baseline.js";
import type { CampaignResult } from "../report/campaign-result.js";
import { EXPORT_KINDS, type ExportKind } from "../report/regression-test.js";
import { readResultFile } from "../report/result-file.js";
import { visible } from "../support/visible-text.js";
import { exportTests } from "./campaign-end.js";
import { defineCommand, USAGE_STATUS } from "./command.js";
import { withSettings } from "./project-settings.js";
import { REPORT_FORMATS, REPORT_OPTIONS, writeReport, writeReports, wrongTargets } from "./report-files.js";

export const command = defineCommand({
  name: "report",
  summary: "Write reports of the last campaign again",
  description: `Reads the results of the last campaign of this project (\`tangent test\`, \`amplify\`, \`patch\`, \`compose\`), or FILE, and writes the reports that are named, or
with --export the findings as tests. Without any, the HTML report of the project. Sources are shown as they are now.`,
  options: {
    ...REPORT_OPTIONS,
    baseline: { kind: "value", value: "FILE", help: "an earlier results.json: its findings are shown as known" },
    export: { kind: "value", value: "DIR", help: "write each finding as a regression test into DIR" },
    exportStyle: { kind: "choice", choices: EXPORT_KINDS, help: "how these tests are written (default shell)" },
  },
  operands: { results: { kind: "optional", value: "FILE", help: "a results.json (default: this project's)" } },
  run(options, { results: given }, context) {
    const baseline = readBaseline(options.baseline);
    const tests = exportOf(options.export, options.exportStyle, given);
    const results = tests.file;
    const wrong = baseline.kind === "wrong" ? baseline.message : (tests.wrong ?? wrongTargets(options));
    if (baseline.kind === "wrong" || wrong !== null) {
      context.error(`tangent report: ${wrong}\n`);
      return USAGE_STATUS;
    }
    const folder = findProject(process.cwd());
    const read = readResultFile(results === undefined ? folder.known("report", "results.json") : resolve(results));
    if (read.kind === "unreadable") {
      context.error(`tangent report: ${visible(read.message)}\n`);
      return 3;
    }
    const compared: CampaignResult =
      baseline.kind === "none"
        ? read.result
        : {
            ...read.result,
            baseline: baseline.path,
            findings: withKnown(read.result.findings, baseline.findings),
          };
    const result = withSettings(compared, folder);
    const { target } = tests;
    const isExported = target === null || exportTests(folder, result, tests.style, target, context);
    if (REPORT_FORMATS.every((format) => options[format] === undefined)) {
      if (target !== null) return isExported ? 0 : 3;
      const page = folder.file("report", "index.html");
      if (!writeReport(folder, result, "html", page, context)) return 3;
      context.out(`${page}\n`);
      return 0;
    }
    return writeReports(folder, result, options, context) && isExported ? 0 : 3;
  },
});

interface TestExport {
  readonly target: string | null;
  readonly style: ExportKind;
  /** The results to read. */
  readonly file: string | undefined;
  readonly wrong: string | null;
}

/** `--export DIR`; and, as the other commands have it, `--export shell DIR`. */
function exportOf(target: string | undefined, style: ExportKind | undefined, file: string | undefined): TestExport {
  if (target === undefined) {
    const wrong = style === undefined ? null : "--export-style says how --export DIR writes its tests: give both";
    return { target: null, style: "shell", file, wrong };
  }
  const kind = EXPORT_KINDS.find((name) => name === target);
  if (kind !== undefined && file !== undefined) return { target: file, style: kind, file: undefined, wrong: null };
  return { target, style: style ?? "shell", file, wrong: null };
}
