// The package as a stranger gets it. Packs a copy of the tree (so that prepack has everything to build), installs the
// tarball in an empty folder with an empty home and cache and without git, make or any compiler on the path, takes all
// write permission from the installed files, and runs: every command's help, a program with a bug, the public
// interface, the demo. As root all of that is done as another user, because permissions do not hold for root.
// Use: node dist/scripts/qualify-package.js [--keep]
// Ends with 1 at the first thing that is not as it should be.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  chownSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { scriptArguments } from "./usage.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const NOBODY = 65_534;
/** What a machine may lack, and must not be missed. */
const HIDDEN = /^(git|make|gmake|cc|gcc|c99|c89|tcc|ld|as|ar|(.*-)?(gcc|clang|g\+\+|ld|as|ar)(-\d+)?)$/;
const FINDING_STATUS = 99;
/** How this machine reaches the network; needed to install, and by nothing afterwards. */
const NETWORK = /^(https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS|npm_config_(registry|cafile))$/i;

interface Ended {
  readonly status: number | null;
  readonly text: string;
  readonly seconds: number;
}

class Qualification {
  private readonly base = mkdtempSync(join(tmpdir(), "tangent-package-"));
  private readonly project = join(this.base, "project");
  private readonly home = join(this.base, "home");
  private readonly installed = join(this.project, "node_modules", "tangent");
  private readonly env: NodeJS.ProcessEnv = {
    PATH: this.restrictedPath(),
    HOME: this.home,
    LANG: "C.UTF-8",
    TMPDIR: join(this.base, "tmp"),
  };

  run(keep: boolean): void {
    this.install(this.pack());
    const before = fingerprint(join(this.project, "node_modules"));
    this.tryHelp();
    this.tryRun();
    this.tryInterface();
    this.tryDemo();
    if (fingerprint(join(this.project, "node_modules")) !== before) fail("the installed files were changed by use");
    say("the installed files are as they were");
    if (keep) say(`kept: ${this.base}`);
    else this.remove();
  }

  private restrictedPath(): string {
    const folder = join(this.base, "path");
    mkdirSync(folder);
    for (const source of [dirname(process.execPath), ...(process.env.PATH ?? "").split(delimiter)]) {
      if (source === "" || statSync(source, { throwIfNoEntry: false })?.isDirectory() !== true) continue;
      for (const name of readdirSync(source)) {
        if (HIDDEN.test(name) || lstatSync(join(folder, name), { throwIfNoEntry: false }) !== undefined) continue;
        symlinkSync(join(source, name), join(folder, name));
      }
    }
    return folder;
  }

  private pack(): string {
    const tree = join(this.base, "tree");
    const left = new Set([".git", "node_modules", "dist", ".tangent", "tmp"]);
    cpSync(ROOT, tree, { recursive: true, filter: (path) => !left.has(path.slice(ROOT.length)) });
    symlinkSync(join(ROOT, "node_modules"), join(tree, "node_modules"));
    const packed = spawnSync("npm", ["pack", "--json", "--pack-destination", this.base], {
      cwd: tree,
      encoding: "utf8",
    });
    if (packed.status !== 0) fail(`npm pack ended with ${packed.status}:\n${packed.stderr}`);
    const [{ filename, size, unpackedSize, entryCount }] = JSON.parse(packed.stdout) as [
      { readonly filename: string; readonly size: number; readonly unpackedSize: number; readonly entryCount: number },
    ];
    const kilobytes = (bytes: number) => `${Math.round(bytes / 1000)} kB`;
    say(`${filename}: ${kilobytes(size)}, ${kilobytes(unpackedSize)} unpacked, ${entryCount} files`);
    rmSync(tree, { recursive: true });
    return join(this.base, filename);
  }

  private install(tarball: string): void {
    chmodSync(this.base, 0o755);
    for (const folder of [this.project, this.home, join(this.base, "tmp"), join(this.base, "work")]) mkdirSync(folder);
    writeFileSync(join(this.project, "package.json"), '{ "name": "stranger", "private": true }\n');
    const { status, text, seconds } = this.start("npm", ["install", "--no-audit", "--no-fund", tarball], this.project);
    if (status !== 0) fail(`npm install ended with ${status}:\n${text}`);
    say(`installed in ${seconds} s: ${readdirSync(join(this.project, "node_modules")).join(" ")}`);
    for (const name of ["typescript", "@biomejs", "@types"]) {
      if (lstatSync(join(this.project, "node_modules", name), { throwIfNoEntry: false }) !== undefined)
        fail(`${name} was installed with the package`);
    }
    everyFile(this.project, (path, directory) => chmodSync(path, directory ? 0o555 : statSync(path).mode & 0o555));
    rmSync(this.home, { recursive: true });
    mkdirSync(this.home);
    if (process.getuid?.() === 0) {
      for (const folder of [this.home, join(this.base, "tmp"), join(this.base, "work")])
        chownSync(folder, NOBODY, NOBODY);
    }
  }

