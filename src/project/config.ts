// tangent.toml: what a project's build and tests are. Everything in it can also be said on the command line, which wins.
// docs/tangent.schema.json says the same to editors; a test keeps the two together.
// Invariant: a file with a mistake is refused as a whole, with its line; a limit misspelt and silently ignored costs an hour.

import { dirname, join, resolve } from "node:path";
import { parse, TomlError } from "smol-toml";
import { parseDuration } from "../support/duration.js";
import { LITERAL_CHOICES, type LiteralChoice } from "../support/literal-names.js";
import { readRegularFile } from "../support/regular-file.js";
import { visible } from "../support/visible-text.js";
import { isFromApt } from "./library-sources.js";
import { readSuppressions, type Suppression } from "./suppressions.js";
import { trustOf } from "./trusted-place.js";

export const CONFIG_NAME = "tangent.toml";

export interface ProjectConfig {
  /** Shell commands. */
  readonly build: string | null;
  readonly test: string | null;
  /** Relative to where the tests run; empty: all that tangent cc built. */
  readonly programs: readonly string[];
  /** For patch testing: where the git repository is, absolute; null: where the project is. */
  readonly repository: string | null;
  /** For patch testing: only changes below these count; empty: all. Relative to the repository. */
  readonly folders: readonly string[];
  /** The IR is compiled as for a sanitizer (frontend/sanitizer-macros.ts). */
  readonly sanitizerMacros: boolean;
  /** Whether literals of the tests' own sources are input; null: nothing is said. */
  readonly literals: LiteralChoice | null;
  /** Findings that are shown but do not count. */
  readonly suppress: readonly Suppression[];
  /** Source trees of libraries that the programs need, by their names (`z` for libz.so.1); absolute, or see library-sources.ts. */
  readonly libraries: Readonly<Record<string, string>>;
  readonly limits: {
    readonly timeMs?: number;
    readonly seedTimeMs?: number;
    readonly targetTimeMs?: number;
    readonly distance?: number;
    readonly sample?: number;
  };
}

export type ConfigResult =
  | { readonly kind: "none" }
  | { readonly kind: "config"; readonly config: ProjectConfig }
  | { readonly kind: "wrong"; readonly problem: string };

/** The keys, by table; what they must be is said in words for the message. */
const KEYS = {
  "": {
    build: "text",
    test: "text",
    programs: "list",
    repository: "text",
    folders: "list",
    "sanitizer-macros": "truth",
    literals: "literals",
    suppress: "tables",
    libraries: "folders",
    limits: "table",
  },
  limits: { time: "duration", "seed-time": "duration", "target-time": "duration", distance: "count", sample: "count" },
} as const;
const WORDS = {
  text: "a text in quotes",
  list: "a list of texts",
  truth: "true or false",
  literals: LITERAL_CHOICES.map((choice) => JSON.stringify(choice)).join(" or "),
  table: "a table",
  tables: "tables, each begun by [[suppress]]",
  folders: 'a table of folders by names of libraries, such as z = "../zlib" or z = "apt-get source"',
  duration: 'a time such as "30s" or "5m"',
  count: "a whole number",
} as const;

/** Larger ones were not written by people. */
const MOST_BYTES = 0x10_0000;

export function readConfig(root: string): ConfigResult {
  const path = join(root, CONFIG_NAME);
  const trust = trustOf(path, root);
  if (trust.kind === "foreign") {
    const { place } = trust;
    const whose = `${place} belongs to another user, or others may write there`;
    const problem = `${path} says what is executed, but ${whose}; remove the file, or make that your own alone`;
    return { kind: "wrong", problem };
  }
  return readConfigFile(path);
}

/** A file that the user names: whose it is does not matter. */
export function readConfigFile(path: string): ConfigResult {
  let text: string;
  try {
    text = readRegularFile(path, { mostBytes: MOST_BYTES }).toString();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === "ENOENT" ? { kind: "none" } : { kind: "wrong", problem: `${path}: ${message}` };
  }
  const parsed = parseConfig(text);
  if (parsed.kind === "wrong") return { kind: "wrong", problem: visible(`${path}: ${parsed.problem}`) };
  const { repository, libraries } = parsed.config;
  const place = (folder: string): string => resolve(dirname(path), folder);
  return {
    kind: "config",
    config: {
      ...parsed.config,
      repository: repository === null ? null : place(repository),
      libraries: Object.fromEntries(
        Object.entries(libraries).map(([name, sources]) => [name, isFromApt(sources) ? sources : place(sources)]),
      ),
    },
  };
}

