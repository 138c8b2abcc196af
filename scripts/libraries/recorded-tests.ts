// How many recorded tests have something of their own to vary (a file of the tree, standard input, an argument), and how many only what stands
// in their program's source.

import type { Seed } from "../../src/project/seed.js";

export interface RecordedTests {
  readonly all: number;
  /** The rest has arguments only, or nothing but its literals. */
  readonly withFiles: number;
  readonly withStdin: number;
  readonly withArguments: number;
  readonly literalsOnly: number;
}

type Invocation = Pick<Seed, "arguments" | "stdin" | "files">;

/** Files elsewhere are the system's. Each test counts once, by the first that it has. */
export function recordedTests(seeds: readonly Invocation[], tree: string): RecordedTests {
  let [withFiles, withStdin, withArguments] = [0, 0, 0];
  for (const { arguments: words, stdin, files } of seeds) {
    if (files.some(({ path, content }) => content !== null && path.startsWith(`${tree}/`))) withFiles++;
    else if (stdin.kind === "bytes") withStdin++;
    else if (words.length > 1) withArguments++;
  }
  const literalsOnly = seeds.length - withFiles - withStdin - withArguments;
  return { all: seeds.length, withFiles, withStdin, withArguments, literalsOnly };
}

export function testsInWords({ all, withFiles, withStdin, withArguments, literalsOnly }: RecordedTests): string {
  const kinds = [
    [withFiles, "with files"],
    [withStdin, "with standard input"],
    [withArguments, "with arguments"],
    [literalsOnly, "with literals only"],
  ] as const;
  const words = kinds.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return `${all} tests${words.length === 0 ? "" : `: ${words.join(", ")}`}`;
}
