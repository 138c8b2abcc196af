// Where a process spent its time, from the profiles that V8 writes (--cpu-prof; one for each thread): self time of every
// function, added up by the folder of its source. Generated code has no source; it is the program's own execution.

import { readFileSync } from "node:fs";

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
