// How wide a tab is in a project's sources: what its `.editorconfig` says for the file, else 8, as compilers and terminals count.
// Only what concerns tabs is read. The file may come from anybody: it is small, a regular file of the project, and decides nothing
// but a number from 1 to 16.

import { dirname, join, relative, resolve } from "node:path";
import { Glob } from "../support/glob.js";
import { readRegularFile } from "../support/regular-file.js";

export const DEFAULT_TAB_WIDTH = 8;
const WIDEST = 16;
const MOST_BYTES = 0x1_0000;

/** Of any file; what lies outside of the root has the usual width. */
export function tabWidths(root: string): (file: string) => number {
  const read = new Map<string, EditorConfig | null>();
  const configIn = (directory: string): EditorConfig | null => {
    let known = read.get(directory);
    if (known === undefined) {
      known = readEditorConfig(join(directory, ".editorconfig"));
      read.set(directory, known);
    }
    return known;
  };
  return (file) => {
    const path = resolve(root, file);
    for (let at = dirname(path); !relative(root, at).startsWith(".."); at = dirname(at)) {
      const config = configIn(at);
      const width = config === null ? null : widthIn(config, relative(at, path));
      if (width !== null) return width;
      if (config?.isRoot === true || at === root || at === dirname(at)) break;
    }
    return DEFAULT_TAB_WIDTH;
  };
}

interface EditorConfig {
  readonly isRoot: boolean;
  readonly sections: readonly { readonly pattern: Glob; readonly values: ReadonlyMap<string, string> }[];
}

function readEditorConfig(path: string): EditorConfig | null {
  try {
    return parseEditorConfig(readRegularFile(path, { noLink: true, mostBytes: MOST_BYTES }).toString());
  } catch {
    return null;
  }
}

function parseEditorConfig(text: string): EditorConfig {
  let isRoot = false;
  const sections: { readonly pattern: Glob; readonly values: Map<string, string> }[] = [];
  for (const line of text.split("\n")) {
    const head = /^\s*\[(.*)\]\s*$/.exec(line);
    const pair = /^\s*([\w-]+)\s*[=:]\s*(\S+)\s*$/.exec(line);
    if (head !== null) sections.push({ pattern: Glob.ofEditorConfig(head[1]), values: new Map() });
    else if (pair !== null && sections.length === 0) isRoot ||= pair[1] === "root" && pair[2] === "true";
    else if (pair !== null) sections.at(-1)?.values.set(pair[1].toLowerCase(), pair[2].toLowerCase());
  }
  return { isRoot, sections };
}

/** Later sections win. A tab is as wide as a step of indentation where nothing else is said. */
function widthIn({ sections }: EditorConfig, below: string): number | null {
  const values = new Map<string, string>();
  for (const section of sections) {
    if (section.pattern.fits(below)) for (const [key, value] of section.values) values.set(key, value);
  }
  const width = Number(values.get("tab_width") ?? values.get("indent_size"));
  return Number.isInteger(width) && width >= 1 && width <= WIDEST ? width : null;
}