export function parseConfig(text: string): Exclude<ConfigResult, { kind: "none" }> {
  let root: Record<string, unknown>;
  try {
    root = parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [first] = error.message.split("\n");
    return { kind: "wrong", problem: `line ${error.line}: ${first.replace(/^Invalid TOML document: /, "")}` };
  }
  const limits = (root.limits ?? {}) as Record<string, unknown>;
  const problem = problemIn(root, "") ?? problemIn(limits, "limits");
  if (problem !== null) return { kind: "wrong", problem };
  const suppressed = readSuppressions((root.suppress as Record<string, unknown>[] | undefined) ?? []);
  if (suppressed.kind === "wrong") return suppressed;
  const time = limits.time === undefined ? {} : { timeMs: durationOf(limits.time) ?? 0 };
  const seedTime = limits["seed-time"] === undefined ? {} : { seedTimeMs: durationOf(limits["seed-time"]) ?? 0 };
  const targetTime =
    limits["target-time"] === undefined ? {} : { targetTimeMs: durationOf(limits["target-time"]) ?? 0 };
  return {
    kind: "config",
    config: {
      build: (root.build as string | undefined) ?? null,
      test: (root.test as string | undefined) ?? null,
      programs: (root.programs as string[] | undefined) ?? [],
      repository: (root.repository as string | undefined) ?? null,
      folders: (root.folders as string[] | undefined) ?? [],
      literals: (root.literals as LiteralChoice | undefined) ?? null,
      sanitizerMacros: root["sanitizer-macros"] === true,
      suppress: suppressed.list,
      libraries: { ...(root.libraries as Record<string, string> | undefined) },
      limits: {
        ...time,
        ...seedTime,
        ...targetTime,
        ...(limits.distance === undefined ? {} : { distance: limits.distance as number }),
        ...(limits.sample === undefined ? {} : { sample: limits.sample as number }),
      },
    },
  };
}

function problemIn(table: Record<string, unknown>, name: keyof typeof KEYS): string | null {
  if (typeof table !== "object" || table === null || Array.isArray(table)) return `${name} must be a table`;
  const known: Record<string, keyof typeof WORDS> = KEYS[name];
  for (const [key, value] of Object.entries(table)) {
    const full = name === "" ? key : `${name}.${key}`;
    if (!Object.hasOwn(known, key)) return `there is no key ${full}; there are ${Object.keys(known).join(", ")}`;
    if (!isOf(known[key], value)) return `${full} must be ${WORDS[known[key]]}`;
  }
  return null;
}

function isOf(kind: keyof typeof WORDS, value: unknown): boolean {
  switch (kind) {
    case "text":
      return typeof value === "string" && value.trim() !== "";
    case "list":
      return Array.isArray(value) && value.every((one) => typeof one === "string");
    case "literals":
      return LITERAL_CHOICES.some((choice) => choice === value);
    case "truth":
      return typeof value === "boolean";
    case "tables":
      return Array.isArray(value) && value.every((one) => isOf("table", one) && !Array.isArray(one));
    case "table":
      return typeof value === "object" && value !== null;
    case "folders":
      return isFolders(value);
    case "duration":
      return durationOf(value) !== null;
    case "count":
      return typeof value === "number" && Number.isInteger(value) && value >= 0;
  }
}

/** Names become those of folders and of files that are looked for. */
function isFolders(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.entries(value).every(
    ([name, folder]) =>
      /^[\w+.-]{1,64}$/.test(name) && !/^\.+$/.test(name) && typeof folder === "string" && folder !== "",
  );
}

/** Milliseconds; a plain number is seconds. Null if it is no time. */
function durationOf(value: unknown): number | null {
  if (typeof value === "number" && value > 0) return value * 1000;
  return typeof value === "string" ? parseDuration(value) : null;
}
