// Bodies from text and back, for the tests of passes: a pass is shown by the text before and the text after it.

import assert from "node:assert/strict";
import { orderBlocks } from "../analysis/cfg.js";
import { verify } from "../analysis/verify.js";
import type { IrFunction, Module } from "../module.js";
import { parseModule } from "../text/parse-module.js";
import { printBody } from "../text/print.js";
import type { Body } from "../values.js";

export function moduleOf(text: string, name = "test.ll", origin: Module["origin"] = "program"): Module {
  return parseModule(text, { name, origin });
}

/** The function `name` of a module, with its blocks in order; every global resolves to itself. */
export function functionOf(text: string, name = "f"): { readonly fn: IrFunction; readonly body: Body } {
  const module = moduleOf(text);
  for (const value of module.globals.values()) if (!value.isDeclaration) value.resolved = value;
  const fn = module.globals.get(name);
  assert.ok(fn?.kind === "function", `no function ${name}`);
  const body = fn.parseBody();
  assert.ok(body !== null, `${name} has no body`);
  orderBlocks(body);
  return { fn, body };
}

/** The text of a body that obeys the rules, one instruction a line without indentation. */
export function textOf(body: Body): string {
  assert.deepEqual(verify(body), []);
  return lines(printBody(body));
}

export function lines(text: string): string {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join("\n");
}

/** Runs a pass over @f and compares with the expected text. */
export function assertPass(before: string, pass: (body: Body, fn: IrFunction) => void, after: string): void {
  const { fn, body } = functionOf(before);
  pass(body, fn);
  assert.equal(textOf(body), lines(after));
}
