// What scripts have in common on the command line. A script's first comment says what it does and how it is called, so that comment is
// its help: `--help` prints it and ends, and so does an option that does not exist, with status 2. Both before any work: most
// scripts run for many minutes.

import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { type ParseArgsConfig, parseArgs } from "node:util";

const UNKNOWN_OPTION_STATUS = 2;

/** The comment that a source begins with, without its slashes. */
export function firstComment(source: string): string {
  const lines = source.split("\n");
  const end = lines.findIndex((line) => !line.startsWith("//"));
  return lines
    .slice(0, end < 0 ? lines.length : end)
    .map((line) => line.replace(/^\/\/ ?/, ""))
    .join("\n");
}

/** `script` is its import.meta.url: the compiled file has the comment too. */
function usageOf(script: string): string {
  return `${firstComment(readFileSync(fileURLToPath(script), "utf8"))}\n`;
}

/** As parseArgs of Node, which knows the options; those that it complains of end the script. */
export function scriptArguments<const T extends ParseArgsConfig>(
  script: string,
  config: T,
): ReturnType<typeof parseArgs<T>> {
  answerHelp(script, process.argv.slice(2));
  try {
    return parseArgs(config);
  } catch (error) {
    return refuse(script, (error as Error).message);
  }
}

/** For scripts that take names or numbers and no options. */
export function scriptWords(script: string): string[] {
  return scriptArguments(script, { allowPositionals: true, options: {} }).positionals;
}

/** For a script whose words are those of another program: only what stands before them may be an option, and none is known but --help. */
export function programAndWords(script: string): string[] {
  const words = process.argv.slice(2);
  answerHelp(script, words.slice(0, 1));
  if (words[0]?.startsWith("-")) refuse(script, `Unknown option '${words[0]}'`);
  return words;
}

function answerHelp(script: string, words: readonly string[]): void {
  const end = words.indexOf("--");
  if (!words.slice(0, end < 0 ? words.length : end).includes("--help")) return;
  process.stdout.write(usageOf(script));
  process.exit(0);
}

function refuse(script: string, problem: string): never {
  process.stderr.write(`${basename(fileURLToPath(script), ".js")}: ${problem}\n\n${usageOf(script)}`);
  process.exit(UNKNOWN_OPTION_STATUS);
}
