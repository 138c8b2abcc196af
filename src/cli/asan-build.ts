// `--confirm=asan`: the project is built once more, in a second copy, by the user's own compiler with AddressSanitizer and UBSan, so that a
// finding's input can be run where most of what the VM sees is seen too. The copy stays below .tangent/asan and is only brought up to date
// the next time.
// What will be executed must have been built here: the copy may have come with the repository. So a note in the state folder says what the
// programs were when the build ended, and a copy without it is removed and built anew.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { compilersOnPath } from "../frontend/host-compiler.js";
import type { SanitizedProgram } from "../jobs/confirm.js";
import { copySources } from "../project/build-copy.js";
import { readConfig } from "../project/config.js";
import { contentHash } from "../project/content-hash.js";
import { detectProject } from "../project/detect.js";
import { type ProjectFolder, writeSafely } from "../project/project-folder.js";
import type { ProjectState } from "../project/state-folder.js";
import { runChild } from "../support/child-process.js";
import { PRIVATE_FILE, PRIVATE_FOLDER } from "../support/private-modes.js";
import { visible } from "../support/visible-text.js";
import type { CommandContext } from "./command.js";

const LAUNCHER = fileURLToPath(new URL("../../../bin/tangent", import.meta.url));
const FOLDER = "asan";
const NOTE = "asan-build.json";
/** The best first; what a compiler does not have is left out. */
const SANITIZERS = ["address,undefined", "address"];
const COMPILERS = ["cc", "gcc", "clang"];
const LONGEST_BUILD_MS = 30 * 60_000;

export interface AsanBuild {
  /** By the path it was recorded with. */
  programOf(program: string): SanitizedProgram;
}

/** Never fails: what could not be done is said of each program. What the build prints goes to standard error. */
export function buildWithAsan(
  folder: ProjectFolder,
  state: ProjectState,
  programs: readonly string[],
  context: CommandContext,
): AsanBuild {
  const none = (why: string): AsanBuild => ({ programOf: () => ({ kind: "none", why }) });
  const config = readConfig(folder.root);
  if (config.kind === "wrong") return none(config.problem);
  const configured = config.kind === "config" ? config.config.build : null;
  const script = configured ?? detectProject(folder.root)?.build ?? null;
  if (script === null) return none("nothing says how to build the project; see `tangent init`");
  const compiler = sanitizingCompiler(context.env);
  if (compiler.kind === "none") return compiler.why === "" ? none("there is no C compiler here") : none(compiler.why);
  const copy = new AsanCopy(folder, state, `${compiler.words} -g`, script);
  const problem = copy.bringUpToDate(programs, context);
  return problem === null ? copy : none(problem);
}

interface BuildNote {
  readonly command: string;
  /** Contents, by the path below the copy. */
  readonly programs: Readonly<Record<string, string>>;
}

class AsanCopy implements AsanBuild {
  private readonly directory: string;
  private readonly command: string;

  constructor(
    private readonly folder: ProjectFolder,
    private readonly state: ProjectState,
    private readonly compiler: string,
    private readonly script: string,
  ) {
    this.directory = join(folder.path, FOLDER, "build");
    this.command = `${compiler}\n${script}`;
  }

  programOf(program: string): SanitizedProgram {
    const path = this.placeOf(program);
    if (path === null) return { kind: "none", why: `${program} is not below ${this.folder.root}` };
    if (program.startsWith(`${join(this.folder.path, "patch")}/`)) {
      return { kind: "none", why: "it is of a version that `tangent patch` has checked out, not of the files here" };
    }
    const [from] = this.placesOf(program);
    const isSame = this.noted()?.programs[relative(this.directory, path)] === contentHash(path);
    if (isSame && hasSanitizer(path)) {
      const command = `CC='${this.compiler}'; ${this.script}`;
      return { kind: "program", path, from: from ?? "", to: this.directory, command };
    }
    const built = existsSync(path) ? "was not built with $CC, or not with its sanitizer" : "made no such program";
    return { kind: "none", why: `the build with -fsanitize=address ${built}: ${relative(this.directory, path)}` };
  }

  /** Null if it is, or what stopped it. */
  bringUpToDate(programs: readonly string[], context: CommandContext): string | null {
    const before = this.noted();
    if (before?.command !== this.command) rmSync(this.folder.known(FOLDER), { recursive: true, force: true });
    const { copied } = copySources(this.folder.within(FOLDER));
    const isKnown = (program: string): boolean => this.programOf(program).kind === "program";
    if (copied === 0 && before?.command === this.command && programs.every(isKnown)) return null;
    context.error(`tangent: building once more with AddressSanitizer, in ${this.directory}: CC='${this.compiler}'\n`);
    const status = this.build(context.env);
    if (status !== 0) return `the build with -fsanitize=address ended with status ${status}; its messages are above`;
    const contents: Record<string, string> = {};
    for (const program of programs) {
      const path = this.placeOf(program);
      const content = path === null ? null : contentHash(path);
      if (path !== null && content !== null) contents[relative(this.directory, path)] = content;
    }
    const note: BuildNote = { command: this.command, programs: { ...before?.programs, ...contents } };
    writeSafely(this.state.file(NOTE), `${JSON.stringify(note)}\n`, PRIVATE_FILE);
    return null;
  }

