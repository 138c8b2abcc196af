// The numbers of several engines that explored parts of one tree, as if one had explored it. Shares are of all their time
// together; the time itself is the coordinator's to know.

import type { EngineStatistics } from "../engine/statistics.js";
import type { SolverStats } from "../solver/chain.js";

/** Numbers are added, tables of numbers by name; lists are left to the first. */
function added(a: unknown, b: unknown): unknown {
  if (typeof a === "number" && typeof b === "number") return a + b;
  if (a === undefined || b === undefined) return a ?? b;
  if (Array.isArray(a) || typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a;
  const result: Record<string, unknown> = { ...a };
  for (const [name, value] of Object.entries(b)) result[name] = added(result[name], value);
  return result;
}

/** `timeMs`: of the whole, on the clock; null: the sum of the parts. */
export function sumStatistics(parts: readonly EngineStatistics[], timeMs: number | null): EngineStatistics {
  const sum = parts.reduce((a, b) => added(a, b) as EngineStatistics);
  const spentMs = parts.reduce((total, part) => total + part.timeMs, 0);
  const wallMs = timeMs ?? spentMs;
  return {
    ...sum,
    timeMs: wallMs,
    pathsPerSecond: wallMs > 0 ? (sum.paths * 1000) / wallMs : 0,
    solverShare: spentMs > 0 ? sum.solver.timeMs / spentMs : 0,
    unsatisfiableShare: sum.solver.timeMs > 0 ? sum.solver.unsatisfiableTimeMs / sum.solver.timeMs : 0,
  };
}

export function sumSolverStats(parts: readonly SolverStats[]): SolverStats {
  const sum = parts.reduce((a, b) => added(a, b) as SolverStats);
  const { timeMs, unsatMs } = sum.total;
  const layers = sum.layers.map((layer, index) => ({
    ...layer,
    asked: parts.reduce((total, part) => total + (part.layers[index]?.asked ?? 0), 0),
    answered: parts.reduce((total, part) => total + (part.layers[index]?.answered ?? 0), 0),
    timeMs: parts.reduce((total, part) => total + (part.layers[index]?.timeMs ?? 0), 0),
  }));
  return { ...sum, layers, unsatShare: timeMs === 0 ? 0 : unsatMs / timeMs };
}
