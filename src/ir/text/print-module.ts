// A whole module as IR text, bodies and initialisers included. Used to see what the parser understood: parsing the
// result and printing it again must give the same text.

import type { GlobalValue, GlobalVariable, Module } from "../module.js";
import { type PrintOptions, printDeclaration, printFunction } from "./print.js";
import { escapeBytes, printName, ValuePrinter } from "./print-value.js";

export function printModule(module: Module, options: PrintOptions = { locations: false }): string {
  const values = new ValuePrinter();
  let text = "";
  // A snapshot: reading bodies may declare names that the text only uses.
  for (const value of [...module.globals.values()]) text += printGlobal(value, values, options);
  let types = "";
  // Printing a definition may meet further structures; a Map's iteration reaches them too.
  for (const [name, type] of values.structs) types += `%${printName(name)} = type ${values.structBody(type)}\n`;
  const layout = `target datalayout = "${escapeBytes(Buffer.from(module.layout.text, "latin1"))}"\n`;
  const assembly = module.moduleAsm.map((line) => `module asm "${escapeBytes(Buffer.from(line, "latin1"))}"\n`);
  return `${layout}${assembly.join("")}\n${types}\n${text}`;
}

function printGlobal(value: GlobalValue, values: ValuePrinter, options: PrintOptions): string {
  switch (value.kind) {
    case "variable":
      return printVariable(value, values, options);
    case "function": {
      const body = value.parseBody();
      return body === null
        ? printDeclaration(value, values, options)
        : `\n${printFunction(value, body, values, options)}`;
    }
    case "alias": {
      const kind = value.ifunc ? "ifunc" : "alias";
      const linkage = value.linkage === "external" ? "" : `${value.linkage} `;
      const head = `@${printName(value.name)} = ${linkage}${value.hidden ? "hidden " : ""}${kind}`;
      const aliasee = value.aliasee();
      return `${head} ${values.type(value.valueType)}, ${values.typed(aliasee)}\n`;
    }
  }
}

function printVariable(value: GlobalVariable, values: ValuePrinter, options: PrintOptions): string {
  const initializer = value.initializer();
  let text = `@${printName(value.name)} = `;
  if (value.linkage !== "external" || initializer === null) text += `${value.linkage} `;
  if (value.hidden) text += "hidden ";
  if (value.threadLocal) text += "thread_local ";
  text += `${value.constant ? "constant" : "global"} ${values.type(value.valueType)}`;
  if (initializer !== null) text += ` ${values.constant(initializer)}`;
  if (value.section !== null) text += `, section "${escapeBytes(Buffer.from(value.section, "latin1"))}"`;
  if (value.align !== 0) text += `, align ${value.align}`;
  return options.locations && value.debugId >= 0 ? `${text}, !dbg !${value.debugId}\n` : `${text}\n`;
}
