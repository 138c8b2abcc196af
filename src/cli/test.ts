// `tangent test -- make check`: record the tests, amplify them, report. The one command for somebody who has never heard of
// symbolic execution.

import { findProject } from "../project/project-folder.js";
import { SeedStore } from "../project/seed-store.js";
import { findPrograms } from "../project/stand-ins.js";
import { AMPLIFY_OPTIONS, amplify } from "./amplify.js";
import { defineCommand } from "./command.js";
import { recordTests } from "./record.js";

export const command = defineCommand({
  name: "test",
  summary: "Run the project's tests and look for bugs next to them",
  description: `Runs CMD (the project's own test command) as \`tangent record\` does, then amplifies what was recorded as \`tangent amplify\` does.
The programs must have been built with CC="tangent cc".

The exit status is 0 if nothing was found, 1 if something was, 2 for a usage error, 3 for trouble with the build or the environment.
A test suite that fails is no reason to stop; its status is told.`,
  options: AMPLIFY_OPTIONS,
  operands: {
    command: { kind: "optional", value: "CMD", help: "what runs the tests, such as `make check`" },
    words: { kind: "rest", value: "ARG", help: "its arguments" },
  },
  async run(options, { command: program, words }, context) {
    const rest = program === undefined ? [] : [program, ...words];
    if (rest.length === 0) {
      context.error("tangent test: name the command that runs the tests: tangent test -- make check\n");
      return 2;
    }
    const folder = findProject(process.cwd());
    const recorded = await recordTests(folder.root, findPrograms(folder.root), rest, context);
    if (recorded === null) return 3;
    if (recorded.status !== 0) {
      const how = recorded.status === null ? `by ${recorded.signal}` : `with status ${recorded.status}`;
      context.error(`tangent: note: the tests ended ${how}\n`);
    }
    const result = await amplify(folder, new SeedStore(folder).list(), options, context);
    return result === null ? 3 : result.findings.length > 0 ? 1 : 0;
  },
});
