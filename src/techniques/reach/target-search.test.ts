// What a search reaches, on small programs of the shapes that real patches have; and that each of its parts is needed for some of them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { groundFor, type SmallTest, searchFrom } from "./reach-fixture.js";
import type { Strategy } from "./target-search.js";

async function reachedBy(
  source: string,
  tests: readonly SmallTest[],
  without: readonly Strategy[] = [],
  timeMs?: number,
): Promise<string[] | null> {
  const ground = await groundFor(source);
  assert.ok(ground.targets.length > 0, "the program has a target");
  const { reached } = searchFrom(ground, tests, { without, ...(timeMs === undefined ? {} : { timeMs }) });
  const [first] = reached;
  return first === null ? null : first.invocation.arguments.map((bytes) => Buffer.from(bytes).toString("latin1"));
}

test("greedy steps lead through nested conditions of the input", async () => {
  const source = `
    int main(int argc, char **argv) {
      char *p = argc > 1 ? argv[1] : "";
      if (p[0] == 'a')
        if (p[1] == 'b')
          if (p[2] > 'x')
            return 7; /* target */
      return 0;
    }`;
  const words = await reachedBy(source, [{ words: ["zzzz"] }], ["moves"]);
  assert.match(words?.[0] ?? "", /^ab[yz{|}~\x7f]/);
});

test("a comparison that libc decided is gone back to, byte by byte", async () => {
  const source = `
    #include <string.h>
    int main(int argc, char **argv) {
      if (argc > 1 && strcmp(argv[1], "--brief") == 0)
        return 7; /* target */
      return 0;
    }`;
  assert.deepEqual(await reachedBy(source, [{ words: ["--recur"] }], ["moves"]), ["--brief"]);
});

test("a decision that an earlier one contradicts is regenerated", async () => {
  const source = `
    int main(int argc, char **argv) {
      char *p = argc > 1 ? argv[1] : "";
      int mode = 0;
      if (p[0] < 'm') mode = 1;
      if (p[1] == '!') mode += 2;
      if (mode == 2)
        if (p[0] > 'w')
          return 7; /* target */
      return 0;
    }`;
  const words = await reachedBy(source, [{ words: ["a?"] }], ["moves"]);
  assert.match(words?.[0] ?? "", /^[xyz{|}~\x7f]!/);
});

test("a switch that an earlier one decided is regenerated", async () => {
  const source = `
    int main(int argc, char **argv) {
      char format = argc > 1 ? argv[1][0] : 0;
      int kind = 0;
      switch (format) {
      case 'f': kind = 1; break;
      case 'p': kind = 2; break;
      case 'S': kind = 3; break;
      default: return 1;
      }
      switch (format) {
      case 'f': return 0;
      case 'S':
        return 6 + (kind == 3); /* target */
      default: return 2;
      }
    }`;
  assert.deepEqual(await reachedBy(source, [{ words: ["f"] }], ["moves", "definitions"]), ["S"]);
});

test("a switch behind a look-up of the same byte is regenerated with the byte that it wants", async () => {
  // A loop of its own: strchr of libc is no decision for each letter.
  const source = `
    static const char letters[] = "abcdDfFgGhHiklMmnpPsStuUyYZ";
    int main(int argc, char **argv) {
      char format = argc > 1 ? argv[1][0] : 0;
      int at = 0;
      while (letters[at] && letters[at] != format) at++;
      if (!letters[at]) return 1;
      switch (format) {
      case 'H': return 0;
      case 'k': return 2;
      case 'S':
        return 7; /* target */
      default: return 3;
      }
    }`;
  const ground = await groundFor(source);
  const { reached, search } = searchFrom(ground, [{ words: ["H"] }], { without: ["moves", "definitions"] });
  assert.deepEqual(
    reached[0]?.invocation.arguments.map((bytes) => Buffer.from(bytes).toString()),
    ["S"],
  );
  assert.equal(reached[0]?.by, "regeneration");
  assert.ok(search.accounts.paths <= 3, `${search.accounts.paths} paths`);
});

const FLAG = `
  static int quiet;
  static void set(char c) { if (c == 'q') quiet = 1; }
  int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) if (argv[i][0] == '-') set(argv[i][1]);
    if (quiet)
      return 7; /* target */
    return 0;
  }`;

test("a flag that an option sets is defined otherwise", async () => {
  assert.deepEqual(await reachedBy(FLAG, [{ words: ["-x"] }], ["moves"]), ["-q"]);
});

test("what a function returns is explored for with the target", async () => {
  const source = `
    #include <ctype.h>
    #include <stdio.h>
    static __attribute__((noinline)) int looks_old(const char *data, int length, int *level) {
      if (length < 2) return 0;
      if (data[1] == 0) {
        if (isdigit((unsigned char)data[0])) {
          *level = data[0] - '0';
          if (*level > 1) puts("unsupported");
          return 1;
        }
        return 0;
      }
      return 0;
    }
    int main(void) {
      char data[2];
      int level = 0;
      int length = fread(data, 1, 2, stdin);
      if (looks_old(data, length, &level)) {
        if (level > 1)
          return 7; /* target */
        return 1;
      }
      return 0;
    }`;
  const ground = await groundFor(source);
  const { reached, search } = searchFrom(ground, [{ stdin: "LOCATE" }], { without: ["moves"] });
  assert.notEqual(reached[0], null);
  assert.equal(search.accounts.explorations, 1);
});

test("a flag that a word of a table sets is given as the value of the option that looks it up", async () => {
  const source = `
    #include <stdio.h>
    #include <string.h>
    static struct { const char *name; int value; } table[] = {{"search", 2}, {"stat", 4}, {"tree", 8}, {"rates", 16}};
    static int flags;
    static void set(const char *word) {
      for (int i = 0; i < 4; i++)
        if (strcmp(table[i].name, word) == 0) {
          flags |= table[i].value;
          return;
        }
      puts("unknown");
    }
    int main(int argc, char **argv) {
      for (int i = 1; i < argc && argv[i][0] == '-'; i++)
        if (strcmp(argv[i], "-D") == 0 && i + 1 < argc) set(argv[++i]);
      if (flags & 8)
        return 7; /* target */
      return 0;
    }`;
  const words = await reachedBy(source, [{ words: ["."] }], ["exploration"]);
  assert.deepEqual(words, ["-D", "tree", "."]);
});

test("a flag behind a count is defined otherwise, step by step", async () => {
  const source = `
    static int quiet;
    static int level;
    int main(int argc, char **argv) {
      for (int i = 1; i < argc; i++) {
        if (argv[i][0] == '-' && argv[i][1] == 'v') level++;
        if (level == 3 && argv[i][1] == 'q') quiet = 1;
      }
      if (quiet)
        return 7; /* target */
      return 0;
    }`;
  const tests = [{ words: ["-a", "-b", "-c", "-d"] }];
  assert.deepEqual((await reachedBy(source, tests, ["moves"]))?.slice(-1), ["-q"]);
});

test("what was not reached is told with the branch that turned away", async () => {
  const source = `
    int main(int argc, char **argv) {
      volatile int never = 0;
      if (argc > 1 && never)
        return 7; /* target */
      return 0;
    }`;
  const ground = await groundFor(source);
  const { attempts } = searchFrom(ground, [{ words: ["a"] }], { timeMs: 1500, without: ["moves"] });
  const [attempt] = attempts;
  assert.ok(attempt !== null && attempt !== undefined);
  assert.equal(attempt.remaining, 1);
});
