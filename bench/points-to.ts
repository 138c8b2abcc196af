// How long the points-to analysis takes and how precise it is, on a program built by `tangent cc`: node dist/bench/points-to.js PROGRAM
import { cacheDirectory, openCache } from "../src/frontend/cache.js";
import { loadInputs } from "../src/frontend/capture-text.js";
import { openLibc } from "../src/frontend/libc.js";
import { findToolchain } from "../src/frontend/toolchain.js";
import { AllocaUses } from "../src/ir/analysis/alloca-uses.js";
import { callGraph } from "../src/ir/analysis/call-graph.js";
import { numberInstructions, orderBlocks, predecessors } from "../src/ir/analysis/cfg.js";
import { DominatorTree } from "../src/ir/analysis/dominators.js";
import { DataLayout, X86_64_LAYOUT } from "../src/ir/data-layout.js";
import { inlinedFrames } from "../src/ir/debug-info.js";
import { linkProgram } from "../src/ir/link.js";
import type { IrFunction } from "../src/ir/module.js";
import { intrinsicNeeds } from "../src/ir/passes/math-intrinsics.js";
import { promoteFrom } from "../src/ir/passes/sroa.js";
import { PointsTo } from "../src/ir/points-to/points-to.js";
import { parseModule } from "../src/ir/text/parse-module.js";
import type { Body } from "../src/ir/values.js";
import { isProvided, RUNTIME_ROOTS } from "../src/jit/compile.js";

const found = findToolchain({ env: process.env, clang: null });
if (found.kind === "missing") throw new Error(found.message);
const { toolchain } = found;
const cache = openCache(cacheDirectory(process.env));
const captured = await loadInputs(process.argv.slice(2), { toolchain, cache, env: process.env, flags: [], onProgress: () => {} });
if (captured.kind === "failed") throw new Error(captured.message);
const t0 = performance.now();
const modules = captured.modules.map(({ name, text }) => parseModule(text, { name, origin: "program" }));
const libc = openLibc({ toolchain, cache, env: process.env });
const wanted = new Set<string>(RUNTIME_ROOTS);
for (const m of modules) for (const g of m.globals.values()) if (g.isDeclaration) for (const n of [g.name, ...intrinsicNeeds(g.name)]) wanted.add(n);
const prepared = await libc.prepare([...wanted], () => {});
if (prepared.kind === "failed") throw new Error(prepared.message);
const layout = new DataLayout(X86_64_LAYOUT);
const program = linkProgram(modules, { libc: (s) => (s === "main" ? null : libc.module(s)), roots: RUNTIME_ROOTS, intrinsicNeeds, provided: isProvided, layout });
const t1 = performance.now();
const bodies = new Map<IrFunction, Body>();
let instructions = 0;
const bodyOf = (fn: IrFunction): Body => {
  const known = bodies.get(fn);
  if (known !== undefined) return known;
  const body = fn.parseBody();
  if (body === null) throw new Error(`${fn.name} has no body`);
  orderBlocks(body);
  promoteFrom(new AllocaUses(body, layout, numberInstructions(body)), new DominatorTree(predecessors(body)));
  for (const b of body.blocks) instructions += b.instructions.length;
  bodies.set(fn, body);
  return body;
};
const { order } = callGraph(program.functions, program.references);
for (const fn of order) bodyOf(fn);
const t2 = performance.now();
const analysis = new PointsTo(program, order, bodyOf, layout);
console.log({ parseLink: Math.round(t1 - t0), bodies: Math.round(t2 - t1), functions: order.length, instructions, fromNumbers: [...analysis.fromNumbers].map(f=>f.name), ...analysis.statistics });
let sum = 0;
let most = 0;
const calls = [...analysis.indirectCalls()];
for (const [, callees] of calls) { sum += callees.size; most = Math.max(most, callees.size); }
console.log(`indirect calls ${calls.length}, average callees ${(sum / calls.length).toFixed(2)}, most ${most}, none ${calls.filter(([, c]) => c.size === 0).length}`);
if (process.env.VERBOSE) for (const [fn] of bodies) for (const b of bodyOf(fn).blocks) for (const i of b.instructions) if (i.op === "call") { const c = analysis.indirectCalls().get(i as never); if (c) console.log(`${fn.name}:${i.loc === null ? "?" : (inlinedFrames(i.loc)[0]?.line ?? "?")} -> ${[...c].map((f) => f.name).slice(0, 12).join(" ")}${c.size > 12 ? ` … ${c.size}` : ""}`); }

if (process.env.VERBOSE) {
  const names = new Map<string, number>();
  for (const o of analysis.collapsedObjects()) {
    const n = o.kind === "variable" ? `variable ${o.variable.name}` : o.kind === "outside" || o.kind === "constants" ? o.kind : `${o.kind} ${o.function.name}:${"loc" in o && o.loc !== null ? (inlinedFrames(o.loc)[0]?.line ?? "?") : ""}`;
    names.set(n, (names.get(n) ?? 0) + 1);
  }
  console.log([...names].map(([n, c]) => `${n} ${c}`).join("\n"));
}
