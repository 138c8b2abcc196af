// Debug information out of a module's metadata. Metadata is half of the text and almost none of it is ever shown to
// anyone: the scan of a module only notes where it begins, the first question indexes the numbered nodes by one run over
// the lines, and a node's fields are read each time they are asked for, its answers kept.
// Invariant: malformed or missing metadata makes an answer null, never an error; chains of nodes are followed only so
// far, as they may be circular.

import { type DebugInfo, DebugLoc, type SourceFrame } from "../debug-info.js";
import { unescapeText } from "./lexer.js";

interface Node {
  readonly kind: string;
  readonly fields: ReadonlyMap<string, string>;
}

/** Lexical blocks nest as the braces of the source do; clang stops at 256. */
const MAX_SCOPE_DEPTH = 1000;
/** No compiler inlines deeper. */
const MAX_INLINE_DEPTH = 1000;

export class Metadata implements DebugInfo {
  private offsets: Map<number, number> | null = null;
  private readonly locations = new Map<number, DebugLoc>();
  private readonly scopes = new Map<number, SourceFrame | null>();
  private readonly frames = new Map<number, SourceFrame | null>();
  private hasInlining: boolean | null = null;

  /** `start` is the offset of the first line that is a numbered node, or the text's length. */
  constructor(
    private readonly text: string,
    private readonly start: number,
  ) {}

  location(id: number): DebugLoc {
    const known = this.locations.get(id);
    if (known !== undefined) return known;
    this.hasInlining ??= this.text.includes("inlinedAt:", this.start);
    if (!this.hasInlining) {
      const loc = new DebugLoc(this, id, null);
      this.locations.set(id, loc);
      return loc;
    }
    return this.inlinedLocation(id);
  }

  /** The compiler inlined already: the chain is in the metadata. Iterative, outermost location first. */
  private inlinedLocation(id: number): DebugLoc {
    const chain = [id];
    let outer: DebugLoc | null = null;
    while (chain.length < MAX_INLINE_DEPTH) {
      const next = this.inlinedAt(chain[chain.length - 1]);
      if (next < 0 || chain.includes(next)) break;
      outer = this.locations.get(next) ?? null;
      if (outer !== null) break;
      chain.push(next);
    }
    let loc = new DebugLoc(this, chain[chain.length - 1], outer);
    this.locations.set(loc.id, loc);
    for (let i = chain.length - 2; i >= 0; i--) {
      loc = new DebugLoc(this, chain[i], loc);
      this.locations.set(loc.id, loc);
    }
    return loc;
  }

  /** The field of a location by that name, or -1. Asked for every location of optimised code, so not by `node`. */
  private inlinedAt(id: number): number {
    this.offsets ??= this.index();
    const offset = this.offsets.get(id);
    if (offset === undefined) return -1;
    const line = this.text.slice(offset, this.endOfLine(offset));
    const match = /^(?:distinct )?!DILocation\(.*\binlinedAt: !([0-9]{1,9})[,)]/.exec(line);
    return match === null ? -1 : Number(match[1]);
  }

  private endOfLine(offset: number): number {
    const newline = this.text.indexOf("\n", offset);
    return newline === -1 ? this.text.length : newline;
  }

  frame(id: number): SourceFrame | null {
    const known = this.frames.get(id);
    if (known !== undefined) return known;
    const frame = this.readFrame(id);
    this.frames.set(id, frame);
    return frame;
  }

  /** Asked for every location the translation shows to anyone, so the common spelling is read without making a node. */
  private readFrame(id: number): SourceFrame | null {
    this.offsets ??= this.index();
    const offset = this.offsets.get(id);
    if (offset === undefined) return null;
    LOCATION.lastIndex = offset;
    const match = LOCATION.exec(this.text);
    if (match !== null) {
      return this.inScope(Number(match[3]), Number(match[1]), match[2] === undefined ? 0 : Number(match[2]));
    }
    const node = this.readNode(offset);
    if (node === null || node.kind !== "DILocation") return null;
    return this.inScope(
      reference(node.fields.get("scope")),
      count(node.fields.get("line")),
      count(node.fields.get("column")),
    );
  }

  /** A position in a scope: the function and file come from the scope, once for all its positions. */
  private inScope(scopeId: number, line: number, column: number): SourceFrame | null {
    let scope = this.scopes.get(scopeId);
    if (scope === undefined) {
      scope = this.readScope(scopeId);
      this.scopes.set(scopeId, scope);
    }
    if (scope === null) return null;
    const { functionName, file, directory } = scope;
    return { functionName, file, directory, line, column };
  }

