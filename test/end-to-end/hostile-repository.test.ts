// A repository from anybody: its `.tangent`, its files of tests and its names try to make tangent execute, move, delete, write or
// show what is not theirs. Whatever a command answers, the bait outside of the project must be as it was, and nothing may
// have been started but what the user named.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
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
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import type { Seed } from "../../src/project/seed.js";
import { encodeKTest } from "../../src/report/ktest.js";
import { result as resultFixture } from "../../src/report/result-fixture.js";

const ROOT = process.env.TANGENT_ROOT ?? fileURLToPath(new URL("../../../", import.meta.url));
const TANGENT = join(ROOT, "bin/tangent");
const MARK = "TANGENT-STAND-IN";
const PROGRAM = `#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  const char *wanted = getenv("WANTED");
  FILE *file = argc > 2 ? fopen(argv[2], "r") : 0;
  printf("%d %s\\n", argc > 1 ? 100 / (atoi(argv[1]) - 7) : 0, wanted ? wanted : "none");
  return file ? fgetc(file) == 'q' : 0;
}
`;

const top = mkdtempSync(join(tmpdir(), "tangent-hostile-"));
const project = join(top, "project");
const outside = join(top, "outside");
const evil = join(outside, "evil.sh");
const state = join(top, "state");
const env: NodeJS.ProcessEnv = { ...process.env, TANGENT_STATE: state };

function tangentIn(directory: string, words: readonly string[], more: NodeJS.ProcessEnv = {}) {
  return spawnSync("sh", [TANGENT, ...words], {
    cwd: directory,
    encoding: "utf8",
    env: { ...env, ...more },
    input: "",
    timeout: 120_000,
  });
}
const tangent = (...words: string[]) => tangentIn(project, words);

/** Everything below a folder: paths, contents, modes. */
function digest(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return entry.isFile() ? `${path} ${statSync(path).mode} ${readFileSync(path, "hex")}` : path;
    })
    .sort();
}

function build(directory: string, name: string, text = PROGRAM): void {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "prog.c"), text);
  const built = tangentIn(directory, ["cc", "-g", "-o", name, "prog.c"]);
  assert.equal(built.status, 0, built.stderr);
}

function seedsOf(directory: string): Seed[] {
  const { stdout } = tangentIn(directory, ["seeds", "--json"]);
  const lines = stdout.split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line) as Seed);
}

after(() => rmSync(top, { recursive: true, force: true }));

