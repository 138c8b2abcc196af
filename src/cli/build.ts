// `tangent build`: the project's own build, with `tangent cc` as its compiler, in a copy of the sources.

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { withSanitizerMacros } from "../frontend/sanitizer-macros.js";
import { copySources } from "../project/build-copy.js";
import { readConfig } from "../project/config.js";
import { detectProject } from "../project/detect.js";
import { findProject, type ProjectFolder } from "../project/project-folder.js";
import { lockProject } from "../project/project-lock.js";
import { findPrograms } from "../project/stand-ins.js";
import { ProjectState } from "../project/state-folder.js";
import { type CommandContext, defineCommand } from "./command.js";

const TANGENT = fileURLToPath(new URL("../../../bin/tangent", import.meta.url));

export const command = defineCommand({
  name: "build",
  summary: "Build the project with tangent cc, in a copy of its sources",
  description: `Copies what has changed to .tangent/build and runs the build command there (CMD, else the one in tangent.toml, else the usual one for
this kind of project), with CC, AR, RANLIB and NM set to tangent's. The project's own build is not touched.

The exit status is 0, or 3 if the build failed or made no program.`,
  options: {},
  operands: {
    command: { kind: "optional", value: "CMD", help: "what builds the project, such as `make`" },
    words: { kind: "rest", value: "ARG", help: "its arguments" },
  },
  async run(_options, { command: program, words }, context) {
    const folder = findProject(process.cwd());
    const lock = lockProject(folder, new ProjectState(folder.root, context.env), "build");
    if (lock.kind === "busy") {
      context.error(`tangent: ${lock.message}\n`);
      return 3;
    }
    const given = program === undefined ? null : [program, ...words].map(quoted).join(" ");
    const built = await buildProject(folder, given, context);
    return built === null ? 3 : 0;
  },
});

export interface Built {
  /** Where it was built, and where the tests are to run. */
  readonly directory: string;
  readonly programs: readonly string[];
}

/** Null if it failed; the reason has been told. */
export async function buildProject(
  folder: ProjectFolder,
  given: string | null,
  context: CommandContext,
): Promise<Built | null> {
  const config = readConfig(folder.root);
  if (config.kind === "wrong") {
    context.error(`tangent: ${config.problem}\n`);
    return null;
  }
  const configured = config.kind === "config" ? config.config.build : null;
  const env = withSanitizerMacros(context.env, config.kind === "config" && config.config.sanitizerMacros);
  const script = given ?? configured ?? detectProject(folder.root)?.build ?? null;
  if (script === null) {
    context.error(
      `tangent: nothing says how to build ${folder.root}; see \`tangent init\`, or: tangent build -- make\n`,
    );
    return null;
  }
  const { directory, copied, files } = copySources(folder);
  context.error(`tangent: building in ${directory} (${copied} of ${files} files copied): ${script}\n`);
  return buildIn({ directory, sources: directory, shownAs: folder.root }, script, { ...context, env });
}

export interface BuildPlace {
  /** Where the command runs; programs are looked for below. */
  readonly directory: string;
  /** The top of the sources that are built, and what its files are called in reports: the user's own files. */
  readonly sources: string;
  readonly shownAs: string;
}

/** Runs a build command with our compiler. Null if it failed; the reason has been told. */
export async function buildIn(place: BuildPlace, script: string, context: CommandContext): Promise<Built | null> {
  const { directory } = place;
  const status = await runShell(script, directory, { ...context.env, ...compilers(place) });
  if (status !== 0) {
    context.error(`tangent: the build ended with status ${status}; the messages above are its own\n`);
    return null;
  }
  const programs = findPrograms(directory);
  if (programs.length === 0) {
    context.error(
      `tangent: the build made no program with tangent cc. It must use $CC; a makefile that sets CC itself needs: make CC="$CC"\n`,
    );
    return null;
  }
  context.error(`tangent: ${programs.length === 1 ? "1 program" : `${programs.length} programs`} built\n`);
  return { directory, programs };
}

/** Lines in reports are to be those of the user's own files. */
function compilers({ sources, shownAs }: BuildPlace): NodeJS.ProcessEnv {
  const isPlain = !/[\s'"\\$=]/.test(sources + shownAs) && sources !== shownAs;
  const map = isPlain ? ` -ffile-prefix-map=${sources}=${shownAs}` : "";
  return {
    CC: `${TANGENT} cc${map}`,
    AR: `${TANGENT} ar`,
    RANLIB: `${TANGENT} ranlib`,
    NM: `${TANGENT} nm`,
  };
}

function runShell(script: string, directory: string, env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve) => {
    // What a build prints is not what we print: it goes to standard error, where people see it and no pipe does.
    const child = spawn("sh", ["-c", script], { cwd: directory, env, stdio: ["ignore", 2, 2] });
    child.once("error", () => resolve(127));
    child.once("close", (status) => resolve(status ?? 130));
  });
}

function quoted(word: string): string {
  return /^[\w./:=+,@%-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