  private readScope(id: number): SourceFrame | null {
    let scope = this.node(id);
    let file = -1;
    for (let depth = 0; scope !== null && depth < MAX_SCOPE_DEPTH; depth++) {
      if (file < 0) file = reference(scope.fields.get("file"));
      if (scope.kind === "DISubprogram") return this.sourceFrame(scope, file, 0, 0);
      scope = this.node(reference(scope.fields.get("scope")));
    }
    return null;
  }

  subprogram(id: number): SourceFrame | null {
    return this.declared(id, "DISubprogram");
  }

  variable(id: number): SourceFrame | null {
    const node = this.node(id);
    if (node === null) return null;
    if (node.kind === "DIGlobalVariable") return this.declared(id, node.kind);
    return this.declared(reference(node.fields.get("var")), "DIGlobalVariable");
  }

  localVariable(id: number): { readonly name: string; readonly line: number } | null {
    const node = this.node(id);
    if (node === null || node.kind !== "DILocalVariable") return null;
    return { name: quoted(node.fields.get("name")), line: count(node.fields.get("line")) };
  }

  private declared(id: number, kind: string): SourceFrame | null {
    const node = this.node(id);
    if (node === null || node.kind !== kind) return null;
    return this.sourceFrame(node, reference(node.fields.get("file")), count(node.fields.get("line")), 0);
  }

  private sourceFrame(named: Node, fileId: number, line: number, column: number): SourceFrame {
    const file = this.node(fileId);
    return {
      functionName: quoted(named.fields.get("name")),
      file: quoted(file?.fields.get("filename")),
      directory: quoted(file?.fields.get("directory")),
      line,
      column,
    };
  }

  // -------------------------------------------------------------- nodes

  node(id: number): Node | null {
    this.offsets ??= this.index();
    const offset = this.offsets.get(id);
    return offset === undefined ? null : this.readNode(offset);
  }

  /** Offsets of the text after `!N = ` by N. */
  private index(): Map<number, number> {
    const { text } = this;
    const offsets = new Map<number, number>();
    for (let at = this.start; at < text.length; ) {
      if (text.charCodeAt(at) === 0x21) {
        let id = 0;
        let end = at + 1;
        for (let c = text.charCodeAt(end); c >= 0x30 && c <= 0x39; c = text.charCodeAt(++end)) id = id * 10 + c - 0x30;
        if (end > at + 1 && text.startsWith(" = ", end)) offsets.set(id, end + 3);
      }
      const newline = text.indexOf("\n", at);
      if (newline === -1) break;
      at = newline + 1;
    }
    return offsets;
  }

  /** `[distinct] !Kind(name: value, ...)` or `[distinct] !{...}`. */
  private readNode(offset: number): Node | null {
    let line = this.text.slice(offset, this.endOfLine(offset)).trimEnd();
    if (line.startsWith("distinct ")) line = line.slice(9);
    const fields = new Map<string, string>();
    if (line.startsWith("!{")) {
      const close = line.lastIndexOf("}");
      fields.set("elements", line.slice(2, close === -1 ? line.length : close).trim());
      return { kind: "tuple", fields };
    }
    const head = /^!([A-Za-z]+)\(/.exec(line);
    if (head === null) return null;
    readFields(line, head[0].length, fields);
    return { kind: head[1], fields };
  }
}

/** How clang writes nearly every location. */
const LOCATION = /(?:distinct )?!DILocation\(line: ([0-9]{1,9})(?:, column: ([0-9]{1,9}))?, scope: !([0-9]{1,9})[,)]/y;

/** The `name: value` pairs of a node; a value ends at a comma or the closing bracket outside of quotes and brackets. */
function readFields(line: string, from: number, fields: Map<string, string>): void {
  let depth = 0;
  let start = from;
  for (let at = from; at < line.length; at++) {
    const c = line[at];
    if (c === '"') {
      const close = line.indexOf('"', at + 1);
      if (close === -1) return;
      at = close;
    } else if (c === "(" || c === "{") depth++;
    else if (depth > 0) {
      if (c === ")" || c === "}") depth--;
    } else if (c === "," || c === ")") {
      const field = line.slice(start, at).trim();
      const colon = field.indexOf(": ");
      if (colon > 0 && !field.startsWith('"')) fields.set(field.slice(0, colon), field.slice(colon + 2));
      start = at + 1;
      if (c === ")") return;
    }
  }
}

/** The number of `!5`, or -1. */
function reference(value: string | undefined): number {
  return value !== undefined && /^![0-9]{1,9}$/.test(value) ? Number(value.slice(1)) : -1;
}
function count(value: string | undefined): number {
  return value !== undefined && /^[0-9]{1,10}$/.test(value) ? Number(value) : 0;
}
function quoted(value: string | undefined): string {
  if (value === undefined || !value.startsWith('"')) return "";
  return unescapeText(value, 1, value.length - 1);
}
