// Starts tangent from one file that holds all of its modules (dist/modules.pack, made by scripts/pack-modules.ts): Node needs longer to find,
// open and link hundreds of small files than the rest of a start takes. Each module stays a function of its own with the name of
// its file, loaded when it is first needed, so that stack traces and profiles say what they always did.
//
// What V8 has compiled is kept in the cache and used at the next start with the same command. It only saves time: V8 does not take what
// another version has made or what was cut short, and compiles anew. A thread is started by this file too, with the name of its module
// (src/support/worker-start.ts). It may be terminated at any moment, so that what its modules need to load is kept at once, and later,
// some times, what it has needed to work.
//
// V8 takes nothing that was compiled with other flags, and flags are the whole process's. So there is one set of them at all starts, which
// holds whenever modules are loaded or kept; what threads set besides (src/support/v8-flags.ts) is taken back for that moment.
"use strict";

const { createHash } = require("node:crypto");
const { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } = require("node:fs");
const { homedir } = require("node:os");
const { dirname, isAbsolute, join, posix } = require("node:path");
const { pathToFileURL } = require("node:url");
const { cachedDataVersionTag, setFlagsFromString } = require("node:v8");
const { Script } = require("node:vm");
const { isMainThread, threadId } = require("node:worker_threads");

const FOLDER = join(dirname(__dirname), "dist", "src");
const PACK = join(dirname(__dirname), "dist", "modules.pack");
const FIRST = "cli/main.js";
const LINE_END = 10;
const DOT = 0x2e;

const FLAGS_MODULE = "support/v8-flags.js";
/** Commands whose threads call useV8FlagsForShortRuns. */
const SHORT_RUNS = ["amplify", "test", "fuzz", "demo", "worker"];
/** When a thread's code is kept again, and how often in all: each time it is what one more campaign has needed. */
const KEPT_AGAIN_MS = 2000;
const MOST_KEPT = 4;
/** In a table of code: how often it was kept. */
const TIMES = "times";

const wanted = isMainThread ? FIRST : process.argv[3];
/** A thread is given its command's. */
const word = process.argv[isMainThread ? 2 : 4] ?? "";

/** Those of useV8Flags. */
function setFlags() {
  setFlagsFromString("--experimental-wasm-branch-hinting");
  setFlagsFromString("--wasm-lazy-compilation");
  setFlagsFromString("--experimental-wasm-compilation-hints");
  if (SHORT_RUNS.includes(word)) setFlagsFromString("--wasm-tiering-budget=60000000");
}

setFlags();
const loaded = new Map();
const packages = new Map();
/** By name: promises. */
const awaited = new Map();
const scripts = new Map();

/** A file of pieces: its first line says where each is, from the line's end on. */
function readPieces(path) {
  const bytes = readFileSync(path);
  const end = bytes.indexOf(LINE_END);
  return { bytes, base: end + 1, table: JSON.parse(bytes.latin1Slice(0, end)) };
}

/** By module: start, end, and what must be there before it runs. */
const pack = readPieces(PACK);
/** V8's own name for itself and its flags. */
const tag = cachedDataVersionTag();
const codePath = pathOfCode();
const code = codePath === null ? null : readCode();
const timesKept = code?.table[TIMES] ?? 0;

/** As src/frontend/cache.ts names its folder and its entries; another command or another thread loads other modules. */
function pathOfCode() {
  const { TANGENT_CACHE, XDG_CACHE_HOME, HOME } = process.env;
  const usual = XDG_CACHE_HOME && isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : join(HOME || homedir(), ".cache");
  const folder = TANGENT_CACHE || join(usual, "tangent");
  const { size, mtimeMs } = statSync(PACK);
  if (!/^[a-z+-]{0,20}$/.test(word)) return null;
  const parts = [process.version, tag, process.arch, PACK, size, mtimeMs, wanted, word];
  const key = createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 40);
  return join(folder, "code", key.slice(0, 2), key.slice(2));
}

