// What must not change while Tangent looks at hostile files: a folder beside the project, with a file to read, a file to lose, and a
// program that leaves a mark when it is started.

import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Nobody writes this but us: where it shows up, the file was read. */
const SECRET = "secret-of-the-user-5a1f";

export class Outside {
  readonly victim: string;
  readonly program: string;
  private readonly mark: string;
  private before = "";

  constructor(readonly folder: string) {
    this.victim = join(folder, "victim.txt");
    this.program = join(folder, "program.sh");
    this.mark = join(folder, "EXECUTED");
    mkdirSync(join(folder, "folder"), { recursive: true });
    writeFileSync(this.victim, `${SECRET}\n`);
    writeFileSync(join(folder, "folder", "inner.txt"), `${SECRET}\n`);
    writeFileSync(this.program, `#!/bin/sh\necho yes > '${this.mark}'\n`);
    chmodSync(this.program, 0o755);
    this.before = this.picture();
  }

  /** Strings that a hostile file would hold. */
  get strings(): readonly string[] {
    const { folder, victim, program, mark } = this;
    return [
      ...[victim, program, folder, join(folder, "folder"), `../outside/victim.txt`, `../../outside/victim.txt`],
      ...[
        `$(touch ${mark})`,
        `; touch ${mark};`,
        `'; touch ${mark}; '`,
        `\`touch ${mark}\``,
        `| ${program}`,
        `\n${program}\n`,
      ],
      ...[
        "\n::warning::obey",
        "\x1b]0;title\x07",
        "--help",
        "-",
        ".",
        "..",
        "/",
        "/dev/tty",
        "/proc/self/environ",
        "",
        "%s%n",
      ],
    ];
  }

  /** What was touched, or null. */
  touched(): string | null {
    if (existsSync(this.mark)) return "the program outside was executed";
    return this.picture() === this.before ? null : "files outside were changed";
  }

  /** Whether text holds what only the files outside hold. */
  static isIn(text: string): boolean {
    return text.includes(SECRET);
  }

  private picture(): string {
    const lines: string[] = [];
    const walk = (folder: string): void => {
      for (const name of readdirSync(folder).sort()) {
        const path = join(folder, name);
        const status = lstatSync(path);
        lines.push(`${path} ${status.mode} ${status.mtimeMs} ${status.ino}`);
        if (status.isDirectory()) walk(path);
        else if (status.isFile()) lines.push(readFileSync(path, "utf8"));
      }
    };
    walk(this.folder);
    return lines.join("\n");
  }
}
