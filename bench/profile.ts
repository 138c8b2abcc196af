// Where a process spent its time, from the profiles that V8 writes (--cpu-prof; one for each thread): self time of every
// function, added up by the folder of its source. Generated code has no source; it is the program's own execution.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const PARTS = ["translation", "execution", "expressions", "solver", "engine", "files", "other"] as const;
export type Part = (typeof PARTS)[number];
/** Shares of the whole. */
export type Profile = Readonly<Record<Part, number>>;

interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

const FOLDERS: { readonly [folder: string]: Part } = {
  ir: "translation",
  frontend: "translation",
  jit: "translation",
  program: "translation",
  vm: "execution",
  expr: "expressions",
  concolic: "expressions",
  solver: "solver",
  path: "engine",
  search: "engine",
  engine: "engine",
  techniques: "engine",
  findings: "engine",
  report: "files",
  cli: "files",
};

export function profileOf(files: readonly string[]): Profile {
  const sums = Object.fromEntries(PARTS.map((part) => [part, 0])) as Record<Part, number>;
  let total = 0;
  for (const file of files) {
    const profile = JSON.parse(readFileSync(file, "utf8")) as CpuProfile;
    const parts = new Map(profile.nodes.map(({ id, callFrame }) => [id, partOf(callFrame)]));
    profile.samples.forEach((id, index) => {
      const part = parts.get(id) ?? null;
      if (part === null) return;
      sums[part] += profile.timeDeltas[index];
      total += profile.timeDeltas[index];
    });
  }
  for (const part of PARTS) sums[part] /= Math.max(1, total);
  return sums;
}

/** Null: the thread waited. */
function partOf({ functionName, url }: CpuProfile["nodes"][number]["callFrame"]): Part | null {
  if (functionName === "(idle)") return null;
  if (url.startsWith("wasm:")) return "execution";
  const folder = /\/dist\/src\/([\w-]+)\//.exec(url)?.[1];
  if (folder !== undefined) return FOLDERS[folder] ?? "other";
  return url.includes("cadical") ? "solver" : "other";
}

export interface HotFunction {
  /** With its file, and "main" or "worker": the thread. */
  readonly name: string;
  readonly ms: number;
  readonly share: number;
}

/** The functions of all threads with the most time of their own; shares are of all that is not idle. */
export function hottest(folder: string, most: number): HotFunction[] {
  const sums = new Map<string, number>();
  let total = 0;
  for (const file of readdirSync(folder)) {
    const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(join(folder, file), "utf8")) as CpuProfile;
    const thread = /\.0\.\d+\.cpuprofile$/.test(file) ? "main" : "worker";
    const names = new Map(
      nodes.map(({ id, callFrame: { functionName, url } }) => {
        const place = url.replace(/^.*\/(dist\/src|node_modules)\//, "");
        return [id, functionName === "(idle)" ? null : `${thread}: ${functionName} ${place}`];
      }),
    );
    samples.forEach((id, index) => {
      const name = names.get(id) ?? null;
      if (name === null) return;
      total += timeDeltas[index];
      sums.set(name, (sums.get(name) ?? 0) + timeDeltas[index]);
    });
  }
  return [...sums]
    .sort(([, a], [, b]) => b - a)
    .slice(0, most)
    .map(([name, time]) => ({ name, ms: time / 1000, share: time / total }));
}
