// Programs that start others: what they print is what they print natively, whichever process printed it.

import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { QUIET } from "../../src/engine/finding-ledger.js";
import { executorOfTest } from "../../src/engine/program-executor.js";
import { argumentName, NO_INPUTS } from "../../src/inputs/symbolic-inputs.js";
import type { ProgramImage } from "../../src/jit/image.js";
import { loadModule } from "../../src/jit/load-module.js";
import { AMPLIFY_COMPILE_OPTIONS } from "../../src/jit/options.js";
import { loadProgram } from "../../src/program/load.js";
import { Machine } from "../../src/vm/machine.js";
import { installPrograms } from "../../src/vm/processes/installed-programs.js";
import { DEFAULT_OPTIONS, type RunOptions, type RunResult } from "../../src/vm/run-options.js";

const folder = mkdtempSync(join(tmpdir(), "tangent-processes-"));
after(() => rmSync(folder, { recursive: true }));

const HEAD = `
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
`;

async function translated(name: string, source: string): Promise<ProgramImage> {
  const file = join(folder, `${name}.c`);
  writeFileSync(file, HEAD + source);
  const options = { env: process.env, clang: null, flags: [], compile: AMPLIFY_COMPILE_OPTIONS };
  const loaded = await loadProgram([file], options);
  if (loaded.kind === "failed") assert.fail(loaded.message);
  return loaded.image;
}

/** There is such a file, and this is what it does. */
async function install(name: string, source: string): Promise<string> {
  const image = await translated(name, source);
  const path = join(folder, name);
  writeFileSync(path, "");
  chmodSync(path, 0o755);
  const program = { image, module: loadModule(image) };
  installPrograms((wanted) => (wanted === path ? program : null));
  return path;
}

function run(image: ProgramImage, more: Partial<RunOptions> = {}): RunResult {
  const limits = { ...DEFAULT_OPTIONS.limits, instructions: 100_000_000, milliseconds: 30_000 };
  return new Machine(image, { ...DEFAULT_OPTIONS, workingDirectory: folder, limits, ...more }).run();
}

function printed(result: RunResult): string {
  assert.deepEqual(result.end, { kind: "exit", code: 0 }, Buffer.from(result.stderr).toString());
  return Buffer.from(result.stdout).toString();
}

