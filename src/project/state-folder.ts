// What decides which file is executed, moved or deleted lies here, outside of every repository: a project's own `.tangent` may
// come from anybody (a pull request), this folder only from this user on this machine. One folder per project, named by a
// hash of its real path. The alternative, a signature on each file of `.tangent`, would still leave them where a
// `git clean` removes them; only what must stay with its folder (a plan to resume) is sealed instead.
// Invariant: the folder belongs to this user and nobody else may look inside.

import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { PRIVATE_FILE, PRIVATE_FOLDER } from "../support/private-modes.js";

/** TANGENT_STATE, else $XDG_STATE_HOME/tangent, else ~/.local/state/tangent. */
export function stateDirectory(env: NodeJS.ProcessEnv): string {
  if (env.TANGENT_STATE && isAbsolute(env.TANGENT_STATE)) return env.TANGENT_STATE;
  // The XDG specification says to ignore a relative path.
  if (env.XDG_STATE_HOME && isAbsolute(env.XDG_STATE_HOME)) return join(env.XDG_STATE_HOME, "tangent");
  return join(env.HOME || homedir(), ".local", "state", "tangent");
}

/** Made if it is not there; throws if it belongs to somebody else or cannot be made. */
function openStateDirectory(env: NodeJS.ProcessEnv): string {
  const path = stateDirectory(env);
  try {
    mkdirSync(path, { recursive: true, mode: PRIVATE_FOLDER });
    const { uid, mode } = statSync(path);
    if (uid !== process.getuid?.()) throw refusal(`'${path}' belongs to another user (number ${uid})`);
    if ((mode & 0o077) !== 0) chmodSync(path, PRIVATE_FOLDER);
  } catch (error) {
    if (error instanceof Error) error.message += "; TANGENT_STATE may name a folder of your own for what tangent keeps";
    throw error;
  }
  return path;
}

/** As the system would refuse it, which main.ts tells without a stack. */
function refusal(message: string): Error {
  return Object.assign(new Error(message), { code: "EPERM", syscall: "open" });
}

/** What this machine knows about one project. Made when something is first written. */
export class ProjectState {
  /** The project's real path: the same project by another name is the same. */
  readonly root: string;
  private readonly id: string;
  private opened: string | null = null;

  constructor(
    root: string,
    private readonly env: NodeJS.ProcessEnv,
  ) {
    this.root = realpathSync(root);
    this.id = createHash("sha256").update(this.root).digest("hex").slice(0, 32);
  }

  get path(): string {
    if (this.opened === null) {
      const path = join(openStateDirectory(this.env), PROJECTS, this.id);
      mkdirSync(path, { recursive: true, mode: PRIVATE_FOLDER });
      writeFileSync(join(path, ROOT_FILE), `${this.root}\n`, { mode: PRIVATE_FILE });
      this.opened = path;
    }
    return this.opened;
  }

  /** A path inside to be read from, whether it is there or not; nothing is made. Null if the folder is not ours to trust. */
  known(...names: readonly string[]): string | null {
    const directory = stateDirectory(this.env);
    return isOurs(directory) ? join(directory, PROJECTS, this.id, ...names) : null;
  }

  /** A path inside; its directory is made. */
  file(...names: readonly string[]): string {
    const path = join(this.path, ...names);
    mkdirSync(dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
    return path;
  }
  directory(...names: readonly string[]): string {
    const path = join(this.path, ...names);
    mkdirSync(path, { recursive: true, mode: PRIVATE_FOLDER });
    return path;
  }

  /** The journal of programs that are replaced at this moment; all projects' lie side by side, to be found at one look. */
  get journal(): string {
    const folder = join(openStateDirectory(this.env), PENDING);
    mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
    return join(folder, `${this.id}${JOURNAL}`);
  }
}

const PROJECTS = "projects";
const PENDING = "pending";
const JOURNAL = ".journal";
const ROOT_FILE = "root";

/** Nobody else can have written to it. */
function isOurs(path: string): boolean {
  const status = statSync(path, { throwIfNoEntry: false });
  return status !== undefined && status.uid === process.getuid?.() && (status.mode & 0o022) === 0;
}

/** The journals of all projects that have programs replaced, as a rule none: this is asked by every command. */
export function pendingJournals(env: NodeJS.ProcessEnv): string[] {
  const folder = join(stateDirectory(env), PENDING);
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => name.endsWith(JOURNAL));
  } catch {
    return [];
  }
  // Somebody else's folder tells us nothing.
  return names.length === 0 || !isOurs(stateDirectory(env)) ? [] : names.map((name) => join(folder, name));
}

/** Forgets the projects that are no more, except those whose programs are still to be put back. */
export function forgetVanishedProjects(env: NodeJS.ProcessEnv): void {
  const projects = join(openStateDirectory(env), PROJECTS);
  const pending = new Set(pendingJournals(env));
  for (const id of namesIn(projects)) {
    if (pending.has(join(stateDirectory(env), PENDING, `${id}${JOURNAL}`))) continue;
    try {
      const root = readFileSync(join(projects, id, ROOT_FILE), "utf8").replace(/\n$/, "");
      if (statSync(root, { throwIfNoEntry: false }) === undefined) {
        rmSync(join(projects, id), { recursive: true, force: true });
      }
    } catch {
      // Half made by somebody at this moment, or not to be read: it stays.
    }
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Proves that a text was written by this user on this machine. */
export function sealOf(text: string, env: NodeJS.ProcessEnv): string {
  return createHmac("sha256", sealingKey(env)).update(text).digest("hex");
}

export function isSealed(text: string, seal: unknown, env: NodeJS.ProcessEnv): boolean {
  const expected = sealOf(text, env);
  return (
    typeof seal === "string" &&
    seal.length === expected.length &&
    timingSafeEqual(Buffer.from(seal, "latin1"), Buffer.from(expected, "latin1"))
  );
}

const KEY_BYTES = 32;

function sealingKey(env: NodeJS.ProcessEnv): Buffer {
  const path = join(openStateDirectory(env), "key");
  const known = keyIn(path);
  if (known !== null) return known;
  // Made whole under another name and linked: of two that make one at the same time, one wins and both use it.
  const draft = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
  writeFileSync(draft, randomBytes(KEY_BYTES), { mode: PRIVATE_FILE, flag: "wx" });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    if (keyIn(path) === null) writeFileSync(path, readFileSync(draft), { mode: PRIVATE_FILE });
  } finally {
    rmSync(draft, { force: true });
  }
  return keyIn(path) ?? readFileSync(path);
}

function keyIn(path: string): Buffer | null {
  try {
    const key = readFileSync(path);
    return key.length === KEY_BYTES ? key : null;
  } catch {
    return null;
  }
}
