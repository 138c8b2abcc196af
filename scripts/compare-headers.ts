// Which structures and constants differ between glibc's headers (the host's) and musl's: what runtime/glibc has to adapt.
// Compiles a file that includes every public header with both sets; the debug information of all types gives sizes and
// offsets, and a variable for each macro its value. Nothing is executed. Needs glibc's headers in /usr/include.
//   npm run --silent build && node dist/scripts/compare-headers.js

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findToolchain, type Toolchain } from "../src/frontend/toolchain.js";
import { scriptWords } from "./usage.js";

const HEADERS =
  "aio alloca arpa/inet arpa/nameser assert byteswap complex cpio crypt ctype dirent dlfcn elf endian err errno fcntl features " +
  "fenv fmtmsg fnmatch ftw getopt glob grp iconv ifaddrs inttypes langinfo libgen libintl limits link locale malloc math " +
  "mntent monetary mqueue net/if netdb netinet/in netinet/tcp nl_types paths poll pthread pwd regex resolv sched search " +
  "semaphore setjmp shadow signal spawn stdio stdlib string strings sys/acct sys/auxv sys/eventfd sys/epoll sys/file " +
  "sys/fsuid sys/inotify sys/ioctl sys/ipc sys/mman sys/mount sys/msg sys/mtio sys/param sys/personality sys/prctl " +
  "sys/ptrace sys/quota sys/random sys/reg sys/resource sys/select sys/sem sys/sendfile sys/shm sys/signalfd sys/socket " +
  "sys/stat sys/statfs sys/statvfs sys/swap sys/sysinfo sys/syslog sys/time sys/timerfd sys/times sys/timex sys/types " +
  "sys/ucontext sys/uio sys/un sys/utsname sys/wait sys/xattr syslog tar termios tgmath time uchar ucontext ulimit unistd " +
  "utime utmp utmpx wchar wctype wordexp";

interface HeaderSet {
  readonly name: string;
  readonly args: readonly string[];
}

function headerSets(toolchain: Toolchain): HeaderSet[] {
  const resource = join(toolchain.libDirectory, "include");
  const library = join(toolchain.libDirectory, "libc");
  const system = (folders: readonly string[]): string[] => folders.flatMap((folder) => ["-isystem", folder]);
  const include = join(library, "include");
  return [
    {
      name: "glibc",
      args: ["--target=x86_64-linux-gnu", ...system([resource, "/usr/include/x86_64-linux-gnu", "/usr/include"])],
    },
    {
      name: "musl",
      args: [
        "--target=x86_64-linux-musl",
        ...system([resource, join(include, "x86_64-linux-musl"), join(include, "generic-musl")]),
        ...system([join(include, "x86-linux-any"), join(include, "any-linux-any")]),
      ],
    },
  ];
}

class Comparison {
  private readonly folder = mkdtempSync(join(tmpdir(), "tangent-headers-"));
  private readonly toolchain: Toolchain;

  constructor(toolchain: Toolchain) {
    this.toolchain = toolchain;
  }

  report(): void {
    const [glibc, musl] = headerSets(this.toolchain);
    const includes = HEADERS.split(" ")
      .filter((name) => [glibc, musl].every((set) => this.compiles(set, `#define _GNU_SOURCE\n#include <${name}.h>\n`)))
      .map((name) => `#include <${name}.h>\n`)
      .join("");
    const prelude = `#define _GNU_SOURCE\n${includes}`;
    this.compareTypes(prelude, glibc, musl);
    this.compareMacros(prelude, glibc, musl);
    rmSync(this.folder, { recursive: true });
  }

  private clang(set: HeaderSet, text: string, args: readonly string[]): { ok: boolean; out: string; errors: string } {
    const source = join(this.folder, "a.c");
    const output = join(this.folder, "a.out");
    writeFileSync(source, text);
    rmSync(output, { force: true });
    const { file, args: first } = this.toolchain.clang;
    const all = [...first, "-nostdinc", "-w", "-ferror-limit=0", ...set.args, ...args, source, "-o", output];
    const result = spawnSync(file, all, { encoding: "utf8", maxBuffer: 1 << 28 });
    const out = existsSync(output) ? readFileSync(output, "utf8") : "";
    return { ok: result.status === 0, out, errors: result.stderr };
  }