  private tryHelp(): void {
    const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { readonly version: string };
    this.expect(["--version"], 0, `tangent ${version}\n`);
    const text = this.expect(["help"], 0, "tangent COMMAND");
    const commands = Array.from(text.matchAll(/^ {2}([a-z]+) {2,}/gm), ([, name]) => name);
    if (commands.length < 15) fail(`tangent help names ${commands.length} commands:\n${text}`);
    for (const name of commands) this.expect(["help", name], 0, `tangent ${name}`);
    say(`version, and help of ${commands.length} commands: ${commands.join(" ")}`);
  }

  private tryRun(): void {
    const example = join(this.installed, "examples", "inventory.c");
    this.expect(["run", example], FINDING_STATUS, "heap-buffer-overflow");
    say("tangent run examples/inventory.c finds its bug");
  }

  private tryInterface(): void {
    const code = 'import("tangent").then((m) => console.log(typeof m.loadProgram, typeof m.runChecked))';
    const { status, text } = this.start(process.execPath, ["-e", code], this.project, true);
    if (status !== 0 || text !== "function function\n") fail(`import("tangent"): status ${status}\n${text}`);
    say('import("tangent") has its functions');
    const identity = join(this.installed, "dist", "src", "program", "identity.js");
    const ask = `import(${JSON.stringify(identity)}).then((m) => console.log(m.engineIdentity()))`;
    const { text: named } = this.start(process.execPath, ["-e", ask], this.project, true);
    if (!/^\S+ [0-9a-f]{40}\n$/.test(named)) fail(`the package is not named by its content in cache keys: ${named}`);
    say(`named in cache keys as ${named.trim()}`);
  }

  private tryDemo(): void {
    const { status, text, seconds } = this.start("npx", ["--no-install", "tangent", "demo"], this.project, true);
    if (status !== 0) fail(`npx tangent demo ended with ${status}:\n${text}`);
    const found = text.match(/^ {2}found /gm)?.length ?? 0;
    if (found !== 9) fail(`npx tangent demo found ${found} bugs of 9:\n${text}`);
    say(`npx tangent demo: ${found} bugs of 9 in ${seconds} s`);
  }

  private expect(words: readonly string[], status: number, part: string): string {
    const command = join(this.project, "node_modules", ".bin", "tangent");
    const ended = this.start(command, words, join(this.base, "work"), true);
    if (ended.status !== status || !ended.text.includes(part))
      fail(`tangent ${words.join(" ")}: status ${ended.status}, expected ${status} and "${part}":\n${ended.text}`);
    return ended.text;
  }

  /** As a stranger with no network settings, or as whoever installs. */
  private start(command: string, words: readonly string[], cwd: string, asUser = false): Ended {
    const begun = Date.now();
    const user = asUser && process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
    const network = Object.entries(process.env).filter(([name]) => !asUser && NETWORK.test(name));
    const env = { ...this.env, ...Object.fromEntries(network) };
    const ended = spawnSync(command, words, { cwd, env, encoding: "utf8", ...user });
    const trouble = ended.error === undefined ? "" : `${ended.error.message}\n`;
    const seconds = Math.round((Date.now() - begun) / 100) / 10;
    return { status: ended.status, text: ended.stdout + ended.stderr + trouble, seconds };
  }

  private remove(): void {
    everyFile(this.project, (path, directory) => directory && chmodSync(path, 0o755));
    rmSync(this.base, { recursive: true, force: true });
  }
}

function everyFile(folder: string, visit: (path: string, directory: boolean) => void): void {
  visit(folder, true);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) everyFile(path, visit);
    else if (entry.isFile()) visit(path, false);
  }
}

function fingerprint(folder: string): string {
  const hash = createHash("sha256");
  everyFile(folder, (path) => {
    const { mode, size, mtimeMs } = statSync(path);
    hash.update(`${path} ${mode} ${size} ${mtimeMs}\n`);
  });
  return hash.digest("hex");
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function fail(text: string): never {
  process.stderr.write(`qualify-package: ${text}\n`);
  process.exit(1);
}

const { values } = scriptArguments(import.meta.url, { options: { keep: { type: "boolean", default: false } } });
new Qualification().run(values.keep);
