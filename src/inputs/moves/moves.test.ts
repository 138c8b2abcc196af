import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Random } from "../../support/random.js";
import type { Invocation, InvocationInput, TreeEntry } from "../invocation.js";
import { invocationKey, problemOf } from "./invocation-key.js";
import { MOVE_LIMITS, type Move, type MoveSource, type MoveWord } from "./move.js";
import { movesOf } from "./moves.js";
import { bytesOf, textOf } from "./shown-text.js";

const WHERE = "/home/test";
const file = (name: string, text: string): TreeEntry => ({
  kind: "file",
  path: `${WHERE}/${name}`,
  bytes: bytesOf(text),
  mode: 0o644,
});
const folder = (name: string): TreeEntry => ({
  kind: "directory",
  path: `${WHERE}/${name}`,
  mode: 0o755,
  isWhole: true,
});

function invocation(words: string, tree: readonly TreeEntry[] = [], stdin?: InvocationInput): Invocation {
  return {
    program: "tool",
    arguments: words === "" ? [] : words.split(" ").map(bytesOf),
    environment: ["HOME=/home/test", "PATH=/bin", "LC_ALL=C"],
    workingDirectory: WHERE,
    umask: 0o22,
    stdin: stdin ?? { kind: "empty" },
    tree,
  };
}

const TWO_FILES = invocation("-b a.txt b.txt", [file("a.txt", "one\ntwo\nthree\n"), file("b.txt", "one\n2\nthree\n")]);
const TWO_FOLDERS = invocation("-r x y", [
  folder("x"),
  folder("y"),
  file("x/both", "b\n"),
  file("y/both", "c\n"),
  file("x/left", "l\n"),
]);
const READER = invocation("-n 3", [], { kind: "bytes", bytes: bytesOf("1 apple\n2 pear\n"), regularFile: false });

const word = (kind: MoveWord["kind"], text: string, argument: MoveWord["argument"] = "none"): MoveWord => ({
  kind,
  text,
  argument,
});
const WORDS: readonly MoveWord[] = [
  word("short-option", "b"),
  word("short-option", "i"),
  word("short-option", "n", "required"),
  word("short-option", "u", "optional"),
  word("long-option", "brief"),
  word("long-option", "width", "required"),
  word("long-option", "color", "optional"),
  word("table", "name", "unknown"),
  word("compared", "always", "unknown"),
  word("compared", "x", "unknown"),
  word("variable", "TOOL_MODE", "unknown"),
];
const OTHERS: readonly Invocation[] = [
  invocation("--width=77 -n 5 c.txt", [file("c.txt", "from another test\n")]),
  invocation("-name *.c -u", [], { kind: "bytes", bytes: bytesOf("typed\n"), regularFile: true }),
];

function source(more: Partial<MoveSource> = {}): MoveSource {
  return { words: WORDS, others: OTHERS, preferred: [], random: new Random(1), ...more };
}

function take(from: Invocation, count: number, more: Partial<MoveSource> = {}): Move[] {
  const moves: Move[] = [];
  for (const move of movesOf(from, source(more))) {
    if (moves.push(move) >= count) break;
  }
  return moves;
}

const commandOf = ({ arguments: words }: Invocation): string => words.map(textOf).join(" ");
const commands = (moves: readonly Move[]): Set<string> => new Set(moves.map((move) => commandOf(move.invocation)));
const single = (moves: readonly Move[]): Move[] => moves.filter(({ kind }) => kind !== "several");
/** Of each, what one move makes of it. */
const ONE_MOVE = {
  files: single(take(TWO_FILES, 1500)),
  folders: single(take(TWO_FOLDERS, 1500)),
  reader: single(take(READER, 1500)),
};

