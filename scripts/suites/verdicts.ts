// What test suites say: each has its own way to name its tests and to tell how they went. One small reader for each, from the text
// or files the suite leaves to a map from name to verdict.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";

export type Verdict = "pass" | "fail" | "skip";
export type Verdicts = ReadonlyMap<string, Verdict>;

/** automake leaves a .trs file for each test: `:test-result: PASS`. A test may write several such lines (TAP). */
export function automakeVerdicts(folder: string): Verdicts {
  const verdicts = new Map<string, Verdict>();
  for (const path of filesBelow(folder, ".trs")) {
    const results = Array.from(readFileSync(path, "utf8").matchAll(/^:test-result: (\w+)/gm), (match) => match[1]);
    verdicts.set(relative(folder, path).replace(/\.trs$/, ""), worst(results.map(automakeVerdict)));
  }
  return verdicts;
}

/** The same with automake's own words, and each line of a test that writes several. */
export function exactAutomakeVerdicts(folder: string): ReadonlyMap<string, string> {
  const verdicts = new Map<string, string>();
  for (const path of filesBelow(folder, ".trs")) {
    const results = Array.from(readFileSync(path, "utf8").matchAll(/^:test-result: (\w+)/gm), (match) => match[1]);
    verdicts.set(relative(folder, path).replace(/\.trs$/, ""), results.join(" "));
  }
  return verdicts;
}

/** autotest: ` 12: name of the test    ok`, or `FAILED (file:line)`, `skipped (...)`, `expected failure (...)`. */
export function autotestVerdicts(text: string): ReadonlyMap<string, string> {
  const verdicts = new Map<string, string>();
  const line = /^ *(\d+): (.*?) +(ok|FAILED|skipped|expected failure|unexpected pass)\b/gm;
  for (const [, number, name, word] of text.matchAll(line)) verdicts.set(`${number}: ${name}`, word);
  return verdicts;
}

/** DejaGnu's summaries: `PASS: name`; the name of a test is not its own, so each is numbered. */
export function dejagnuVerdicts(folder: string): ReadonlyMap<string, string> {
  const verdicts = new Map<string, string>();
  for (const path of filesBelow(folder, ".sum")) {
    const text = readFileSync(path, "latin1");
    const times = new Map<string, number>();
    for (const [, word, name] of text.matchAll(/^(PASS|FAIL|XPASS|XFAIL|UNRESOLVED|UNTESTED|UNSUPPORTED): (.*)$/gm)) {
      // What follows a comma is why.
      const test = `${relative(folder, path)}: ${name.split(",")[0]}`;
      const time = (times.get(test) ?? 0) + 1;
      times.set(test, time);
      verdicts.set(time === 1 ? test : `${test} (${time})`, word);
    }
  }
  return verdicts;
}

function automakeVerdict(word: string): Verdict {
  if (word === "PASS" || word === "XFAIL") return "pass";
  return word === "SKIP" ? "skip" : "fail";
}

function worst(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes("fail")) return "fail";
  return verdicts.includes("pass") ? "pass" : "skip";
}

export function filesBelow(folder: string, ending: string): string[] {
  const found: string[] = [];
  const pending = [folder];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const name of readdirSync(next)) {
      const path = join(next, name);
      const stat = statSync(path, { throwIfNoEntry: false });
      if (stat?.isDirectory()) pending.push(path);
      else if (name.endsWith(ending)) found.push(path);
    }
  }
  return found.sort();
}

/** m4: `Checking ./001.x` for each, and at the end lists of those skipped and failed, the latter with `:out` or `:err`. */
export function m4Verdicts(text: string): Verdicts {
  const verdicts = new Map<string, Verdict>();
  for (const [, name] of text.matchAll(/^Checking \.\/(\S+)/gm)) verdicts.set(name, "pass");
  for (const [heading, verdict] of [
    ["Skipped", "skip"],
    ["Failed", "fail"],
  ] as const) {
    const list = new RegExp(`^${heading} checks were:\\n((?:  .*\\n?)*)`, "m").exec(text)?.[1] ?? "";
    for (const word of list.split(/\s+/)) {
      if (word !== "") verdicts.set(word.replace(/^\.\//, "").replace(/:.*$/, ""), verdict);
    }
  }
  return verdicts;
}

/** Unity: `path/file.c:12:test_name:PASS`, with the program that printed it named before by `program NAME`. */
export function unityVerdicts(text: string): Verdicts {
  const verdicts = new Map<string, Verdict>();
  let program = "";
  for (const line of text.split("\n")) {
    const heading = /^program (\S+)$/.exec(line);
    if (heading !== null) program = heading[1];
    const ending = /^status (\d+)$/.exec(line);
    if (ending !== null) verdicts.set(`${program} ends`, ending[1] === "0" ? "pass" : "fail");
    const result = /^\S+:\d+:(\w+):(PASS|FAIL|IGNORE)/.exec(line);
    if (result === null) continue;
    verdicts.set(`${program}/${result[1]}`, result[2] === "PASS" ? "pass" : result[2] === "FAIL" ? "fail" : "skip");
  }
  return verdicts;
}

/** expat's minicheck: `PASS: name`, or `FAIL [context]: name (file:line): why`, or `FAIL: name (...)`. */
export function minicheckVerdicts(text: string): Verdicts {
  const verdicts = new Map<string, Verdict>();
  for (const [, word, name] of text.matchAll(/^(PASS|FAIL)[^:\n]*: (\w+)/gm)) {
    // A test that runs in several contexts must pass in all.
    if (word === "FAIL" || !verdicts.has(name)) verdicts.set(name, word === "PASS" ? "pass" : "fail");
  }
  return verdicts;
}

/** Our own lists of commands, and make's cases: `verdict NAME 0`. */
export function statusVerdicts(text: string): Verdicts {
  const verdicts = new Map<string, Verdict>();
  for (const [, name, status] of text.matchAll(/^verdict (\S+) (\d+)$/gm)) {
    verdicts.set(name, status === "0" ? "pass" : "fail");
  }
  return verdicts;
}
