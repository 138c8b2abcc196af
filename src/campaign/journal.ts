// What a campaign has done, one line of JSON an item, written after each: a campaign that is stopped, or killed, goes on where
// it was. The first line says which version of the tool with which settings did it; what another one did is not believed
// but done anew.
//
// The file lies in the project's folder, so anybody may have written it. It can make us skip work, which is told, or do
// work again, and nothing else: it names items by their keys, links and pipes in its place are not followed but replaced, and what
// it remembers of an item is judged by the technique.

import { closeSync, constants, fstatSync, openSync, readFileSync, rmSync } from "node:fs";
import { appendWhole } from "../support/append-whole.js";
import type { TechniqueSettings } from "./technique.js";

/** Of the file's format. */
const JOURNAL_VERSION = 2;
/** No campaign writes more; reading more is somebody else's wish. */
const MOST_BYTES = 0x1000_0000;
/** Paths are in keys. */
const MOST_KEY_LENGTH = 0x4000;

export interface JournalHeader {
  /** The tool's version. */
  readonly tool: string;
  readonly technique: string;
  readonly settings: TechniqueSettings;
}

interface JournalLine extends DoneItem {
  readonly item: string;
}

export interface DoneItem {
  readonly memory: unknown;
  /** It was not done to its end: so much time was not enough. */
  readonly cutAfterMs?: number;
}

export class Journal {
  /** What earlier campaigns have done, by item; the last word counts. */
  readonly done = new Map<string, DoneItem>();
  /** For the user: why the journal was not continued, or what of it was not understood. */
  readonly notes: string[] = [];
  /** Nothing of an earlier campaign is continued, although there was one. */
  readonly isBegunAnew: boolean;
  private isLost = false;

  /** `forget`: what was done is done again, but stays written down. */
  constructor(
    private readonly path: string,
    header: JournalHeader,
    forget = false,
  ) {
    const text = this.read();
    const lines = text.split("\n");
    const difference = text === "" ? "" : otherHeader(lines[0], header);
    this.isBegunAnew = difference !== "";
    if (this.isBegunAnew) this.notes.push(`${path} is ${difference}: everything is done anew`);
    if (text === "" || this.isBegunAnew) {
      const trouble = this.write(`${JSON.stringify({ journal: JOURNAL_VERSION, ...header })}\n`, true);
      if (trouble !== null) this.notes.push(trouble);
      return;
    }
    // A line torn by a kill must not tear the next one.
    if (!text.endsWith("\n")) this.write("\n");
    if (!forget) this.readLines(lines.slice(1));
  }

  /** Null, or why it could not be written down, which is told once: a full disk costs the memory of what was done only. */
  add(item: string, done: DoneItem): string | null {
    return this.write(`${JSON.stringify({ item, ...done } satisfies JournalLine)}\n`);
  }

  private readLines(lines: readonly string[]): void {
    let strange = 0;
    for (const [index, text] of lines.entries()) {
      if (text === "") continue;
      const line = parsed(text);
      if (line !== null) this.done.set(line.item, line);
      // The last line of a campaign that was killed.
      else if (index < lines.length - 1) strange++;
    }
    if (strange > 0) {
      const what = strange === 1 ? "a line makes no sense and is" : `${strange} lines make no sense and are`;
      this.notes.push(`${this.path}: ${what} ignored`);
    }
  }

  private read(): string {
    let file: number;
    try {
      file = openSync(this.path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") this.replace("cannot be read, or is a link");
      return "";
    }
    try {
      const status = fstatSync(file);
      if (status.isFile() && status.size <= MOST_BYTES) return readFileSync(file, "utf8");
      this.replace(status.isFile() ? "is larger than any journal" : "is not a file");
      return "";
    } finally {
      closeSync(file);
    }
  }

  private replace(what: string): void {
    this.notes.push(`${this.path} ${what}: it is replaced, and everything is done anew`);
    try {
      rmSync(this.path, { force: true });
    } catch {
      // A directory: writing will fail, and tell.
    }
  }

  private write(text: string, anew = false): string | null {
    const { O_WRONLY, O_CREAT, O_APPEND, O_TRUNC, O_NOFOLLOW, O_NONBLOCK } = constants;
    try {
      const flags = O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | (anew ? O_TRUNC : 0);
      const file = openSync(this.path, flags, 0o600);
      try {
        appendWhole(file, text);
      } finally {
        closeSync(file);
      }
      return null;
    } catch (error) {
      const isFirst = !this.isLost;
      this.isLost = true;
      if (!isFirst) return null;
      const { message } = error as Error;
      return `${this.path} cannot be written (${message}): if this campaign is stopped, the next one begins anew`;
    }
  }
}

/** In what the journal's first line differs, in words; empty if in nothing. */
function otherHeader(text: string, { tool, technique, settings }: JournalHeader): string {
  let header: Partial<JournalHeader & { readonly journal: number }> | null;
  try {
    header = JSON.parse(text) as typeof header;
  } catch {
    header = null;
  }
  if (header === null || typeof header !== "object" || header.journal !== JOURNAL_VERSION) {
    return "not a journal of this version of tangent";
  }
  if (header.tool !== tool) return `of tangent ${shown(header.tool)}, and this is ${tool}`;
  if (header.technique !== technique) return `of another technique (${shown(header.technique)})`;
  const theirs: Readonly<Record<string, unknown>> = header.settings ?? {};
  const names = Object.keys(settings);
  const other = names.filter((name) => theirs[name] !== settings[name]);
  if (other.length === 0 && Object.keys(theirs).length === names.length) return "";
  return `of a campaign with other settings${other.length === 0 ? "" : ` (${other.join(", ")})`}`;
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? "nothing").slice(0, 40);
}

function parsed(text: string): JournalLine | null {
  try {
    const line = JSON.parse(text) as Partial<JournalLine> | null;
    if (line === null || typeof line !== "object" || typeof line.item !== "string") return null;
    const { item, memory, cutAfterMs } = line;
    if (item === "" || item.length > MOST_KEY_LENGTH) return null;
    if (cutAfterMs === undefined) return { item, memory };
    return typeof cutAfterMs === "number" && cutAfterMs >= 0 ? { item, memory, cutAfterMs } : null;
  } catch {
    return null;
  }
}
