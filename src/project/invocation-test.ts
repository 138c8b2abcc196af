// An invocation as the engine wants it: which of its bytes are input (arguments, standard input, the files it reads, with what they
// hold as their values; of a library's test the literals that it names) and which are merely given (files of the system, files too large
// to reason about). And back: what an exploration found, as an invocation.

import { realpathSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import type { InputValue } from "../inputs/input-value.js";
import type { Invocation, TreeEntry } from "../inputs/invocation.js";
import {
  type ArgumentWord,
  argumentName,
  environmentName,
  fileObjectName,
  STDIN_NAME,
} from "../inputs/symbolic-inputs.js";
import { isSystemFile } from "../inputs/system-files.js";
import type { GivenSurroundings, TestInput } from "../inputs/test-input.js";
import type { GivenEntry } from "../vm/given-entry.js";

export interface InvocationLimits {
  /** A longer argument or file is given as it is; standard input always varies. */
  readonly symbolicBytes: number;
  /** Zeros behind each argument that are input too, so that a longer argument is just another path. */
  readonly slack: number;
}
export const DEFAULT_INVOCATION_LIMITS: InvocationLimits = { symbolicBytes: 0x10_0000, slack: 0 };

/** `root`: the project's directory. `directories`: what is known of links in paths; given again for the next of many invocations. */
export function testOfInvocation(
  invocation: Invocation,
  root: string,
  limits: InvocationLimits = DEFAULT_INVOCATION_LIMITS,
  directories: Map<string, string> = new Map(),
): TestInput {
  const own = [Buffer.from(root).toString("latin1"), invocation.workingDirectory].map((path) =>
    canonicalPath(path, directories),
  );
  const words: ArgumentWord[] = [];
  const values: InputValue[] = [];
  const add = (name: string, bytes: Uint8Array): void => {
    values.push({ name, occurrence: 0, bytes });
  };
  let argument = 0;
  for (const bytes of invocation.arguments) {
    const isInput = isInputArgument(bytes, limits);
    words.push(isInput ? { kind: "symbolic", length: bytes.length + limits.slack } : { kind: "fixed", bytes });
    if (isInput) add(argumentName(argument++), withSlack(bytes, limits.slack));
  }
  const { stdin } = invocation;
  if (stdin.kind === "bytes") add(STDIN_NAME, stdin.bytes);
  const symbolicFiles: { readonly name: string; readonly size: number }[] = [];
  const files: { readonly path: string; readonly bytes: Uint8Array }[] = [];
  const tree: GivenEntry[] = [];
  for (const entry of entriesOnce(invocation.tree, directories)) {
    tree.push(givenEntry(entry));
    if (entry.kind !== "file") continue;
    const { path, bytes } = entry;
    if (isSystemFile(path, own) || bytes.length === 0 || bytes.length > limits.symbolicBytes) {
      files.push({ path, bytes });
    } else {
      symbolicFiles.push({ name: path, size: bytes.length });
      add(fileObjectName(path), bytes);
    }
  }
  const variables: { readonly name: string; readonly length: number }[] = [];
  for (const name of invocation.varied ?? []) {
    const variable = invocation.environment.findLast((one) => one.startsWith(`${name}=`));
    const bytes = Buffer.from(variable?.slice(name.length + 1) ?? "", "latin1");
    if (bytes.length === 0 || bytes.length > limits.symbolicBytes) continue;
    variables.push({ name, length: bytes.length });
    add(environmentName(name), bytes);
  }
  const literals = (invocation.literals ?? []).map(({ name, bytes }) => ({ name, size: bytes.length }));
  for (const { name, bytes } of invocation.literals ?? []) add(name, bytes);
  return {
    program: textOf(invocation.program),
    workingDirectory: textOf(invocation.workingDirectory),
    environment: invocation.environment.map(textOf),
    inputs: {
      words,
      stdin: stdin.kind === "bytes" ? stdin.bytes.length : null,
      files: symbolicFiles,
      environment: variables,
      ...(literals.length === 0 ? {} : { literals, onlyLiterals: true }),
    },
    values,
    given: {
      files,
      directories: [invocation.workingDirectory],
      ...(tree.length === 0 ? {} : { tree: parentsFirst(tree) }),
      ...(invocation.startTimeMs === undefined ? {} : { startTimeMs: invocation.startTimeMs }),
      ...(invocation.executable === undefined ? {} : { executable: invocation.executable }),
      umask: invocation.umask,
      ...(invocation.outputs === undefined ? {} : { outputs: invocation.outputs }),
      stdinKind: inputKind(invocation),
    },
  };
}

/** The invocation that a witness of its test is. */
export function invocationWith(
  invocation: Invocation,
  witness: readonly InputValue[],
  limits: InvocationLimits = DEFAULT_INVOCATION_LIMITS,
): Invocation {
  const said = new Map(witness.flatMap(({ name, occurrence, bytes }) => (occurrence === 0 ? [[name, bytes]] : [])));
  let argument = 0;
  const words = invocation.arguments.map((bytes) => {
    const found = isInputArgument(bytes, limits) ? said.get(argumentName(argument++)) : undefined;
    return found === undefined ? bytes : upToZero(found);
  });
  const { stdin } = invocation;
  const input = said.get(STDIN_NAME);
  const directories = new Map<string, string>();
  const tree = invocation.tree.map((entry): TreeEntry => {
    const name = entry.kind === "file" ? fileObjectName(canonicalPath(entry.path, directories)) : "";
    const bytes = entry.kind === "file" ? said.get(name) : undefined;
    return entry.kind === "file" && bytes !== undefined ? { ...entry, bytes } : entry;
  });
  const names = new Set(invocation.varied ?? []);
  const environment = invocation.environment.map((variable) => {
    const name = variable.slice(0, variable.indexOf("="));
    const bytes = names.has(name) ? said.get(environmentName(name)) : undefined;
    return bytes === undefined ? variable : `${name}=${Buffer.from(upToZero(bytes)).toString("latin1")}`;
  });
  const literals = invocation.literals?.map((one) => ({ ...one, bytes: said.get(one.name) ?? one.bytes }));
  return {
    ...invocation,
    ...(literals === undefined ? {} : { literals }),
    arguments: words,
    environment,
    stdin: stdin.kind === "bytes" && input !== undefined ? { ...stdin, bytes: input } : stdin,
    tree,
  };
}

function isInputArgument(bytes: Uint8Array, limits: InvocationLimits): boolean {
  return bytes.length + limits.slack > 0 && bytes.length <= limits.symbolicBytes;
}

/** As the machine names them, the first of each path. */
function* entriesOnce(tree: readonly TreeEntry[], directories: Map<string, string>): Generator<TreeEntry> {
  const met = new Set<string>();
  for (const entry of tree) {
    const path = canonicalPath(entry.path, directories);
    if (met.has(path)) continue;
    met.add(path);
    yield { ...entry, path };
  }
}

/** Without content, which is input or given as a file of its own. */
function givenEntry(entry: TreeEntry): GivenEntry {
  if (entry.kind === "sized") return { ...entry, kind: "file" };
  if (entry.kind !== "file") return entry;
  const { bytes, ...rest } = entry;
  return { ...rest, size: bytes.length };
}

/** Otherwise in the order in which they are. */
function parentsFirst(tree: readonly GivenEntry[]): readonly GivenEntry[] {
  const depth = ({ path }: GivenEntry): number => path.split("/").length;
  return [...tree].sort((a, b) => depth(a) - depth(b));
}

function inputKind({ stdin }: Invocation): NonNullable<GivenSurroundings["stdinKind"]> {
  if (stdin.kind === "bytes") return stdin.regularFile ? "file" : "pipe";
  // A terminal at which nobody types has no better likeness.
  return stdin.kind === "empty" ? "null" : stdin.kind === "closed" ? "closed" : "pipe";
}

function withSlack(bytes: Uint8Array, slack: number): Uint8Array {
  if (slack === 0) return bytes;
  const longer = new Uint8Array(bytes.length + slack);
  longer.set(bytes);
  return longer;
}

function upToZero(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(0);
  return end < 0 ? bytes : bytes.subarray(0, end);
}

/** The machine takes names of its own files one character a byte, and everything else as text. */
function textOf(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString("utf8");
}

/**
 * As the machine names an open file: links in its directory followed, if it is still there. `directories`: those already asked for, since a
 * tree has many entries in one.
 */
function canonicalPath(path: string, directories: Map<string, string> = new Map()): string {
  const plain = normalize(path);
  const above = dirname(plain);
  let directory = directories.get(above);
  if (directory === undefined) {
    directory = canonicalDirectory(above);
    directories.set(above, directory);
  }
  return plain === "/" ? plain : join(directory, plain.slice(plain.lastIndexOf("/") + 1));
}

function canonicalDirectory(path: string): string {
  try {
    return realpathSync(Buffer.from(path, "latin1"), "buffer").toString("latin1");
  } catch {
    return path;
  }
}
