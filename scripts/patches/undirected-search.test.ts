// Undirected exploration of a small program: what some path from a test covers is reached, whichever test that is.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Invocation } from "../../src/inputs/invocation.js";
import { groundFor } from "../../src/techniques/reach/reach-fixture.js";
import { DEFAULT_REACH_PLAN } from "../../src/techniques/reach/reach-technique.js";
import { type UndirectedProgram, UndirectedSearch } from "./undirected-search.js";

function invocation(word: string): Invocation {
  return {
    program: "prog",
    arguments: [Buffer.from(word, "latin1")],
    environment: [],
    workingDirectory: "/work",
    umask: 0o022,
    stdin: { kind: "empty" },
    tree: [{ kind: "directory", path: "/work", mode: 0o755, isWhole: true }],
  };
}

async function program(source: string, words: readonly string[]): Promise<UndirectedProgram> {
  const { image, module, targets } = await groundFor(source);
  return {
    image,
    module,
    blocks: targets[0].blocks,
    covered: new Uint8Array(image.coverage.length),
    tests: words.length,
    test: (index) => (words[index] === "" ? null : invocation(words[index])),
  };
}

const OPTIONS = { ...DEFAULT_REACH_PLAN, root: "/work", abort: { aborted: false } };

const NESTED = `
  int main(int argc, char **argv) {
    char *p = argc > 1 ? argv[1] : "";
    if (p[0] == 'a')
      if (p[1] == 'b')
        return 7; /* target */
    return 0;
  }`;

test("a path that covers the target is found and confirmed, from a test that has the bytes for it", async () => {
  const search = new UndirectedSearch([await program(NESTED, ["", "zz"])], OPTIONS);
  const reached = search.run(20_000);
  assert.match(Buffer.from(reached?.invocation.arguments[0] ?? []).toString("latin1"), /^ab/);
  assert.ok(search.paths >= 3);
});

test("bytes that the tests do not have are given in the next turn", async () => {
  const reached = new UndirectedSearch([await program(NESTED, ["z"])], OPTIONS).run(20_000);
  assert.equal(
    Buffer.from(reached?.invocation.arguments[0] ?? [])
      .toString("latin1")
      .slice(0, 2),
    "ab",
  );
});

test("what no input reaches is not reached, and without a test that can be run nothing is tried", async () => {
  const never = `
    int main(int argc, char **argv) {
      volatile int never = 0;
      if (argc > 1 && never)
        return 7; /* target */
      return 0;
    }`;
  assert.equal(new UndirectedSearch([await program(never, ["z"])], OPTIONS).run(600), null);
  const broken = new UndirectedSearch([await program(NESTED, [""])], OPTIONS);
  assert.equal(broken.run(600_000), null);
  assert.equal(broken.explorations, 0);
});
