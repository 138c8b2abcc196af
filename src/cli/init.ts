// `tangent init`: looks at the directory, writes tangent.toml, and says what it found, what it takes and why.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { BUILD_SYSTEMS, type BuildSystem, type Candidate } from "../project/build-systems.js";
import { CONFIG_NAME } from "../project/config.js";
import { type Detected, detectBuildSystems, detectNamed, surroundingsOf } from "../project/detect.js";
import { findFuzzTargets } from "../project/fuzz-targets.js";
import { writeSafely } from "../project/project-folder.js";
import { type CommandContext, defineCommand, USAGE_STATUS } from "./command.js";

export const command = defineCommand({
  name: "init",
  summary: "Write a tangent.toml for the project in this directory",
  description: `Finds out how the project is built and tested (autotools, CMake, Meson, a configure script of its own, make, plain C files) and writes it
down in tangent.toml, which \`tangent build\` and \`tangent test\` read. Of several build systems the one is taken whose tools are on PATH and
which has tests; --build-system takes another. An existing file is left alone, unless --force is given. Nothing is built or run.`,
  options: {
    buildSystem: { kind: "choice", choices: BUILD_SYSTEMS, help: "build with this one" },
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
    const chosen = choose(root, options.buildSystem, context);
    if (chosen === "absent") return USAGE_STATUS;
    const text = configText(chosen);
    if (options.print) {
      context.out(text);
      return 0;
    }
    writeSafely(path, text);
    if (chosen === null) {
      context.error(
        `tangent: found no build system and no C file in ${root}; fill in ${CONFIG_NAME}, then: tangent test\n`,
      );
      return 0;
    }
    context.error(`tangent:   build: ${chosen.build}\n`);
    context.error(`tangent:   tests: ${chosen.test ?? "none found"}\n`);
    for (const note of chosen.notes) context.error(`tangent: note: ${note}\n`);
    if (chosen.missing.length > 0) {
      context.error(`tangent: WARNING: not found on PATH: ${chosen.missing.join(", ")}; install it before you build\n`);
    }
    const { targets } = findFuzzTargets(root);
    if (targets.length > 0) {
      const what = targets.length === 1 ? "a fuzz target" : `${targets.length} fuzz targets`;
      context.error(`tangent: note: this project has ${what}; \`tangent fuzz\` looks for bugs next to its inputs\n`);
    }
    const next =
      chosen.test === null
        ? "say in it what runs the tests (`test = …`), then: tangent test. Without tests: tangent build, then tangent explore PROGRAM"
        : "see that it is right, then: tangent test";
    context.error(`tangent: written to ${CONFIG_NAME}; ${next}\n`);
    return 0;
  },
});

/** "absent": the one that was asked for is not there, which has been told. */
function choose(root: string, named: BuildSystem | undefined, context: CommandContext): Candidate | null | "absent" {
  const surroundings = surroundingsOf(context.env);
  const { seen, taken, why } = detectBuildSystems(root, surroundings);
  const systems = seen.map(({ system }) => system).join(", ");
  if (named === undefined) {
    if (taken === null) return null;
    context.error(`tangent: this is a project of ${taken.what}\n`);
    if (seen.length > 1) {
      context.error(`tangent: also seen: ${why}\n`);
      context.error(`tangent: --build-system takes another one (${systems})\n`);
    }
    return taken;
  }
  const found = detectNamed(named, root, surroundings);
  if (found === null) {
    const there = seen.length === 0 ? "no build system was found here" : `found here: ${systems}`;
    context.error(`tangent init: there is nothing of ${named} in ${root}; ${there}\n`);
    return "absent";
  }
  context.error(`tangent: ${found.what}, as you said\n`);
  return found;
}

function configText(found: Detected | null): string {
  return `# Tangent's view of this project${found === null ? "" : `: ${found.what}`}.
# \`tangent test\` builds it, runs its tests, and looks for bugs next to them.

# Run by sh in a copy of the sources (.tangent/build); $CC is tangent cc.
${found === null ? '# build = "make"' : `build = ${JSON.stringify(found.build)}`}

# Run by sh in the same place.
${found?.test == null ? '# test = "make check"' : `test = ${JSON.stringify(found.test)}`}

# The programs under test; all that tangent cc built, if this is left out.
# programs = ["src/prog"]

# Whether strings and byte arrays in the tests' own sources are input: "auto" (in tests of libraries), "on", "off".
# literals = "auto"

[limits]
time = "5m"        # for all tests together
# distance = 8     # how far from the tests' own paths
# seed-time = "30s"  # for one test at one distance
# sample = 100     # so many tests, chosen at random

# Libraries of the system that the programs call, as sources: a call into one ends a run otherwise.
# [libraries]
# z = "../zlib-1.3"
`;
}