describe("a hostile repository", () => {
  let bait: string[] = [];
  before(() => {
    mkdirSync(outside);
    writeFileSync(join(outside, "secret.txt"), "line one\ns3cr3t of the user\n");
    writeFileSync(join(outside, "program"), `#!/bin/sh\necho native\n`, { mode: 0o755 });
    writeFileSync(evil, `#!/bin/sh\ntouch ${join(top, "executed")}\n`, { mode: 0o755 });
    chmodSync(evil, 0o755);
    bait = digest(outside);
    build(project, "prog");
  });

  function assertUntouched(): void {
    assert.deepEqual(digest(outside), bait);
    assert.equal(existsSync(join(top, "executed")), false, "something was executed");
  }

  it("a journal of stand-ins in .tangent neither moves nor deletes anything", () => {
    mkdirSync(join(project, ".tangent"), { recursive: true });
    writeFileSync(join(project, "fake"), `anything${MARK}`);
    const lines = [
      { program: join(project, "fake"), moved: join(outside, "secret.txt") },
      { program: join(project, "prog"), moved: join(outside, "program") },
    ];
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    for (const words of [["record", "--restore"], ["amplify"], ["test", "--", "true"]]) {
      writeFileSync(join(project, ".tangent/stand-ins.journal"), text);
      tangent(...words);
      assertUntouched();
    }
    rmSync(join(project, "fake"));
  });

  it("a plan to resume does not say which compiler is executed", () => {
    const source = join(project, "one.c");
    writeFileSync(source, "#include <stdio.h>\nint main(void) { return getchar() == 'a' ? 1 : getchar(); }\n");
    const first = tangent("explore", "-q", "-o", "run", "--sym-stdin", "4", "--max-paths", "1", "one.c");
    assert.equal(first.status, 0, first.stderr);
    const path = join(project, "run/resume/plan.json");
    const plan = JSON.parse(readFileSync(path, "utf8"));
    const again = tangent("explore", "-q", "--resume", "run", "--max-paths", "1");
    assert.equal(again.status, 0, again.stderr);
    writeFileSync(path, `${JSON.stringify({ ...plan, clang: evil })}\n`);
    // Another text, so that no cache has it.
    writeFileSync(source, "#include <stdio.h>\nint main(void) { return getchar() == 'b' ? 1 : getchar(); }\n");
    const resumed = tangent("explore", "-q", "--resume", "run", "--max-paths", "1");
    assertUntouched();
    assert.equal(resumed.status, 3);
    assert.match(resumed.stderr, /was not written by you on this machine/);
  });

  it("a .ktest names neither the program nor anything for a shell", () => {
    const args = [Buffer.from(evil), Buffer.from("--sym-arg"), Buffer.from("3")];
    const injected = `env:X;touch ${join(top, "executed")};X`;
    const objects = [
      { name: "arg00", bytes: Buffer.from("abc\0") },
      { name: "model_version", bytes: Uint8Array.of(1, 0, 0, 0) },
    ];
    writeFileSync(join(project, "named.ktest"), encodeKTest(args, objects));
    const named = tangent("replay", "--native", "named.ktest");
    assertUntouched();
    assert.equal(named.status, 2);
    assert.match(named.stderr, /--program/);
    const more = [...objects, { name: injected, bytes: Buffer.from("1\0") }];
    writeFileSync(join(project, "injected.ktest"), encodeKTest(args, more));
    const shell = tangent("replay", "--native", "--program", "./prog", "injected.ktest");
    assertUntouched();
    assert.equal(shell.status, 3, shell.stdout);
    assert.match(shell.stderr, /cannot be the name of a variable/);
  });

  it("what a .ktest names is no option of the compiler", () => {
    const directory = join(top, "options");
    mkdirSync(join(directory, "-fplugin=."), { recursive: true });
    writeFileSync(join(directory, "-fplugin=./x.c"), "int main(void) { return 5; }\n");
    writeFileSync(join(directory, "t.ktest"), encodeKTest([Buffer.from("-fplugin=./x.c")], []));
    const ran = tangentIn(directory, ["replay", "t.ktest"]);
    assert.equal(ran.status, 0, ran.stderr);
    assert.match(ran.stdout, /exit 5/);
  });

  it("a native replay gets exactly the bytes of the test", () => {
    build(join(top, "bytes"), "show", "#include <stdio.h>\nint main(int c, char **v) { return puts(v[1]) < 0; }\n");
    const args = [Buffer.from("show"), Buffer.from("--sym-arg"), Buffer.from("9")];
    const word = Buffer.from([0x24, 0x28, 0x27, 0xff, 0x60, 0x22, 0x5c, 0x0a, 0x3b, 0]);
    writeFileSync(join(top, "bytes/t.ktest"), encodeKTest(args, [{ name: "arg00", bytes: word }]));
    const ran = tangentIn(join(top, "bytes"), ["replay", "--native", "-v", "--program", "./show", "t.ktest"]);
    assert.equal(ran.status, 0, ran.stderr);
    assert.match(ran.stdout, /exit 0/);
    assert.ok(ran.stdout.includes(`$('\ufffd\`"\\\n;`), ran.stdout);
    // Input is what a test may give, other code is not.
    const loader = { name: "env:LD_PRELOAD", bytes: Buffer.from("/evil.so\0") };
    const plain = { name: "env:GIVEN", bytes: Buffer.from("by the test\0") };
    const code = 'puts(getenv(v[1]) ? getenv(v[1]) : "unset")';
    const text = `#include <stdio.h>\n#include <stdlib.h>\nint main(int c, char **v) { return ${code} < 0; }\n`;
    build(join(top, "bytes"), "value", text);
    for (const [name, shown] of [
      ["LD_PRELOAD", /^unset$/m],
      ["GIVEN", /^by the test$/m],
    ] as const) {
      const words = [Buffer.from("value"), Buffer.from(name)];
      writeFileSync(join(top, "bytes/e.ktest"), encodeKTest(words, [loader, plain]));
      const told = tangentIn(join(top, "bytes"), ["replay", "--native", "-v", "--program", "./value", "e.ktest"]);
      assert.match(told.stdout, shown);
    }
  });

  it("a native replay writes nothing where the user is, and a flood of output is a limit", () => {
    const directory = join(top, "flood");
    const flood = "char b[65536] = { 1 }; for (int i = 0; i < 2000; i++) fwrite(b, 1, sizeof b, stdout);";
    const text = `#include <stdio.h>\nint main(void) { fclose(fopen("made", "w")); ${flood} return 0; }\n`;
    build(directory, "flood", text);
    writeFileSync(join(directory, "f.ktest"), encodeKTest([Buffer.from("flood")], []));
    const ran = tangentIn(directory, ["replay", "--native", "--program", "./flood", "f.ktest"]);
    assert.equal(ran.status, 0, ran.stderr);
    assert.match(ran.stdout, /limit output/);
    assert.ok(!existsSync(join(directory, "made")));
  });

  it("a report shows no file from outside of the project, also not through a link", () => {
    const link = join(project, "link.c");
    symlinkSync(join(outside, "secret.txt"), link);
    for (const file of [join(outside, "secret.txt"), link]) {
      const result = resultFixture();
      const location = { function: "main", file, line: 2, column: 1, origin: "program" };
      const findings = result.findings.map((one) => ({ ...one, location, stack: [location] }));
      const files = [{ path: file, lines: [1, 2], byTests: [1], added: [2] }];
      writeFileSync(join(project, "r.json"), JSON.stringify({ ...result, project: "/", findings, files }));
      const made = tangent("report", "r.json", "--html", "r.html", "--markdown", "r.md");
      assert.equal(made.status, 0, made.stderr);
      for (const name of ["r.html", "r.md"]) {
        assert.ok(!readFileSync(join(project, name), "utf8").includes("s3cr3t"), `${name} ${file}`);
      }
      mkdirSync(join(project, ".tangent/report"), { recursive: true });
      writeFileSync(join(project, ".tangent/report/results.json"), readFileSync(join(project, "r.json")));
      const shown = tangent("show", findings[0].id);
      assert.equal(shown.status, 0, shown.stderr);
      assert.ok(!shown.stdout.includes("s3cr3t"));
    }
    assertUntouched();
  });

  it("what a program calls its source is shown only if it is the project's", () => {
    const directory = join(top, "lines");
    mkdirSync(directory);
    const secret = JSON.stringify(join(outside, "secret.txt"));
    writeFileSync(
      join(directory, "x.c"),
      `int main(int c, char **v) {\n  volatile int a[1];\n#line 2 ${secret}\n  return a[c + 1];\n}\n`,
    );
    writeFileSync(join(directory, "y.c"), "int main(int c, char **v) {\n  volatile int a[1];\n  return a[c + 1];\n}\n");
    const shown = tangentIn(directory, ["run", "y.c"]);
    assert.match(shown.stderr, /3 \| {3}return a\[c \+ 1\];/);
    const explored = tangentIn(directory, ["explore", "-o", "out", "--sym-stdin", "1", "x.c"]);
    assert.match(explored.stderr, /secret\.txt:2/);
    const report = join(directory, "out/findings/001-stack-buffer-overflow/report.txt");
    const text = `${tangentIn(directory, ["run", "x.c"]).stderr}${explored.stderr}${readFileSync(report, "utf8")}`;
    assert.ok(!text.includes("s3cr3t"), text);
  });

  it("links in .tangent are not followed", () => {
    for (const name of ["", "report", "build", "seeds", "blobs", "campaign.journal", "findings.journal", "report/x"]) {
      const directory = join(top, `links-${name.replace("/", "-")}`);
      build(directory, "prog");
      mkdirSync(join(directory, ".tangent", name, ".."), { recursive: true });
      rmSync(join(directory, ".tangent", name), { recursive: true, force: true });
      const target = name.endsWith(".journal") ? join(outside, "secret.txt") : outside;
      symlinkSync(
        target,
        name === "report/x" ? join(directory, ".tangent/report/index.html") : join(directory, ".tangent", name),
      );
      for (const words of [["test", "--distance", "0", "--time", "20s", "--", "./prog", "3"], ["build"], ["report"]]) {
        const ran = tangentIn(directory, words);
        assert.notEqual(ran.status, null);
        assertUntouched();
        if (ran.status === 3 && words[0] === "test") assert.match(ran.stderr, /is a symbolic link/, name);
      }
    }
  });

  it("pipes in .tangent, for whose writer one would wait, are not read", () => {
    const directory = join(top, "pipes");
    mkdirSync(join(directory, ".tangent/report"), { recursive: true });
    mkdirSync(join(directory, ".tangent/seeds"));
    mkdirSync(join(directory, ".tangent/findings"));
    for (const name of ["report/results.json", "seeds/abcdef.json", "findings/abcdef.json", "findings.journal"]) {
      assert.equal(spawnSync("mkfifo", [join(directory, ".tangent", name)]).status, 0);
    }
    for (const words of [["show"], ["show", "abcdef"], ["findings"], ["seeds"], ["report"], ["replay", "abcdef"]]) {
      const { status, stderr } = tangentIn(directory, words);
      assert.notEqual(status, null, `${words.join(" ")}: it waits`);
      if (words[0] === "report") assert.match(stderr, /results\.json' is not a regular file/);
    }
  });

  it("exported tests are written through no link", () => {
    const directory = join(top, "exported");
    build(directory, "prog");
    const words = ["--distance", "0", "--time", "30s", "--export", "automake", "tests", "--", "./prog", "3"];
    assert.equal(tangentIn(directory, ["test", ...words]).status, 1);
    const names = readdirSync(join(directory, "tests"));
    assert.ok(names.some((name) => name.endsWith(".sh")) && names.includes("tangent.mk"));
    for (const name of names) {
      rmSync(join(directory, "tests", name));
      symlinkSync(join(outside, "secret.txt"), join(directory, "tests", name));
    }
    tangentIn(directory, ["test", "--again", ...words]);
    assertUntouched();
    const script = names.find((name) => name.endsWith(".sh")) ?? "";
    assert.match(readFileSync(join(directory, "tests", script), "utf8"), /division-by-zero/);
    assert.ok((statSync(join(directory, "tests", script)).mode & 0o100) !== 0);
    symlinkSync(outside, join(directory, "away"));
    const id = /^[0-9a-f]{8,}/m.exec(tangentIn(directory, ["show"]).stdout)?.[0] ?? "none";
    const saved = tangentIn(directory, ["show", id, "--save", "away/x"]);
    assert.match(saved.stderr, /away' is a link that leads out of the project/);
    assertUntouched();
  });

  it("tangent.toml replaces no program outside of the project", () => {
    const directory = join(top, "configured");
    build(directory, "prog");
    symlinkSync(outside, join(directory, "link"));
    for (const name of ["../outside/program", "link/program", join("..", "..", outside, "program")]) {
      writeFileSync(join(directory, "tangent.toml"), `test = "link/program"\nprograms = [${JSON.stringify(name)}]\n`);
      const ran = tangentIn(directory, ["test", "--time", "5s"]);
      assertUntouched();
      assert.equal(ran.status, 3);
      assert.match(ran.stderr, /is not below/);
    }
  });

  it("what a seed names as its program is not executed", () => {
    const directory = join(top, "seeds");
    build(directory, "prog");
    const found = tangentIn(directory, ["test", "--distance", "0", "--time", "60s", "--", "./prog", "3"]);
    assert.equal(found.status, 1, found.stderr);
    const [seed] = seedsOf(directory);
    const { findings } = JSON.parse(readFileSync(join(directory, ".tangent/report/results.json"), "utf8"));
    const native = tangentIn(directory, ["replay", "--native", findings[0].id]);
    assert.match(native.stdout, /dies of SIGFPE/);
    const changed = { ...seed, program: evil, programContent: "0".repeat(64) };
    const kept = join(directory, ".tangent/real/0000000000000000");
    mkdirSync(kept, { recursive: true });
    writeFileSync(join(kept, "evil.sh"), readFileSync(evil), { mode: 0o755 });
    writeFileSync(join(directory, ".tangent/seeds", `${seed.id}.json`), JSON.stringify(changed));
    const replayed = tangentIn(directory, ["replay", "--native", findings[0].id]);
    assertUntouched();
    assert.match(replayed.stdout, /not recorded.* on this machine/);
    // The program is ours, but neither these arguments nor this input are.
    writeFileSync(join(directory, ".tangent/seeds", `${seed.id}.json`), JSON.stringify(seed));
    const path = join(directory, ".tangent/report/results.json");
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replace(/"witness": "[^"]*"/, '"witness": "LXJm"'));
    assert.match(tangentIn(directory, ["replay", "--native", findings[0].id]).stdout, /its input not found/);
    writeFileSync(path, text);
    assert.match(tangentIn(directory, ["replay", "--native", findings[0].id]).stdout, /dies of SIGFPE/);
    writeFileSync(join(directory, ".tangent/seeds", `${seed.id}.json`), JSON.stringify(changed));
    assert.equal(tangentIn(directory, ["amplify", "--again", "--confirm", "--time", "5s"]).status, 3);
    assertUntouched();
  });

  it("secrets of the environment are in no file that a recording or an exploration leaves", () => {
    const directory = join(top, "secrets");
    build(directory, "prog");
    const secrets = { CI_TOKEN: "s3cr3t-token", AWS_SECRET_ACCESS_KEY: "s3cr3t-key", EDITOR: "s3cr3t-editor" };
    const words = ["test", "--distance", "0", "--time", "30s", "--", "./prog", "3"];
    const ran = tangentIn(directory, words, { ...secrets, WANTED: "as-given", LANG: "C" });
    assert.equal(ran.status, 1, ran.stderr);
    const explored = tangentIn(directory, ["explore", "-q", "-o", "out", "--sym-arg", "1", "./prog"], {
      ...secrets,
      WANTED: "as-given",
    });
    assert.ok((explored.status ?? 9) < 2, explored.stderr);
    for (const line of [...digest(directory), ...digest(state)]) {
      assert.ok(!line.includes(Buffer.from("s3cr3t").toString("hex")), line.slice(0, 100));
    }
    const [{ environment }] = seedsOf(directory);
    assert.ok(environment.includes("WANTED=as-given") && environment.includes("LANG=C"), environment.join(" "));
    assert.match(readFileSync(join(directory, "out/resume/plan.json"), "utf8"), /WANTED=as-given/);
    for (const path of [join(directory, ".tangent"), state]) assert.equal(statSync(path).mode & 0o777, 0o700, path);
    for (const folder of [join(directory, ".tangent"), state]) {
      for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
        const path = join(entry.parentPath, entry.name);
        assert.equal(statSync(path).mode & 0o077, 0, path);
      }
    }
  });

  it("a file name with a newline does not begin a line of the log", () => {
    const directory = join(top, "names");
    mkdirSync(directory);
    const label = "x\n::warning::forged\x1b]0;title\x07.c";
    writeFileSync(join(directory, label), "int main(int c, char **v) { int a[1]; return a[c + 1]; }\n");
    writeFileSync(
      join(directory, "asm.c"),
      'int bad(int) __asm__("x\\n::warning::forged");\n' +
        "int bad(int c) { volatile int a[1] = {0}; return a[c + 1]; }\nint main(int c, char **v) { return bad(c); }\n",
    );
    for (const name of [label, "asm.c"]) {
      for (const words of [
        ["run", name],
        ["explore", "--sym-stdin", "1", name],
        ["replay", name],
        ["report", name],
      ]) {
        const { stdout, stderr } = tangentIn(directory, words);
        const text = `${stdout}${stderr}`;
        assert.doesNotMatch(text, /^\s*::warning::/m, `${words[0]} ${JSON.stringify(name)}: ${text}`);
        assert.ok(!text.includes("\x1b]0;"), text);
      }
    }
    build(join(directory, "p"), "prog");
    const odd = tangentIn(join(directory, "p"), [
      ...["test", "--distance", "0", "--time", "20s", "--", "./prog", "3\n::warning::forged\x1b]0;"],
    ]);
    const more = ["seeds", "show"].map((word) => tangentIn(join(directory, "p"), [word]));
    for (const { stdout, stderr } of [odd, ...more]) {
      const text = `${stdout}${stderr}`;
      assert.doesNotMatch(text, /^\s*::warning::/m, text);
      assert.ok(!text.includes("\x1b]0;"), text);
    }
  });
});

describe("a recording that ends badly", () => {
  /** Starts a recording, waits until the tests run, lets `act` disturb it, and gives its exit. */
  async function disturbed(name: string, act: (pid: number, directory: string) => void): Promise<string> {
    const directory = join(top, name);
    build(directory, "prog");
    const script = "./prog 1; touch ready; while [ ! -e go ]; do sleep 0.1; done; ./prog 2 >after; echo $? >>after";
    const child = spawn(process.execPath, [join(ROOT, "dist/src/cli/main.js"), "record", "--", "sh", "-c", script], {
      cwd: directory,
      env,
      stdio: "ignore",
      detached: true,
    });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    for (let i = 0; i < 600 && !existsSync(join(directory, "ready")); i++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    assert.ok(existsSync(join(directory, "ready")));
    act(child.pid ?? 0, directory);
    await ended;
    return directory;
  }
  const isStandIn = (path: string): boolean => readFileSync(path, "latin1").endsWith(MARK);
  const hidden = (directory: string): string[] => readdirSync(directory).filter((name) => name.startsWith(".tangent-"));

  it("SIGHUP puts the programs back", async () => {
    const directory = await disturbed("hangup", (pid) => process.kill(pid, "SIGHUP"));
    assert.equal(isStandIn(join(directory, "prog")), false);
    assert.deepEqual(hidden(directory), []);
  });

  it("after a kill any command puts the programs back, wherever it is given", async () => {
    const directory = await disturbed("killed", (pid) => process.kill(-pid, "SIGKILL"));
    assert.equal(isStandIn(join(directory, "prog")), true);
    const elsewhere = tangentIn(tmpdir(), ["help"]);
    assert.equal(elsewhere.status, 0);
    assert.match(elsewhere.stderr, /1 program put back/);
    assert.equal(isStandIn(join(directory, "prog")), false);
    assert.deepEqual(hidden(directory), []);
    assert.equal(spawnSync("./prog", ["6"], { cwd: directory, encoding: "utf8" }).stdout, "-100 none\n");
  });

  it("a test that removes .tangent, and all that is hidden, still has its program, and it comes back", async () => {
    const directory = await disturbed("removed", (_pid, place) => {
      for (const name of [".tangent", ...hidden(place)]) rmSync(join(place, name), { recursive: true, force: true });
      writeFileSync(join(place, "go"), "");
    });
    assert.equal(readFileSync(join(directory, "after"), "utf8"), "-20 none\n0\n");
    assert.equal(isStandIn(join(directory, "prog")), false);
    assert.equal(spawnSync("./prog", ["6"], { cwd: directory }).status, 0);
  });

  it("programs, folders and arguments that are not ASCII are recorded and amplified", () => {
    const directory = join(top, "wörk dir");
    build(directory, "prögram");
    writeFileSync(join(directory, "dätei"), "a");
    const ran = tangentIn(directory, [
      ...["test", "--distance", "1", "--time", "60s", "--", "./prögram", "3", "dätei"],
    ]);
    assert.match(ran.stderr, /1 invocation recorded/);
    assert.equal(ran.status, 1, ran.stderr);
    assert.match(ran.stdout, /division-by-zero/);
    const [seed] = seedsOf(directory);
    assert.deepEqual(
      seed.files.map(({ path }) => Buffer.from(path, "latin1").toString()),
      [join(directory, "dätei")],
    );
    assert.equal(tangentIn(directory, ["replay", "--native", "-v", idOf(directory)]).status, 0);
    rmSync(join(directory, "prögram"));
    const copy = tangentIn(directory, ["test", "--distance", "0", "--time", "30s", "--", "true"]);
    assert.match(copy.stderr, /1 program built/);
  });

  it("a setuid bit that recording takes away is told, and comes back", () => {
    const directory = join(top, "setuid");
    build(directory, "prog");
    chmodSync(join(directory, "prog"), 0o4755);
    const ran = tangentIn(directory, ["record", "--", "./prog", "1"]);
    assert.equal(ran.status, 0, ran.stderr);
    assert.match(ran.stderr, /setuid/);
    assert.equal(statSync(join(directory, "prog")).mode & 0o7777, 0o4755);
  });

  function idOf(directory: string): string {
    const { findings } = JSON.parse(readFileSync(join(directory, ".tangent/report/results.json"), "utf8"));
    return findings[0].id;
  }
});