  private compiles(set: HeaderSet, text: string): boolean {
    return this.clang(set, text, ["-fsyntax-only"]).ok;
  }

  private compareTypes(prelude: string, glibc: HeaderSet, musl: HeaderSet): void {
    const args = ["-S", "-emit-llvm", "-g", "-fno-eliminate-unused-debug-types"];
    const theirs = structures(this.clang(glibc, prelude, args).out);
    const ours = structures(this.clang(musl, prelude, args).out);
    for (const [name, form] of theirs) {
      const other = ours.get(name);
      if (other !== undefined && other !== form) console.log(`type ${name}\n  glibc ${form}\n  musl  ${other}`);
    }
  }

  private compareMacros(prelude: string, glibc: HeaderSet, musl: HeaderSet): void {
    const [a, b] = [glibc, musl].map((set) => this.clang(set, prelude, ["-E", "-dM"]).out);
    const names = [...a.matchAll(/^#define ([A-Z]\w*) \S/gm)].map((match) => match[1]);
    const both = names.filter((name) => new RegExp(`^#define ${name} \\S`, "m").test(b));
    const theirs = this.values(prelude, glibc, both);
    const ours = this.values(prelude, musl, both);
    for (const [name, value] of theirs) {
      const other = ours.get(name);
      if (other !== undefined && other !== value) console.log(`constant ${name}: glibc ${value}, musl ${other}`);
    }
  }

  /** Of those that are constant expressions. */
  private values(prelude: string, set: HeaderSet, names: readonly string[]): Map<string, string> {
    const first = prelude.split("\n").length;
    let left = [...names];
    for (let round = 0; round < 8; round++) {
      const text = prelude + left.map((name) => `long long tangent_${name} = (long long)(${name});\n`).join("");
      const { ok, out, errors } = this.clang(set, text, ["-S", "-emit-llvm"]);
      if (ok) {
        return new Map(
          [...out.matchAll(/^@tangent_(\w+) = .*global i64 (.*?),/gm)].map((match) => [match[1], match[2]]),
        );
      }
      const bad = new Set([...errors.matchAll(/a\.c:(\d+):\d+: error/g)].map((match) => Number(match[1]) - first));
      left = left.filter((_, k) => !bad.has(k));
    }
    return new Map();
  }
}

/** By name: size, and each member's name, offset and size, all in bits. */
function structures(ir: string): Map<string, string> {
  const nodes = new Map<string, string>();
  for (const match of ir.matchAll(/^(!\d+) = (?:distinct )?(!.*)$/gm)) nodes.set(match[1], match[2]);
  const found = new Map<string, string>();
  const members = (node: string): string => {
    const list = nodes.get(/elements: (!\d+)/.exec(node)?.[1] ?? "") ?? "";
    return [...list.matchAll(/!\d+/g)]
      .map(([id]) => nodes.get(id) ?? "")
      .filter((member) => member.includes("DW_TAG_member"))
      .map((member) => {
        const name = /name: "(\w+)"/.exec(member)?.[1] ?? "_";
        const hidden = /^_/.test(name) ? "_" : name;
        return `${hidden}@${/offset: (\d+)/.exec(member)?.[1] ?? 0}:${/size: (\d+)/.exec(member)?.[1] ?? 0}`;
      })
      .join(" ");
  };
  const formOf = (node: string): string => `${/ size: (\d+)/.exec(node)?.[1] ?? 0} ${members(node)}`;
  for (const node of nodes.values()) {
    const name = /name: "(\w+)"/.exec(node)?.[1];
    if (name === undefined) continue;
    if (/DW_TAG_(structure|union)_type/.test(node) && !node.includes("DIFlagFwdDecl")) found.set(name, formOf(node));
    if (node.includes("DW_TAG_typedef")) {
      const base = nodes.get(/baseType: (!\d+)/.exec(node)?.[1] ?? "") ?? "";
      if (base.includes("DICompositeType") || base.includes("DIBasicType")) found.set(name, formOf(base));
    }
  }
  return found;
}

scriptWords(import.meta.url);
const found = findToolchain({ env: process.env });
if (found.kind === "missing") throw new Error(found.message);
new Comparison(found.toolchain).report();
