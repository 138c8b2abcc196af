// `tangent init`: looks at the directory, writes tangent.toml, and says what it found.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { CONFIG_NAME } from "../project/config.js";
import { type Detected, detectProject } from "../project/detect.js";
import { writeSafely } from "../project/project-folder.js";
import { defineCommand } from "./command.js";

export const command = defineCommand({
  name: "init",
  summary: "Write a tangent.toml for the project in this directory",
  description: `Finds out how the project is built and tested (autotools, CMake, Meson, make, a single C file) and writes it down in tangent.toml,
which \`tangent build\` and \`tangent test\` read. An existing file is left alone, unless --force is given. Nothing is built or run.`,
  options: {
    force: { kind: "flag", help: "replace an existing tangent.toml" },
    print: { kind: "flag", help: "only print what would be written" },
  },
  operands: {},
  run(options, _operands, context) {
    const root = process.cwd();
    const path = join(root, CONFIG_NAME);
    if (existsSync(path) && !options.force && !options.print) {
      context.error(`tangent init: ${CONFIG_NAME} is there already; --force replaces it, --print shows the new one\n`);
      return 2;
    }
    const found = detectProject(root);
    const text = configText(found);
    if (options.print) {
      context.out(text);
      return 0;
    }
    writeSafely(path, text);
    if (found === null) {
      context.error(
        `tangent: found no build system and no C file in ${root}; fill in ${CONFIG_NAME}, then: tangent test\n`,
      );
      return 0;
    }
    context.error(`tangent: this is a project of ${found.what}\n`);
    context.error(`tangent:   build: ${found.build}\n`);
    context.error(`tangent:   tests: ${found.test ?? "none found"}\n`);
    for (const note of found.notes) context.error(`tangent: note: ${note}\n`);
    context.error(`tangent: written to ${CONFIG_NAME}; see that it is right, then: tangent test\n`);
    return 0;
  },
});

export function configText(found: Detected | null): string {
  return `# Tangent's view of this project${found === null ? "" : `: ${found.what}`}.
# \`tangent test\` builds it, runs its tests, and looks for bugs next to them.

# Run by sh in a copy of the sources (.tangent/build); $CC is tangent cc.
${found === null ? '# build = "make"' : `build = ${JSON.stringify(found.build)}`}

# Run by sh in the same place.
${found?.test == null ? '# test = "make check"' : `test = ${JSON.stringify(found.test)}`}

# The programs under test; all that tangent cc built, if this is left out.
# programs = ["src/prog"]

[limits]
time = "5m"        # for all tests together
# distance = 8     # how far from the tests' own paths
# seed-time = "30s"  # for one test at one distance
# sample = 100     # so many tests, chosen at random
`;
}