function readCode() {
  try {
    return readPieces(codePath);
  } catch {
    return null;
  }
}

/** What was compiled until now; whoever cannot write it goes on without. */
function keepCode(times) {
  if (codePath === null) return;
  setFlags();
  if (cachedDataVersionTag() !== tag) return;
  const table = { [TIMES]: times };
  const pieces = [];
  let at = 0;
  for (const [name, script] of scripts) {
    const piece = script.createCachedData();
    table[name] = [at, at + piece.length];
    pieces.push(piece);
    at += piece.length;
  }
  const temporary = `${codePath}.${process.pid}-${String(threadId).padStart(8, "0")}.tmp`;
  try {
    mkdirSync(dirname(codePath), { recursive: true, mode: 0o700 });
    writeFileSync(temporary, Buffer.concat([Buffer.from(`${JSON.stringify(table)}\n`), ...pieces]), { mode: 0o600 });
    renameSync(temporary, codePath);
  } catch {
    try {
      rmSync(temporary, { force: true });
    } catch {
      // A folder that may not be looked into.
    }
  }
}

/** A specifier as a module's name; null if it is no module of ours. */
function nameOf(specifier, from) {
  return specifier.charCodeAt(0) === DOT ? posix.join(posix.dirname(from), specifier) : null;
}

function use(specifier, from) {
  const name = nameOf(specifier, from);
  return name === null ? (packages.get(specifier) ?? require(specifier)) : exportsOf(name);
}

function exportsOf(name) {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const own = {};
  run(name, own);
  loaded.set(name, own);
  return own;
}

/** Gives a promise if the module waits for something. */
function run(name, own) {
  const [start, end] = pack.table[name];
  const filename = join(FOLDER, name);
  const place = code?.table[name];
  const cachedData = place && code.bytes.subarray(code.base + place[0], code.base + place[1]);
  const script = new Script(pack.bytes.utf8Slice(pack.base + start, pack.base + end), { filename, cachedData });
  // Another thread may have set its flags in between: for the modules that follow.
  if (script.cachedDataRejected) setFlags();
  if (timesKept < MOST_KEPT) scripts.set(name, script);
  const load = (specifier) => loadLater(nameOf(specifier, name) ?? specifier);
  return script.runInThisContext()((specifier) => use(specifier, name), load, own, pathToFileURL(filename).href);
}

/** What cannot be had at once is there before a module runs: packages from npm, which only Node can load, and modules that wait. */
async function withAwaited(name) {
  for (const specifier of pack.table[name][2]) {
    if (!awaited.has(specifier)) awaited.set(specifier, getAwaited(specifier));
    await awaited.get(specifier);
  }
}

async function getAwaited(specifier) {
  if (pack.table[specifier] === undefined) {
    packages.set(specifier, await import(specifier));
    return;
  }
  const own = {};
  await run(specifier, own);
  loaded.set(specifier, own);
}

async function loadLater(name) {
  if (pack.table[name] === undefined) return import(name);
  await withAwaited(name);
  return exportsOf(name);
}

/** What a thread has set is as it was when this is done. */
function keepCodeAgain() {
  const { readCompilationHints } = loaded.get(FLAGS_MODULE) ?? {};
  const before = readCompilationHints?.(true);
  keepCode(timesKept + 1);
  if (before === false) readCompilationHints(false);
}

globalThis[Symbol.for("tangent.start")] = { script: __filename, folder: FOLDER, word };
if (isMainThread && code === null) process.once("exit", () => keepCode(MOST_KEPT));
withAwaited(wanted).then(() => {
  const ended = run(wanted, {});
  if (!isMainThread && code === null) keepCode(0);
  if (!isMainThread && timesKept < MOST_KEPT) setTimeout(keepCodeAgain, KEPT_AGAIN_MS).unref();
  return ended;
});
