// Threads of a program: those that need a second stack end the run with words that say where, those that wait for each
// other for ever do so here too, and what happens to signals, forks and threads that nobody waits for.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { DEFAULT_COMPILE_OPTIONS } from "../../src/jit/options.js";
import { loadProgram } from "../../src/program/load.js";
import { Machine } from "../../src/vm/machine.js";
import { DEFAULT_OPTIONS, type RunResult } from "../../src/vm/run-options.js";

const folder = mkdtempSync(join(tmpdir(), "tangent-threads-"));
after(() => rmSync(folder, { recursive: true }));

const HEAD = `#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_t made(void *(*entry)(void *)) {
    pthread_t thread;
    pthread_create(&thread, NULL, entry, NULL);
    return thread;
}
`;

async function run(name: string, source: string, instructions = 50_000_000): Promise<RunResult> {
  const file = join(folder, `${name}.c`);
  writeFileSync(file, HEAD + source);
  const options = { env: process.env, clang: null, flags: [], compile: DEFAULT_COMPILE_OPTIONS };
  const loaded = await loadProgram([file], options);
  if (loaded.kind === "failed") assert.fail(loaded.message);
  const limits = { ...DEFAULT_OPTIONS.limits, instructions };
  return new Machine(loaded.image, { ...DEFAULT_OPTIONS, limits }).run();
}

function printed({ stdout, end }: RunResult): string {
  assert.deepEqual(end, { kind: "exit", code: 0 });
  return Buffer.from(stdout).toString("latin1");
}

/** What is not supported. */
function unsupported({ end }: RunResult): string {
  return end.kind === "unsupported" ? end.what : `${end.kind}: ${JSON.stringify(end)}`;
}

describe("threads", () => {
  it("that take turns need a second stack", async () => {
    const result = await run(
      "turns",
      `static int turn;
static void *worker(void *p) {
    pthread_mutex_lock(&lock);
    for (int n = 0; n < 3; n++) {
        while (turn != 1) pthread_cond_wait(&changed, &lock);
        turn = 0;
        pthread_cond_signal(&changed);
    }
    pthread_mutex_unlock(&lock);
    return p;
}
int main(void) {
    pthread_t thread = made(worker);
    pthread_mutex_lock(&lock);
    for (int n = 0; n < 3; n++) {
        while (turn != 0) pthread_cond_wait(&changed, &lock);
        turn = 1;
        pthread_cond_signal(&changed);
    }
    pthread_mutex_unlock(&lock);
    return pthread_join(thread, NULL);
}
`,
    );
    assert.match(
      unsupported(result),
      /^a thread that waits for another one: pthread_cond_wait in worker at turns\.c:\d+$/,
    );
  });

  it("that wait for each other for ever do so", async () => {
    const result = await run(
      "deadlock",
      `static void *worker(void *p) { pthread_mutex_lock(&lock); return p; }
int main(void) { pthread_mutex_lock(&lock); return pthread_join(made(worker), NULL); }
`,
    );
    assert.ok(result.end.kind === "limit" && result.end.limit === "blocked", JSON.stringify(result.end));
  });

  it("one that sleeps without end while another could go on is not supported", async () => {
    const result = await run(
      "ticker",
      `static atomic_int stop;
static void *worker(void *p) { while (!stop) usleep(1000); return p; }
int main(void) { pthread_t thread = made(worker); sleep(1); stop = 1; return pthread_join(thread, NULL); }
`,
    );
    assert.match(unsupported(result), /^a thread that waits for another one: usleep in worker at ticker\.c/);
  });

  it("a loop without end in a thread is one, if nobody else could end it", async () => {
    const source = `static volatile int stop;
static void *worker(void *p) { while (!stop) {} return p; }
int main(void) { pthread_t thread = made(worker); WAITS; return pthread_join(thread, NULL); }
`;
    const { end } = await run("loop", source.replace("WAITS", ""));
    assert.ok(end.kind === "limit" && end.limit === "instructions", JSON.stringify(end));
    const other = await run("slept-loop", source.replace("WAITS", "sleep(1); stop = 1"));
    assert.match(unsupported(other), /^a thread that waits for another one: worker at slept-loop\.c/);
  });

  it("one begins when another spins", async () => {
    const result = await run(
      "spin",
      `static atomic_int ready;
static void *worker(void *p) { ready = 1; return p; }
int main(void) { pthread_t thread = made(worker); while (!ready) {} puts("spun"); return pthread_join(thread, NULL); }
`,
    );
    assert.equal(printed(result), "spun\n");
  });

  it("those that nobody waits for never begin, and are counted", async () => {
    const result = await run(
      "detached",
      `static void *worker(void *p) { puts("ran"); return p; }
int main(void) { pthread_detach(made(worker)); sleep(1); pthread_detach(made(worker)); puts("end"); return 0; }
`,
    );
    assert.equal(printed(result), "ran\nend\n");
    assert.equal(result.denied["the start of a thread that nobody waited for"], 1);
  });

  it("the first one's exit waits for the others", async () => {
    const source = `static void *worker(void *p) { puts("worker"); return p; }
int main(void) { made(worker); made(worker); puts("main"); pthread_exit(NULL); }
`;
    assert.equal(printed(await run("exit", source)), "main\nworker\nworker\n");
  });

  it("signals come to the thread that they are sent to, or the run ends", async () => {
    const source = `static void handler(int number) { printf("%d %d\\n", number == SIGUSR1, gettid() != getpid()); }
static void *worker(void *p) {
    sigset_t all;
    int number;
    sigfillset(&all);
    printf("%d\\n", (int)syscall(SYS_gettid) == gettid());
    raise(SIGUSR1);
    pthread_kill(pthread_self(), SIGUSR1);
    sigprocmask(SIG_BLOCK, &all, NULL);
    pthread_kill(pthread_self(), SIGTERM);
    sigwait(&all, &number);
    printf("%d\\n", number == SIGTERM);
    WHAT;
    return p;
}
int main(void) {
    sigset_t now;
    signal(SIGUSR1, handler);
    pthread_t thread = made(worker);
    pthread_kill(thread, SIGUSR1);
    pthread_join(thread, NULL);
    sigprocmask(SIG_BLOCK, NULL, &now);
    printf("%d\\n", sigismember(&now, SIGTERM));
    return 0;
}
`;
    assert.equal(printed(await run("signals", source.replace("WHAT", ""))), "1 1\n1\n1 1\n1 1\n1\n0\n");
    const elsewhere = `static pthread_t first;\n${source.replace("WHAT", "pthread_kill(first, SIGUSR1)")}`;
    const result = await run("signals", elsewhere.replace("sigset_t now;", "sigset_t now; first = pthread_self();"));
    assert.match(unsupported(result), /^a signal to another thread: pthread_kill in worker at signals\.c/);
  });

  it("a fork takes the thread that calls it along, and no other", async () => {
    const result = await run(
      "fork",
      `static void say(const char *text) { puts(text); fflush(stdout); }
static void *other(void *p) { say("other"); return p; }
static void *worker(void *p) {
    int status;
    pid_t child = fork();
    if (child == 0) {
        say(gettid() == getpid() ? "child" : "no child");
        return p;
    }
    waitpid(child, &status, 0);
    say(WIFEXITED(status) && WEXITSTATUS(status) == 0 ? "ended" : "not ended");
    return p;
}
int main(void) {
    pthread_t one = made(worker), two = made(other);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    say("main");
    return 0;
}
`,
    );
    assert.equal(printed(result), "child\nended\nother\nmain\n");
  });
});