describe("processes", () => {
  it("a child has what its parent had, and its parent reads what it wrote", async () => {
    const image = await translated(
      "many",
      `int main(void) {
  int sum = 0;
  for (int i = 0; i < 5; i++) {
    int ends[2], status;
    if (pipe(ends)) return 1;
    pid_t child = fork();
    if (child < 0) return 2;
    if (child == 0) {
      char text[40];
      int n = snprintf(text, sizeof text, "%d of %d", i, sum);
      close(ends[0]);
      write(ends[1], text, n);
      _exit(i + 1);
    }
    close(ends[1]);
    char text[40] = "";
    for (int n, at = 0; (n = read(ends[0], text + at, 39 - at)) > 0; at += n) {}
    close(ends[0]);
    if (waitpid(child, &status, 0) != child) return 3;
    sum += WEXITSTATUS(status);
    printf("%s, %d\\n", text, sum);
  }
  if (wait(0) != -1 || errno != ECHILD) return 4;
}`,
    );
    assert.equal(printed(run(image)), "0 of 0, 1\n1 of 1, 3\n2 of 3, 6\n3 of 6, 10\n4 of 10, 15\n");
  });

  it("a named pipe: who opens one end waits until the child has opened the other", async () => {
    const image = await translated(
      "named",
      `#include <fcntl.h>
#include <sys/stat.h>
int main(void) {
  char text[8] = "";
  if (mkfifo("named-pipe", 0600)) return 1;
  if (fork() == 0) {
    int out = open("named-pipe", O_WRONLY);
    return write(out, "hello", 5) != 5;
  }
  int in = open("named-pipe", O_RDONLY);
  if (in < 0 || read(in, text, 7) != 5 || read(in, text + 5, 2) != 0) return 2;
  puts(text);
  return unlink("named-pipe");
}`,
    );
    assert.equal(printed(run(image)), "hello\n");
  });

  it("children of one pipe, one of them with a child of its own, in whatever order they were made", async () => {
    const image = await translated(
      "row",
      `int main(void) {
  int ends[2], status, ended = 0;
  if (pipe(ends)) return 1;
  if (!fork()) {
    close(ends[1]);
    char byte, last = 0;
    int count = 0;
    while (read(ends[0], &byte, 1) > 0) count++, last = byte;
    dprintf(1, "%d bytes, the last is %c\\n", count, last);
    _exit(0);
  }
  if (!fork()) {
    close(ends[0]);
    for (int i = 0; i < 100000; i++) write(ends[1], "x", 1);
    if (!fork()) _exit(write(ends[1], "y", 1) != 1);
    wait(&status);
    write(ends[1], status == 0 ? "z" : "?", 1);
    _exit(0);
  }
  close(ends[0]);
  close(ends[1]);
  while (wait(&status) > 0) ended += status == 0;
  dprintf(1, "%d ended\\n", ended);
}`,
    );
    assert.equal(printed(run(image)), "100002 bytes, the last is z\n2 ended\n");
  });

  it("signals: of children that end, to children that have not begun, and of children that abort", async () => {
    const image = await translated(
      "signals",
      `static volatile int heard;
static void hear(int signal) { heard++; }
int main(void) {
  int status;
  signal(SIGCHLD, hear);
  pid_t child = fork();
  if (!child) _exit(0);
  while (!heard) usleep(1000);
  if (wait(&status) != child || status != 0) return 1;
  child = fork();
  if (!child) abort();
  if (wait(&status) != child || WTERMSIG(status) != SIGABRT) return 2;
  child = fork();
  if (!child) for (;;) pause();
  if (kill(child, SIGTERM) || wait(&status) != child || WTERMSIG(status) != SIGTERM) return 3;
  printf("%d\\n", heard >= 2);
}`,
    );
    assert.equal(printed(run(image)), "1\n");
  });

  it("another program gets arguments, environment and files; what is to be closed is closed", async () => {
    const helper = await install(
      "helper",
      `int main(int count, char **words) {
  char line[80] = "";
  int kept = atoi(words[2]), closed = atoi(words[3]);
  read(0, line, 79);
  printf("%s %s %s %d %d\\n", words[1], getenv("COLOUR"), line, write(kept, "!", 1) == 1, write(closed, "!", 1));
  return 7;
}`,
    );
    const image = await translated(
      "starter",
      `int main(int count, char **words) {
  int in[2], kept[2], closed[2], status;
  if (pipe(in) || pipe(kept) || pipe2(closed, 02000000)) return 1;
  char first[9], second[9], byte;
  sprintf(first, "%d", kept[1]);
  sprintf(second, "%d", closed[1]);
  setenv("COLOUR", "red", 1);
  pid_t child = fork();
  if (!child) {
    dup2(in[0], 0);
    execl(words[1], "helper", "hello", first, second, (char *)0);
    _exit(99);
  }
  write(in[1], "text", 4);
  close(in[1]);
  close(kept[1]);
  if (waitpid(child, &status, 0) != child) return 2;
  printf("%d %zd\\n", WEXITSTATUS(status), read(kept[0], &byte, 1));
  fflush(stdout);
  execl("/nowhere", "nowhere", (char *)0);
  printf("%d\\n", errno == ENOENT);
}`,
    );
    const result = run(image, { arguments: ["starter", helper] });
    assert.equal(printed(result), "hello red text 1 -1\n7 1\n1\n");
    assert.deepEqual(result.denied, {});
  });

  it("what cannot be run is counted, and its end is assumed; echo, true and false are known", async () => {
    installPrograms(() => null);
    const image = await translated(
      "foreign",
      `static int run(char *program, char *word) {
  int status;
  pid_t child = vfork();
  if (!child) {
    execlp(program, program, word, (char *)0);
    _exit(127);
  }
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}
int main(void) {
  int first = run("echo", "word"), second = run("false", 0), third = run("ls", "/"), none = run("no-such-program", 0);
  printf("%d %d %d %d\\n", first, second, third, none);
}`,
    );
    const result = run(image, { environment: ["PATH=/usr/bin:/bin"] });
    assert.equal(printed(result), "word\n0 1 0 127\n");
    assert.deepEqual(result.denied, { execve: 1 });
  });

  it("files that a child writes are there for its parent, and offsets are shared", async () => {
    const image = await translated(
      "files",
      `int main(void) {
  FILE *file = fopen("shared", "w+");
  fputs("parent\\n", file);
  fflush(file);
  if (!fork()) {
    dprintf(fileno(file), "child\\n");
    _exit(rename("shared", "moved") != 0);
  }
  int status;
  wait(&status);
  dprintf(fileno(file), "parent again\\n");
  rewind(file);
  char line[40];
  while (fgets(line, sizeof line, file)) fputs(line, stdout);
  printf("%d %d %d\\n", status, access("moved", 0), access("shared", 0));
}`,
    );
    assert.equal(printed(run(image)), "parent\nchild\nparent again\n0 0 -1\n");
  });

  it("a process that makes children without end, or waits for itself, ends", async () => {
    const bomb = await translated("bomb", "int main(void) { for (;;) fork(); }");
    const limits = { ...DEFAULT_OPTIONS.limits, instructions: 10_000_000, milliseconds: 20_000 };
    const { end } = run(bomb, { limits });
    assert.equal(end.kind, "limit");
    const itself = await install(
      "itself",
      "int main(int n, char **words) { execv(words[0], words); return errno == EAGAIN; }",
    );
    const image = await translated("itself", "int main(int n, char **words) { execv(words[1], words + 1); return 9; }");
    assert.deepEqual(run(image, { arguments: ["first", itself] }).end, { kind: "exit", code: 1 });
    const waiting = await translated(
      "waiting",
      `int main(void) {
  int ends[2];
  pipe(ends);
  if (!fork()) return read(ends[0], &ends, 1);
  wait(0);
}`,
    );
    const blocked = run(waiting).end;
    assert.ok(blocked.kind === "limit" && blocked.limit === "blocked");
  });

  it("in an exploration a child has the bytes of the path that its parent is on", async () => {
    const image = await translated(
      "explored",
      `int main(int count, char **words) {
  int status;
  if (!fork()) _exit(words[1][0]);
  wait(&status);
  return WEXITSTATUS(status);
}`,
    );
    const inputs = { ...NO_INPUTS, words: [{ kind: "symbolic", length: 3 } as const] };
    const values = [{ name: argumentName(0), occurrence: 0, bytes: Buffer.from("A\0\0\0") }];
    const test = { program: "explored", workingDirectory: folder, environment: [], inputs, values, given: {} };
    const executor = executorOfTest(image, test, { heapBytes: 1 << 26, seed: 1 });
    for (const letter of ["A", "z"]) {
      const bytes = Buffer.from(`${letter}\0\0\0`);
      const model = executor.space.seed([{ name: argumentName(0), occurrence: 0, bytes }]);
      const { end } = executor.run(model, QUIET, { instructions: 1e7, timeMs: 20_000 });
      assert.deepEqual(end, { kind: "exit", code: letter.charCodeAt(0) });
    }
  });

  it("what a child covers is covered by the run", async () => {
    const image = await translated(
      "covered",
      `static int only_in_child(int x) { return x * 3; }
int main(int count, char **words) {
  int status;
  if (!fork()) _exit(only_in_child(count));
  wait(&status);
  return 0;
}`,
    );
    const { coverage, end } = run(image);
    assert.deepEqual(end, { kind: "exit", code: 0 });
    const own = image.functions.findIndex(({ name }) => name === "main");
    const blocks = image.coverage.flatMap(({ functionIndex }, block) => (functionIndex === own ? [block] : []));
    assert.ok(blocks.length > 1);
    assert.ok(blocks.every((block) => coverage[block] !== 0));
  });
});
