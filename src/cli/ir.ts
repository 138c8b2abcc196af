// `tangent ir`: shows what `tangent cc` captured, so that a user whose program lacks a function sees whether its module is there.

import { mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import { cacheDirectory, openCache } from "../frontend/cache.js";
import type { ForeignLibrary } from "../frontend/capture.js";
import { type CapturedModule, loadInputs } from "../frontend/capture-text.js";
import { findToolchain } from "../frontend/toolchain.js";
import { outputFolder } from "../project/output-path.js";
import { findProject, writeSafely } from "../project/project-folder.js";
import { defineCommand } from "./command.js";

const TROUBLE_STATUS = 3;

export const command = defineCommand({
  name: "ir",
  summary: "Show the LLVM IR that `tangent cc` captured in a program",
  description: "Without options, lists each module with the size of its text and the functions it defines.",
  options: {
    text: { kind: "flag", help: "print the IR itself" },
    list: { kind: "flag", help: "print only the modules' names" },
    json: { kind: "flag", help: "print the list as JSON" },
    output: { kind: "value", short: "o", value: "DIR", help: "write each module's IR to a file in DIR" },
    clang: { kind: "value", value: "PATH", help: "the clang that reads the IR" },
  },
  operands: {
    inputs: { kind: "many", value: "PROG", help: "an executable, object or archive, or a .c, .i, .ll or .bc file" },
  },
  async run(options, operands, context) {
    const found = findToolchain({ env: context.env, clang: options.clang ?? null });
    if (found.kind === "missing") {
      context.error(`tangent ir: ${found.message}\n`);
      return TROUBLE_STATUS;
    }
    const cache = openCache(cacheDirectory(context.env));
    const loaded = await loadInputs(operands.inputs, { toolchain: found.toolchain, cache, env: context.env });
    if (loaded.kind === "failed") {
      context.error(`tangent ir: ${loaded.message}\n`);
      return TROUBLE_STATUS;
    }
    const { modules, uncaptured, foreign } = loaded;
    if (options.output !== undefined) return writeFiles(options.output, modules, context.out);
    if (options.json) {
      context.out(
        `${JSON.stringify({ modules: modules.map(describe), uncaptured, foreign: foreign.map(nameAndPath) }, null, 2)}\n`,
      );
    } else if (options.text) {
      for (const { text } of modules) context.out(text);
    } else {
      for (const module of modules) {
        const { name, functions, bytes, library } = describe(module);
        const size = `${bytes} bytes${library === null ? "" : `, ${library}`}`;
        context.out(options.list ? `${name}\n` : `${name} (${size}): ${functions.join(" ") || "no functions"}\n`);
      }
      for (const { source, symbols, reason } of options.list ? [] : uncaptured) {
        context.out(`${source} (no IR: ${reason}): ${symbols.join(" ") || "no symbols"}\n`);
      }
      for (const { name, path } of options.list ? [] : foreign) {
        context.out(`${name} (foreign, no IR): ${path ?? "not found"}\n`);
      }
    }
    return 0;
  },
});

interface Description {
  readonly name: string;
  readonly bytes: number;
  readonly functions: readonly string[];
  /** The shared library it belongs to. */
  readonly library: string | null;
}

function nameAndPath({ name, path }: ForeignLibrary): Pick<ForeignLibrary, "name" | "path"> {
  return { name, path };
}

function describe({ name, text, library }: CapturedModule): Description {
  const functions = Array.from(
    text.matchAll(/^define [^@\n]*@(?:"([^"]*)"|([\w$.-]+))\(/gm),
    (match) => match[1] ?? match[2],
  );
  return { name, bytes: text.length, functions, library: library?.name ?? null };
}

function writeFiles(folder: string, modules: readonly CapturedModule[], out: (text: string) => void): number {
  mkdirSync(outputFolder(folder, findProject(process.cwd()).root), { recursive: true });
  const digits = String(modules.length).length;
  for (const [index, { name, text }] of modules.entries()) {
    const path = join(folder, `${String(index + 1).padStart(digits, "0")}-${basename(name).replace(/\.c$/, "")}.ll`);
    writeSafely(path, Buffer.from(text, "latin1"));
    out(`${path}\n`);
  }
  return 0;
}
