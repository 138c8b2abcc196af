import assert from "node:assert/strict";
import { test } from "node:test";
import { linkProgram } from "../link.js";
import type { IrFunction } from "../module.js";
import { moduleOf } from "../passes/body-fixture.js";
import { callGraph } from "./call-graph.js";

function graph(text: string): ReturnType<typeof callGraph> {
  const module = moduleOf(text);
  const program = linkProgram([module], { libc: () => null, roots: ["main"], layout: module.layout });
  return callGraph(program.functions, program.references);
}
function definition(name: string, ...callees: string[]): string {
  return `define void @${name}() {\n${callees.map((callee) => `  call void @${callee}()\n`).join("")}  ret void\n}\n`;
}

test("call graph: callees come before their callers", () => {
  const { order } = graph(definition("main", "a", "b") + definition("a", "c") + definition("b", "c") + definition("c"));
  const names = order.map((fn) => fn.name);
  assert.equal(names[0], "c");
  assert.equal(names[3], "main");
});

test("call graph: functions that reach each other are one component", () => {
  const text = definition("main", "a") + definition("a", "b") + definition("b", "a", "leaf") + definition("leaf");
  const { order, component } = graph(text);
  const of = (name: string): number => component.get(order.find((fn) => fn.name === name) as IrFunction) as number;
  assert.equal(of("a"), of("b"));
  assert.ok(of("leaf") < of("a") && of("a") < of("main"));
});

test("call graph: a chain of ten thousand calls needs no deep stack", () => {
  let text = definition("main", "f0");
  for (let k = 0; k < 10_000; k++) text += k === 9_999 ? definition(`f${k}`) : definition(`f${k}`, `f${k + 1}`);
  const { order } = graph(text);
  assert.equal(order.length, 10_001);
  assert.equal(order[0].name, "f9999");
});