describe("moves", () => {
  it("puts an option behind the command that it belongs to first", () => {
    const all = word("compared", "-a", "unknown");
    const known = [all, word("compared", "list", "unknown"), word("short-option", "v")];
    const others = [invocation("list -l b.lar"), invocation("pack -v c.lar"), invocation("help")];
    const first = (words: string, preferred: readonly MoveWord[]): string => {
      const [move] = take(invocation(words), 1, { words: known, others, preferred });
      return commandOf(move.invocation);
    };
    assert.equal(first("list a.lar", [all]), "list -a a.lar");
    // No word of the program, but other tests have options behind it.
    assert.equal(first("pack a.lar", [known[2]]), "pack -v a.lar");
    assert.equal(first("a.lar b.lar", [known[2]]), "-v a.lar b.lar");
    assert.equal(first("help", [all]), "help -a");
  });

  for (const [name, from] of Object.entries({ TWO_FILES, TWO_FOLDERS, READER, nothing: invocation("") })) {
    it(`each changes something, once, and can be run: ${name}`, () => {
      const met = new Set([invocationKey(from)]);
      const before = invocationKey(structuredClone(from));
      const moves = take(from, 2000, { preferred: [WORDS[5], WORDS[8]] });
      assert.equal(moves.length, 2000);
      for (const { step, invocation: made } of moves) {
        assert.equal(problemOf(made, from), null, step);
        const key = invocationKey(made);
        assert.ok(!met.has(key), `${step}: again`);
        met.add(key);
        assert.match(step, /^[^\p{Cc}]{4,}$/u);
        for (const bytes of made.arguments) assert.ok(!bytes.includes(0), step);
        for (const { path } of made.tree) assert.ok(path.startsWith("/"), step);
        assert.equal(new Set(made.tree.map(({ path }) => path)).size, made.tree.length, step);
      }
      assert.equal(invocationKey(structuredClone(from)), before, "the test itself was changed");
    });
  }

  it("the same seed gives the same moves, another one other random ones", () => {
    const steps = (seed: number): string[] =>
      take(TWO_FILES, 1500, { random: new Random(seed) }).map(({ step }) => step);
    assert.deepEqual(steps(3), steps(3));
    assert.notDeepEqual(steps(3), steps(4));
  });

  it("words that are preferred come first, at all places, then single words, then operands, then files", () => {
    const moves = take(TWO_FILES, 1200, { preferred: [word("short-option", "i"), word("long-option", "brief")] });
    assert.deepEqual(
      moves.slice(0, 6).map(({ invocation: made }) => commandOf(made)),
      [
        "-b -i a.txt b.txt",
        "-b --brief a.txt b.txt",
        "-b a.txt b.txt -i",
        "-b a.txt b.txt --brief",
        "-i -b a.txt b.txt",
        "--brief -b a.txt b.txt",
      ],
    );
    assert.equal(moves[0].step, "`-i` inserted before `a.txt`");
    const firstOf = (pattern: RegExp): number => moves.findIndex(({ step }) => pattern.test(step));
    const order = [/--width/, /an empty file/, /the last newline of `a.txt`/, /, then /].map(firstOf);
    assert.ok(
      order.every((at) => at > 0),
      String(order),
    );
    assert.deepEqual(
      order,
      [...order].sort((a, b) => a - b),
    );
  });

  it("options: in groups, with arguments of other tests and others, joined and apart, and without the one they need", () => {
    const made = commands(ONE_MOVE.files);
    for (const command of [
      "-bi a.txt b.txt",
      "-ib a.txt b.txt",
      "-b -n 5 a.txt b.txt",
      "-b -n5 a.txt b.txt",
      "-b -n -1 a.txt b.txt",
      "-b -n 999999999999 a.txt b.txt",
      "-b -n a.txt a.txt b.txt",
      "-b --width=77 a.txt b.txt",
      "-b --width a.txt b.txt",
      "-b --color=always a.txt b.txt",
      "-b --color a.txt b.txt",
      "-b --brief=1 a.txt b.txt",
      "-b a.txt b.txt -name *.c",
      "-b always b.txt",
    ]) {
      assert.ok(made.has(command), command);
    }
  });

  it("a word with values that it is known to take is given them first, where options stand and elsewhere", () => {
    const debug: MoveWord = { ...word("compared", "-D", "unknown"), values: ["tree", "stat"] };
    const width: MoveWord = { ...word("long-option", "width", "required"), values: ["auto"] };
    const made = take(TWO_FILES, 12, { preferred: [debug, width] }).map(({ invocation: one }) => commandOf(one));
    for (const command of [
      "-D tree -b a.txt b.txt",
      "-D stat -b a.txt b.txt",
      "-b -D tree a.txt b.txt",
      "--width=auto -b a.txt b.txt",
      "-b --width=auto a.txt b.txt",
    ]) {
      assert.ok(made.includes(command), `${command}: ${made.join("; ")}`);
    }
  });

  it("a character that is compared with stands in the place of others, and between them", () => {
    const from = invocation("-printf %H!");
    const made = commands(take(from, 60, { words: [], preferred: [word("compared", "S", "unknown")] }));
    for (const command of ["-printf %S!", "-printf %HS", "-printf %SH!", "-printf %H!S", "-prinSf %H!"]) {
      assert.ok(made.has(command), command);
    }
  });

  it("words take turns with files where files go first", () => {
    const preferred = [word("long-option", "brief")];
    const steps = take(TWO_FILES, 8, { preferred, filesFirst: true }).map(({ step }) => step);
    assert.match(steps[0], /--brief/);
    assert.ok(
      steps.some((step) => /added to the working directory/.test(step)),
      steps.join("; "),
    );
  });

  it("variables take turns with words where the environment goes first", () => {
    const preferred = [word("long-option", "brief")];
    const steps = take(TWO_FILES, 6, { preferred, environmentFirst: true }).map(({ step }) => step);
    assert.match(steps[0], /--brief/);
    assert.match(steps[1], /set in the environment/);
  });

  it("what a file holds comes through a pipe; what is written to a full device fails", () => {
    const piped = ONE_MOVE.files.find(({ step }) => /through a pipe/.test(step));
    assert.equal(piped && commandOf(piped.invocation), "-b - b.txt");
    const stdin = piped?.invocation.stdin;
    assert.ok(stdin?.kind === "bytes" && !stdin.regularFile && textOf(stdin.bytes) === "one\ntwo\nthree\n");
    const database = invocation("--db=a.txt -d a.txt", [file("a.txt", "one\n")]);
    const steps = take(database, 400, { words: [] }).filter(({ step }) => /through a pipe/.test(step));
    assert.deepEqual([...commands(single(steps))].sort(), ["--db=- -d a.txt", "--db=a.txt -d -"]);
    const closed = take(database, 400, { words: [] }).filter(({ step }) => /made .* standard input closed/.test(step));
    assert.ok(
      closed.length > 0 &&
        closed.every(
          ({
            invocation: {
              stdin: { kind },
            },
          }) => kind === "closed",
        ),
    );
    assert.ok(commands(ONE_MOVE.files).has("-b /dev/full b.txt"));
  });

  it("arguments: removed, repeated, exchanged, taken from other tests; operands fewer, more, the same twice", () => {
    const made = commands(ONE_MOVE.files);
    for (const command of [
      "a.txt b.txt",
      "-b b.txt",
      "-b -b a.txt b.txt",
      "-b b.txt a.txt",
      "-b a.txt a.txt",
      "-b",
      "-b a.txt b.txt a.txt",
      "--width=77 -n 5 c.txt",
      "-b a.txt b.txt c.txt",
      "-b a.txt c.txt",
      "-u a.txt b.txt",
      "-b - b.txt",
      "-b a.txt /dev/null",
    ]) {
      assert.ok(made.has(command), command);
    }
  });

  it("operands name things of all kinds, which are there", () => {
    const moves = ONE_MOVE.files.filter(({ step }) => /^`a\.txt` replaced by an? /.test(step));
    const kinds = moves.map(({ invocation: made }) => {
      const path = `${WHERE}/${textOf(made.arguments[1])}`;
      const entry = made.tree.find((other) => other.path === path);
      assert.ok(entry !== undefined, path);
      return entry.kind === "file" ? `file ${entry.mode === 0 ? "closed" : entry.bytes.length}` : entry.kind;
    });
    for (const kind of ["missing", "directory", "file 0", "file 13", "file closed", "link", "fifo", "socket"]) {
      assert.ok(kinds.includes(kind), `${kind}: ${kinds.join()}`);
    }
  });

  it("files: edited, exchanged, made equal, made equal but for a line", () => {
    const moves = ONE_MOVE.files.filter(({ kind }) => kind === "file");
    const contents = new Set(
      moves.map(({ invocation: { tree } }) =>
        ["a.txt", "b.txt"]
          .map((name) => {
            const entry = tree.find(({ path }) => path.endsWith(name));
            return entry?.kind === "file" ? textOf(entry.bytes) : "none";
          })
          .join("|"),
      ),
    );
    const [a, b] = ["one\ntwo\nthree\n", "one\n2\nthree\n"];
    for (const [left, right] of [
      [b, a],
      [a, a],
      [a, "one\ntQo\nthree\n"],
      [a, "one\nTWO\nthree\n"],
      [a, a.slice(0, -1)],
      ["", b],
      ["two\nthree\n", b],
      ["one\none\ntwo\nthree\n", b],
      ["two\none\nthree\n", b],
      ["one\r\ntwo\r\nthree\r\n", b],
      ["one\ntwo\0\nthree\n", b],
      ["from another test\none\ntwo\nthree\n", b],
      [a, "one\n99999999999\nthree\n"],
    ]) {
      assert.ok(contents.has(`${left}|${right}`), JSON.stringify([left, right]));
    }
    assert.ok(
      [...contents].some((text) => text.length > 9000),
      "a long line",
    );
  });

  it("standard input: edited, emptied, closed, taken from files and other tests", () => {
    const moves = ONE_MOVE.reader.filter(({ kind }) => kind === "stdin");
    const inputs = new Set(
      moves.map(({ invocation: { stdin } }) => (stdin.kind === "bytes" ? textOf(stdin.bytes) : stdin.kind)),
    );
    for (const text of [
      "",
      "1 apple\n2 pear",
      "2 pear\n",
      "closed",
      "empty",
      "typed\n",
      "99999999999 apple\n2 pear\n",
    ]) {
      assert.ok(inputs.has(text), JSON.stringify(text));
    }
    const fromFile = ONE_MOVE.files.find(({ step }) => step === "standard input given what `a.txt` holds");
    assert.deepEqual(fromFile?.invocation.stdin, {
      kind: "bytes",
      bytes: bytesOf("one\ntwo\nthree\n"),
      regularFile: false,
    });
  });

  it("directories: entries added and removed, kinds, modes, sizes and times changed, one of two sides only", () => {
    const steps = new Map(ONE_MOVE.folders.map((move) => [move.step, move.invocation]));
    const entry = (step: string, path: string): TreeEntry | undefined => {
      const made = steps.get(step);
      assert.ok(made !== undefined, `${step} is missing`);
      return made.tree.find((other) => other.path === `${WHERE}/${path}`);
    };
    assert.equal(entry("a file, `added`, added to `x`", "x/added")?.kind, "file");
    assert.equal(
      entry("a file with a newline in its name, `added\\nname`, added to `y`", "y/added\nname")?.kind,
      "file",
    );
    assert.equal(
      entry("an empty directory, `added-directory`, added to the working directory", "added-directory")?.kind,
      "directory",
    );
    assert.deepEqual(entry("`x/left` removed", "x/left"), { kind: "missing", path: `${WHERE}/x/left` });
    assert.equal(entry("`both` taken away from `y` only", "y/both")?.kind, "missing");
    assert.equal(entry("`left` given to `y` too", "y/left")?.kind, "file");
    assert.equal(entry("`x/both` made a directory", "x/both")?.kind, "directory");
    assert.equal(entry("`x` made a file", "x")?.kind, "file");
    assert.equal(entry("`x` made a file", "x/both"), undefined, "nothing is below a file");
    assert.equal(entry("`x` emptied", "x/both"), undefined);
    const modes = ["made unreadable", "made sticky and open to all", "made setuid and setgid"].map((words) => {
      const changed = entry(`\`x/both\` ${words}`, "x/both");
      return changed?.kind === "file" ? changed.mode : null;
    });
    assert.deepEqual(modes, [0, 0o1777, 0o6755]);
    const old = entry("`x/both` made a file of 1970", "x/both");
    assert.equal(old?.kind === "file" ? old.modified : null, 0);
    const large = entry("`x/both` made 1 MiB of zeros", "x/both");
    assert.equal(large?.kind === "file" ? large.bytes.length : null, MOVE_LIMITS.fileBytes);
  });

  it("variables: usual ones, those the program asks for, and some taken away", () => {
    const environments = ONE_MOVE.files.map(({ invocation: { environment } }) => environment);
    for (const variable of ["POSIXLY_CORRECT=1", "LC_ALL=C.UTF-8", "COLUMNS=1", "TOOL_MODE=1", "TOOL_MODE="]) {
      assert.ok(
        environments.some((set) => set.includes(variable)),
        variable,
      );
    }
    assert.ok(environments.some((set) => set.length === 2 && !set.includes("LC_ALL=C")));
    for (const set of environments) assert.equal(new Set(set.map((text) => text.split("=")[0])).size, set.length);
  });

  it("pairs of words, those that are preferred first", () => {
    const moves = take(TWO_FILES, 2000, { preferred: [word("short-option", "i")] });
    const pairs = moves.filter(({ kind }) => kind === "several");
    assert.match(pairs[0].step, /^`-i` inserted before `a.txt`, then /);
    assert.ok(commands(pairs).has("-b -i --brief a.txt b.txt"));
    assert.ok(commands(pairs).has("-b -u --brief a.txt b.txt") || commands(pairs).has("-b --brief -u a.txt b.txt"));
  });

  it("a long command line stays as short as it may be, a large file is not made larger", () => {
    const words = Array.from({ length: MOVE_LIMITS.arguments }, (_, n) => `w${n}`).join(" ");
    const large: TreeEntry = {
      kind: "file",
      path: `${WHERE}/w0`,
      bytes: new Uint8Array(2 * MOVE_LIMITS.fileBytes),
      mode: 0o644,
    };
    for (const { invocation: made } of take(invocation(words, [large]), 800)) {
      assert.ok(made.arguments.length <= MOVE_LIMITS.arguments);
      for (const entry of made.tree) {
        if (entry.kind === "file" && entry.bytes !== large.bytes)
          assert.ok(entry.bytes.length <= MOVE_LIMITS.fileBytes);
      }
    }
  });
});
