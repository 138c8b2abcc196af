// Small repositories for tests, made anew and removed afterwards.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const made: string[] = [];

export function removeRepositories(): void {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "tangent-patch-"));
  made.push(folder);
  return folder;
}

/** Of nobody in particular, and of no configuration. */
const ENV = {
  ...process.env,
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "A",
  GIT_AUTHOR_EMAIL: "a@example.org",
  GIT_COMMITTER_NAME: "A",
  GIT_COMMITTER_EMAIL: "a@example.org",
};

export class RepositoryFixture {
  constructor(readonly root = temporaryFolder()) {}

  /** With one commit of these files on `main`. */
  static with(files: { readonly [name: string]: string | Uint8Array }): RepositoryFixture {
    const fixture = new RepositoryFixture();
    fixture.git("init", "-q", "-b", "main");
    fixture.write(files);
    fixture.commit("first");
    return fixture;
  }

  git(...words: readonly string[]): string {
    const ended = spawnSync("git", words, { cwd: this.root, env: ENV, encoding: "utf8" });
    if (ended.status !== 0) throw new Error(`git ${words.join(" ")}: ${ended.stderr}`);
    return ended.stdout.trim();
  }

  write(files: { readonly [name: string]: string | Uint8Array | null }): void {
    for (const [name, content] of Object.entries(files)) {
      const path = join(this.root, name);
      if (content === null) rmSync(path, { recursive: true });
      else {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, content);
      }
    }
  }

  /** All that is there; gives its hash. */
  commit(subject: string): string {
    this.git("add", "-A");
    this.git("commit", "-q", "-m", subject, "--allow-empty");
    return this.git("rev-parse", "HEAD");
  }
}
