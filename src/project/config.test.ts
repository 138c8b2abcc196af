import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { parseConfig, readConfigFile } from "./config.js";

const problemOf = (text: string): string => {
  const result = parseConfig(text);
  return result.kind === "wrong" ? result.problem : "";
};

describe("tangent.toml", () => {
  it("holds commands, programs and limits", () => {
    const text =
      'build = "make"\ntest = "make check"\nprograms = ["src/a"]\n[limits]\ntime = "1.5m"\nseed-time = 10\ndistance = 3\nsample = 20\n';
    assert.deepEqual(parseConfig(text), {
      kind: "config",
      config: {
        build: "make",
        test: "make check",
        programs: ["src/a"],
        repository: null,
        folders: [],
        sanitizerMacros: false,
        literals: null,
        suppress: [],
        libraries: {},
        limits: { timeMs: 90_000, seedTimeMs: 10_000, distance: 3, sample: 20 },
      },
    });
  });

  it("says whether literals of the tests' sources are input", () => {
    const read = parseConfig('literals = "on"\n');
    assert.equal(read.kind === "config" ? read.config.literals : null, "on");
    assert.equal(problemOf('literals = "yes"\n'), 'literals must be "auto" or "on" or "off"');
  });

  it("may be empty", () => {
    assert.deepEqual(parseConfig("# nothing\n"), {
      kind: "config",
      config: {
        build: null,
        test: null,
        programs: [],
        repository: null,
        folders: [],
        sanitizerMacros: false,
        literals: null,
        suppress: [],
        libraries: {},
        limits: {},
      },
    });
  });

  it("says for patch testing which repository and which folders of it; paths begin at the file", () => {
    const folder = mkdtempSync(join(tmpdir(), "tangent-config-"));
    const path = join(folder, "bench.toml");
    writeFileSync(path, 'repository = "../repo"\nfolders = ["src", "lib"]\n[limits]\ntarget-time = "10s"\n');
    const read = readConfigFile(path);
    rmSync(folder, { recursive: true });
    assert.ok(read.kind === "config");
    assert.equal(read.config.repository, join(folder, "../repo"));
    assert.deepEqual(read.config.folders, ["src", "lib"]);
    assert.equal(read.config.limits.targetTimeMs, 10_000);
    assert.equal(readConfigFile(path).kind, "none");
  });

  it("names source trees of libraries, relative to the file", () => {
    const folder = mkdtempSync(join(tmpdir(), "tangent-config-"));
    const path = join(folder, "tangent.toml");
    writeFileSync(path, '[libraries]\nz = "../zlib"\n"ncurses+" = "/src/ncurses"\npng16 = "apt-get source"\n');
    const read = readConfigFile(path);
    rmSync(folder, { recursive: true });
    assert.ok(read.kind === "config");
    assert.deepEqual(read.config.libraries, {
      z: join(folder, "../zlib"),
      "ncurses+": "/src/ncurses",
      png16: "apt-get source",
    });
    assert.match(problemOf('[libraries]\n"../z" = "x"\n'), /libraries must be a table of folders/);
    assert.match(problemOf("libraries = 3\n"), /libraries must be a table of folders/);
  });

  it("a mistake is told with what is allowed, or with its line", () => {
    assert.match(problemOf("test = 5\n"), /test must be a text in quotes/);
    assert.match(problemOf('tset = "make check"\n'), /no key tset; there are build, test/);
    assert.match(problemOf('[limits]\ntime = "long"\n'), /limits.time must be a time/);
    assert.match(problemOf("[limits]\ndistance = 1.5\n"), /limits.distance must be a whole number/);
    assert.match(problemOf("limits = 3\n"), /limits must be a table/);
    assert.match(problemOf('test = "x"\nbuild = = 3\n'), /^line 2: /);
  });

  it("a key that would draw on the terminal, or forge a line, is shown as it is", () => {
    const folder = mkdtempSync(join(tmpdir(), "tangent-config-"));
    const path = join(folder, "tangent.toml");
    writeFileSync(path, '"\\u001b[2K\\u001b[1Atangent: fine\\ntangent: all is well" = 1\n');
    const read = readConfigFile(path);
    rmSync(folder, { recursive: true });
    const problem = read.kind === "wrong" ? read.problem : "";
    assert.ok(problem.includes("no key \\u001b[2K\\u001b[1Atangent: fine\\ntangent: all is well;"), problem);
  });

  it("says which findings do not count, and why", () => {
    const text =
      'sanitizer-macros = true\n[[suppress]]\nfunction = "hash"\nfile = "lib/*.c"\nreason = "meant"\n[[suppress]]\nkind = "abort"\nreason = "so"\n';
    const parsed = parseConfig(text);
    assert.ok(parsed.kind === "config");
    assert.equal(parsed.config.sanitizerMacros, true);
    assert.deepEqual(parsed.config.suppress, [
      { id: null, function: "hash", file: "lib/*.c", kind: null, reason: "meant" },
      { id: null, function: null, file: null, kind: "abort", reason: "so" },
    ]);
    assert.match(problemOf('[[suppress]]\nfunction = "hash"\n'), /^suppress: say why: reason = /);
    assert.match(problemOf('[[suppress]]\nreason = "all"\n'), /name an id, a function, a file or a kind/);
    assert.match(problemOf('[[suppress]]\nreason = "x"\nkind = "overflow"\n'), /no kind overflow; there are heap-/);
    assert.match(problemOf('[[suppress]]\nreason = "x"\nfunc = "y"\n'), /no key func; there are id, function, file/);
    assert.match(problemOf('[[suppress]]\nreason = " "\nkind = "abort"\n'), /reason must be a text/);
    assert.match(problemOf('suppress = "hash"\n'), /suppress must be tables, each begun by \[\[suppress\]\]/);
    assert.match(problemOf('sanitizer-macros = "yes"\n'), /sanitizer-macros must be true or false/);
  });

  it("the JSON Schema knows the same keys", () => {
    const schema = JSON.parse(readFileSync(new URL("../../../docs/tangent.schema.json", import.meta.url), "utf8"));
    const known = (key: string): string => /there are (.*)$/.exec(problemOf(key))?.[1] ?? "";
    assert.equal(known("unknown = 1\n"), Object.keys(schema.properties).join(", "));
    const inside = 'reason = "x"\nkind = "abort"\nunknown = "x"\n';
    const { items } = schema.properties.suppress;
    assert.equal(known(`[[suppress]]\n${inside}`), Object.keys(items.properties).join(", "));
    assert.equal(known("[limits]\nunknown = 1\n"), Object.keys(schema.properties.limits.properties).join(", "));
  });
});
