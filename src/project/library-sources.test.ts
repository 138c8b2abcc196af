import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { findSources, isFromApt, type LibrarySources, unpackedSources } from "./library-sources.js";
import { ProjectFolder } from "./project-folder.js";
import { ProjectState } from "./state-folder.js";

const base = mkdtempSync(join(tmpdir(), "tangent-library-sources-"));
after(() => rmSync(base, { recursive: true }));

/** A system with these commands, in which libz.so.1 is part of the package zlib1g. */
function system(name: string, commands: readonly string[]): NodeJS.ProcessEnv {
  const scripts: Readonly<Record<string, string>> = {
    "apt-get": 'case $1 in --version) echo apt 2.6 ;; source) mkdir -p "unpacked of $3" ;; esac',
    ldconfig:
      'printf "2 libs found\\n\\tlibzz.so.3 (libc6) => /lib/libzz.so.3\\n\\tlibz.so.1 (libc6) => /lib/libz.so.1\\n"',
    dpkg: 'case $2 in "*/libz.so.1") echo "zlib1g:amd64: /lib/libz.so.1" ;; *) exit 1 ;; esac',
    "dpkg-query": 'echo "zlib=1:1.2.13.dfsg-1"',
  };
  const folder = join(base, name, "bin");
  mkdirSync(folder, { recursive: true });
  for (const command of commands)
    writeFileSync(join(folder, command), `#!/bin/sh\n${scripts[command]}\n`, { mode: 0o755 });
  // What is not faked is not there, but for the shell's own tools.
  for (const tool of ["mkdir", "sh"]) {
    writeFileSync(join(folder, tool), `#!/bin/sh\nexec /bin/${tool} "$@"\n`, { mode: 0o755 });
  }
  return { PATH: folder };
}
const ALL = ["apt-get", "ldconfig", "dpkg", "dpkg-query"];

function project(name: string): ProjectFolder {
  const root = join(base, name, "project");
  mkdirSync(root, { recursive: true });
  return new ProjectFolder(root);
}

function stateOf({ root }: ProjectFolder): ProjectState {
  return new ProjectState(root, { TANGENT_STATE: join(base, "state") });
}

function find(name: string, value: string, folder: ProjectFolder, env: NodeJS.ProcessEnv): LibrarySources {
  return findSources(name, value, folder, stateOf(folder), env);
}

describe("sources of the system's libraries", () => {
  it("a folder is a folder; the words are the command, with or without a package", () => {
    assert.deepEqual(find("z", "/src/zlib", project("plain"), {}), { kind: "there", directory: "/src/zlib" });
    assert.equal(isFromApt("apt-get source"), true);
    assert.equal(isFromApt("apt-get source zlib"), true);
    assert.equal(isFromApt("apt-get source zlib; rm -r ."), false);
    assert.equal(isFromApt("apt-get source -y"), false);
  });

  it("the installed file tells the package and its version; what was unpacked once is taken again", () => {
    const env = system("whole", ALL);
    const folder = project("whole");
    const found = find("z", "apt-get source", folder, env);
    assert.ok(found.kind === "fetch", JSON.stringify(found));
    assert.equal(found.script, "apt-get source --only-source zlib=1:1.2.13.dfsg-1");
    assert.equal(spawnSync("sh", ["-c", found.script], { cwd: found.directory, env }).status, 0);
    const unpacked = unpackedSources("z", folder, stateOf(folder));
    assert.ok(unpacked.kind === "there");
    assert.match(unpacked.directory, /unpacked of zlib=1:1\.2\.13\.dfsg-1$/);
    assert.deepEqual(find("z", "apt-get source", folder, env), unpacked);
  });

  it("what came with the repository, or was changed since it was unpacked, is not taken for the system's", () => {
    const env = system("brought", ALL);
    const folder = project("brought");
    mkdirSync(join(folder.root, ".tangent/library-sources/z/zlib"), { recursive: true });
    writeFileSync(join(folder.root, ".tangent/library-sources/z/zlib/Makefile"), "all: ; touch /tmp/started\n");
    const found = find("z", "apt-get source", folder, env);
    assert.ok(found.kind === "fetch", JSON.stringify(found));
    mkdirSync(join(found.directory, "zlib-1"));
    const unpacked = unpackedSources("z", folder, stateOf(folder));
    assert.ok(unpacked.kind === "there");
    assert.deepEqual(find("z", "apt-get source", folder, env), unpacked);
    writeFileSync(join(unpacked.directory, "Makefile"), "all: ; touch /tmp/started\n");
    assert.equal(find("z", "apt-get source", folder, env).kind, "fetch");
  });

  it("a package that is named is taken as it is", () => {
    const found = find("z", "apt-get source zlib-ng", project("named"), system("named", ["apt-get"]));
    assert.equal(found.kind === "fetch" && found.script, "apt-get source --only-source zlib-ng");
  });

  it("without apt-get, without such a library, or with nothing unpacked, it is said what to do", () => {
    const without = find("z", "apt-get source", project("without"), system("without", []));
    assert.match(without.kind === "failed" ? without.problem : "", /no apt-get here; name a folder/);
    const unknown = find("zz", "apt-get source", project("unknown"), system("unknown", ALL));
    assert.match(unknown.kind === "failed" ? unknown.problem : "", /zz = "apt-get source PACKAGE"/);
    const folder = project("nothing");
    assert.equal(find("z", "apt-get source", folder, system("nothing", ALL)).kind, "fetch");
    const nothing = unpackedSources("z", folder, stateOf(folder));
    assert.match(nothing.kind === "failed" ? nothing.problem : "", /dpkg-dev/);
  });
});
