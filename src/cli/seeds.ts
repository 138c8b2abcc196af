// `tangent seeds`: what was recorded.

import { findProject } from "../project/project-folder.js";
import { SeedStore } from "../project/seed-store.js";
import { visible } from "../support/visible-text.js";
import { defineCommand, USAGE_STATUS } from "./command.js";
import { PROGRAM_OPTION } from "./program-option.js";
import { seedsOf } from "./recorded-project.js";
import { addRun } from "./seeds-from-run.js";

export const command = defineCommand({
  name: "seeds",
  summary: "List the recorded tests, add what `tangent explore` found, forget some",
  options: {
    json: { kind: "flag", help: "print them as JSON, one line each" },
    program: PROGRAM_OPTION,
    add: { kind: "list", value: "DIR", help: "add what `tangent explore` found, from the folder it wrote" },
    forget: { kind: "list", value: "ID", help: "remove this seed; the beginning of its id will do" },
  },
  operands: {},
  run(options, _operands, context) {
    const folder = findProject(process.cwd());
    const store = new SeedStore(folder);
    for (const run of options.add) {
      const added = addRun(folder, run, context);
      context.error("note" in added ? `tangent: ${added.note}\n` : `tangent seeds: --add: ${added.problem}\n`);
      if ("problem" in added) return USAGE_STATUS;
    }
    for (const word of options.forget) {
      const matching = store.list().filter(({ id }) => id.startsWith(word));
      if (word === "" || matching.length !== 1) {
        const what = matching.length === 0 ? "no seed's id begins" : `${matching.length} seeds' ids begin`;
        context.error(`tangent seeds: --forget: ${what} with ${visible(word)}; see \`tangent seeds\`\n`);
        return USAGE_STATUS;
      }
      store.remove(matching[0].id);
    }
    const seeds = seedsOf(store.list(), options.program);
    if (typeof seeds === "string") {
      context.error(`tangent seeds: ${seeds}\n`);
      return USAGE_STATUS;
    }
    for (const seed of seeds) {
      if (options.json) {
        context.out(`${JSON.stringify(seed)}\n`);
        continue;
      }
      const stdin = seed.stdin.kind === "bytes" ? " <stdin" : "";
      const files = seed.files.filter(({ content }) => content !== null).length;
      const notes = [
        ...(files === 0 ? [] : [files === 1 ? "1 file" : `${files} files`]),
        ...(seed.recorded.times > 1 ? [`${seed.recorded.times} times`] : []),
      ];
      context.out(
        `${seed.id}  ${seed.arguments.map(shown).join(" ")}${stdin}${notes.length > 0 ? `  (${notes.join(", ")})` : ""}\n`,
      );
    }
    if (store.trouble !== "") context.error(`tangent: ${store.trouble}\n`);
    if (!options.json) {
      const how = seeds.length > 0 ? "" : "; record the tests first: tangent record -- make check";
      context.error(`tangent: ${seeds.length === 1 ? "1 seed" : `${seeds.length} seeds`}${how}\n`);
    }
    return 0;
  },
});

function shown(word: string): string {
  const text = word.replace(/[^\x20-\x7e]/g, "?");
  const cut = text.length > 60 ? `${text.slice(0, 57)}...` : text;
  return /^[\w./:=+,@%-]+$/.test(cut) ? cut : `'${cut}'`;
}
