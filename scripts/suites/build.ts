// Getting a project's sources from Debian and building them with CC="tangent cc", once: what is there already is taken. Work
// goes to TANGENT_SUITES (default /tmp/tangent-suites).

import { spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const LAUNCHER = fileURLToPath(new URL("../../../bin/tangent", import.meta.url));
/** What `shell` gives as $CC. */
export const OUR_COMPILER = `${LAUNCHER} cc`;
export const WORK = process.env.TANGENT_SUITES || "/tmp/tangent-suites";
/** A suite that hangs is stopped; the slowest takes minutes in the VM. */
const SUITE_TIMEOUT_MS = 3600_000;

/** What has to be known of a project to build it (see Project in projects.ts). */
export interface Source {
  readonly name: string;
  readonly source: string;
  readonly inside?: string;
  readonly patched?: boolean;
  readonly build: string;
}

/** Runs in the folder with CC set; the output is kept beside the sources. */
export function shell(
  command: string,
  folder: string,
  phase: string,
  compiler = OUR_COMPILER,
): { status: number; output: string; seconds: number } {
  const started = performance.now();
  // A file, not a pipe: what a test has left running would keep a pipe open, and us waiting.
  const log = join(folder, `tangent-${phase}.log`);
  const file = openSync(log, "w");
  const child = spawnSync("sh", ["-c", command], {
    cwd: folder,
    stdio: ["ignore", file, file],
    env: {
      ...process.env,
      CC: compiler,
      FORCE_UNSAFE_CONFIGURE: "1",
      PHASE: phase,
      OUT: join(folder, "tangent-outputs"),
      LC_ALL: "C",
    },
    timeout: SUITE_TIMEOUT_MS,
  });
  closeSync(file);
  const seconds = (performance.now() - started) / 1000;
  return { status: child.status ?? -1, output: readFileSync(log, "latin1"), seconds };
}

/** The project's folder, with its source inside; a message if there is none to be had. */
export function fetchProject(project: Source): { folder: string } | { problem: string } {
  const top = join(WORK, project.name);
  if (!existsSync(join(top, "source"))) {
    rmSync(top, { recursive: true, force: true });
    mkdirSync(top, { recursive: true });
    spawnSync("apt-get", ["source", "--download-only", project.source], { cwd: top, stdio: "ignore" });
    const files = readdirSync(top);
    // Debian's changes would make configure older than its sources, so they are taken only where nothing goes without them.
    const file = files.find((name) => (project.patched ? name.endsWith(".dsc") : /\.orig\.tar\.\w+$/.test(name)));
    const unpack = project.patched
      ? `dpkg-source -x ${file} source`
      : `mkdir source && tar xf ${file} -C source --strip-components=1`;
    const unpacked = file !== undefined && spawnSync("sh", ["-c", unpack], { cwd: top, stdio: "ignore" }).status === 0;
    if (!unpacked) return { problem: `apt-get source ${project.source} failed` };
  }
  return { folder: join(top, "source", project.inside ?? "") };
}

/** Null: all is well; a project that was built is not built again. */
export function buildProject(project: Source, folder: string, compiler = OUR_COMPILER): string | null {
  const mark = join(folder, "tangent-built");
  if (existsSync(mark)) return null;
  const built = shell(project.build, folder, "build", compiler);
  if (built.status !== 0) return `the build failed: see ${join(folder, "tangent-build.log")}`;
  writeFileSync(mark, "");
  return null;
}