  private build(env: NodeJS.ProcessEnv): number {
    const { root } = this.folder;
    const isPlain = !/[\s'"\\$=]/.test(this.directory + root);
    const map = isPlain ? ` -ffile-prefix-map=${this.directory}=${root}` : "";
    const CC = `${this.compiler}${map}`;
    const PATH = [this.shims(CC), env.PATH ?? ""].join(delimiter);
    // What is built may run what it built: leaks are not looked for then.
    const ours = { CC, PATH, ASAN_OPTIONS: "detect_leaks=0" };
    const ended = runChild("sh", ["-c", this.script], {
      ...{ cwd: this.directory, env: { ...env, ...ours }, stdio: ["ignore", 2, 2], timeout: LONGEST_BUILD_MS },
    });
    return ended.status ?? 130;
  }

  /** A folder where the usual names are this compiler: many builds do not ask for CC. */
  private shims(compiler: string): string {
    const folder = this.state.directory("asan-compilers");
    for (const name of COMPILERS) {
      writeSafely(join(folder, name), `#!/bin/sh\nexec ${compiler} "$@"\n`, PRIVATE_FOLDER);
    }
    return folder;
  }

  /** Where the project, or the copy that was recorded, may be. */
  private placesOf(program: string): string[] {
    const { root, path } = this.folder;
    return [join(path, "build"), root].filter((top) => program.startsWith(`${top}/`));
  }

  /** The program behind libtool's script; null if it lies elsewhere. */
  private placeOf(program: string): string | null {
    const [top] = this.placesOf(program);
    if (top === undefined) return null;
    const path = join(this.directory, relative(top, program));
    const hidden = join(dirname(path), ".libs", basename(path));
    return isScript(path) && existsSync(hidden) ? hidden : path;
  }

  private noted(): BuildNote | null {
    try {
      const path = this.state.known(NOTE);
      return path === null ? null : (JSON.parse(readFileSync(path, "utf8")) as BuildNote);
    } catch {
      return null;
    }
  }
}

function isScript(path: string): boolean {
  try {
    return readFileSync(path).subarray(0, 2).toString() === "#!";
  } catch {
    return false;
  }
}

function hasSanitizer(path: string): boolean {
  try {
    return readFileSync(path).includes("__asan_init");
  } catch {
    return false;
  }
}

type Sanitizing =
  | { readonly kind: "compiler"; readonly words: string }
  /** Without words if there is no compiler at all. */
  | { readonly kind: "none"; readonly why: string };

/** The user's own compiler with the sanitizers that it really has: a small program is compiled and run. */
export function sanitizingCompiler(env: NodeJS.ProcessEnv): Sanitizing {
  const named = (env.TANGENT_CC ?? "").trim();
  const candidates = named === "" || named === "embedded" ? COMPILERS : [named];
  const folder = mkdtempSync(join(tmpdir(), "tangent-asan-"));
  let why = "";
  try {
    const source = join(folder, "try.c");
    const program = join(folder, "try");
    writeFileSync(source, "int main(void) { return 0; }\n");
    for (const candidate of candidates) {
      // Each word that is a command, as `ccache gcc` has two, by its place: the names will mean the compiler with its flags.
      const words = candidate.split(/\s+/).map((word) => (word.startsWith("-") ? word : (placeOf(word, env) ?? word)));
      if (!isAbsolute(words[0])) {
        if (named !== "" && named !== "embedded") why = `there is no ${visible(words[0])}`;
        continue;
      }
      for (const sanitizers of SANITIZERS) {
        const flag = `-fsanitize=${sanitizers}`;
        const options = { env: { ...env, ASAN_OPTIONS: "detect_leaks=0" }, encoding: "utf8", timeout: 60_000 } as const;
        const built = runChild(words[0], [...words.slice(1), flag, "-o", program, source], options);
        if (built.status === 0 && runChild(program, [], options).status === 0) {
          return { kind: "compiler", words: `${words.join(" ")} ${flag}` };
        }
        const [line = ""] = (built.error?.message ?? built.stderr ?? "").split("\n").filter((text) => text !== "");
        why = `${candidate} makes no program with ${flag}${line === "" ? "" : `: ${visible(line)}`}`;
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { kind: "none", why };
}

/** On PATH, and not ourselves under another name; null: nowhere. */
function placeOf(name: string, env: NodeJS.ProcessEnv): string | null {
  return name.includes("/") ? resolve(name) : (compilersOnPath([name], { env, launcher: LAUNCHER })[0] ?? null);
}
