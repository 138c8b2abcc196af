// Help for the terminal and the same as Markdown for the documentation, both from the commands' declarations.

import type { Command, OperandSpec, OptionSpec } from "./command.js";

export function overview(commands: readonly Command[]): string {
  const rows = commands.map(({ name, summary }): Row => [name, summary]);
  return [
    "tangent runs C programs inside a checking machine and finds the bugs next to their tests.\n",
    "Usage: tangent COMMAND [ARGUMENTS]\n",
    table(rows),
    "`tangent help COMMAND` explains one.\n",
  ].join("\n");
}

export function details(command: Command): string {
  const parts = [`Usage: ${usage(command)}\n`, `${command.summary}.\n`];
  if (command.description !== "") parts.push(`${command.description.trim()}\n`);
  const operands = Object.values(command.operands).map((spec): Row => [spec.value, spec.help]);
  if (operands.length > 0) parts.push(table(operands));
  const options = Object.entries(command.options).map(([name, spec]): Row => [optionForm(name, spec), spec.help]);
  parts.push(table([...options, ["-h, --help", "show this"]]));
  return parts.join("\n");
}

export function asMarkdown(command: Command): string {
  const lines = [`## tangent ${command.name}`, "", `    ${usage(command)}`, "", `${command.summary}.`, ""];
  if (command.description !== "") lines.push(command.description.trim(), "");
  const options = Object.entries(command.options);
  if (options.length > 0) lines.push("| option | |", "|---|---|");
  for (const [name, spec] of options) {
    lines.push(`| \`${optionForm(name, spec).replaceAll("|", "\\|")}\` | ${spec.help} |`);
  }
  return `${lines.join("\n").trimEnd()}\n`;
}

function usage(command: Command): string {
  const options = Object.keys(command.options).length > 0 ? ["[OPTIONS]"] : [];
  return ["tangent", command.name, ...options, ...Object.values(command.operands).map(operandForm)].join(" ");
}

function operandForm({ kind, value }: OperandSpec): string {
  if (kind === "one") return value;
  if (kind === "many") return `${value}...`;
  return kind === "optional" ? `[${value}]` : `[${value}...]`;
}

function optionForm(name: string, spec: OptionSpec): string {
  const short = spec.short === undefined ? "" : `-${spec.short}, `;
  return `${short}--${dashed(name)}${valueForm(spec)}`;
}

function valueForm(spec: OptionSpec): string {
  if (spec.kind === "flag") return "";
  if (spec.kind === "choice") {
    const form = spec.value ?? spec.choices.join("|");
    return spec.bare === undefined ? ` ${form}` : `[=${form}]`;
  }
  return ` ${spec.kind === "tuple" ? spec.values.join(" ") : spec.value}`;
}

type Row = readonly [string, string];

function table(rows: readonly Row[]): string {
  const width = Math.min(30, Math.max(...rows.map(([left]) => left.length)));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join("");
}

/** Names are camelCase in code and dashed on the command line. */
export function dashed(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
