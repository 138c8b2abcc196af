// IR text as the library stores it: without what no reader of ours looks at. Attributes that address LLVM's code
// generator are a third of a small module's text, and comments a tenth. Also reads a module's symbols by its line starts,
// for the index; the real parser is not used, so that the index does not depend on its state.

/**
 * Drops comments, blank lines, string attributes, `nobuiltin` (true of all the library's calls, and no reason not to
 * inline them), and empty assembly that only holds an optimiser back.
 */
export function stripText(text: string): string {
  const kept: string[] = [];
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith(";")) continue;
    if (line.startsWith("attributes #")) kept.push(line.replace(/ "[^"]*"(="[^"]*")?| nobuiltin\b/g, ""));
    else if (line.includes(' call void asm sideeffect "", ')) continue;
    else kept.push(withoutComment(line));
  }
  kept.push("");
  return kept.join("\n");
}

/** Labels and switch arms carry `; preds = ...`; a semicolon inside a string is not a comment. */
function withoutComment(line: string): string {
  const at = line.indexOf(";");
  if (at < 0 || line.includes('"')) return line;
  return line.slice(0, at).trimEnd();
}

/**
 * Without the aliases that export a symbol which another source owns. The linker takes a definition from a module that is
 * already there before it asks for another, so they would displace the owner's, by chance.
 */
export function keepOwnAliases(text: string, owns: (symbol: string) => boolean): string {
  return text.replace(/^@([-\w$.]+) = [\w ]*\balias .*\n/gm, (line, symbol: string) => (owns(symbol) ? line : ""));
}

export interface ModuleSymbols {
  readonly strong: readonly string[];
  readonly weak: readonly string[];
  /** Declared but not defined, without intrinsics and without weak references. */
  readonly undefined: readonly string[];
  /** Names of llvm.* functions. */
  readonly intrinsics: readonly string[];
}

const NAME = /@("(?:[^"\\]|\\.)*"|[-\w$.]+)/;
const FUNCTION_NAME = /@("(?:[^"\\]|\\.)*"|[-\w$.]+)\(/;

export function symbolsOf(text: string): ModuleSymbols {
  const strong: string[] = [];
  const weak: string[] = [];
  const missing: string[] = [];
  const intrinsics: string[] = [];
  const define = (name: string, rest: string): void => {
    if (/^(private|internal)\b/.test(rest)) return;
    (/^(weak|linkonce|common)/.test(rest) ? weak : strong).push(name);
  };
  for (const line of text.split("\n")) {
    if (line.startsWith("define ")) define(nameIn(FUNCTION_NAME, line), line.slice("define ".length));
    else if (line.startsWith("declare ")) {
      const name = nameIn(FUNCTION_NAME, line);
      (name.startsWith("llvm.") ? intrinsics : missing).push(name);
    } else if (line.startsWith("@")) {
      const name = nameIn(NAME, line);
      const rest = line.slice(line.indexOf(" = ") + 3);
      if (name.startsWith("llvm.") || rest.startsWith("extern_weak")) continue;
      if (rest.startsWith("external ")) missing.push(name);
      else define(name, rest);
    }
  }
  return { strong, weak, undefined: missing, intrinsics };
}

function nameIn(pattern: RegExp, line: string): string {
  const name = pattern.exec(line)?.[1] ?? "";
  return name.startsWith('"') ? name.slice(1, -1) : name;
}
