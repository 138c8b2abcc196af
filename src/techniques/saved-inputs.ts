// Which input byte is which variable, kept beside a campaign's snapshot: inputs are saved by variable, and variables get
// their numbers as runs meet input objects, in an order that another process need not repeat. One line of JSON an object, appended
// when it comes into being and before any input with it is saved.

import { existsSync, truncateSync } from "node:fs";
import type { InputSpace } from "../concolic/input-space.js";
import { appendToFile } from "../support/append-whole.js";
import { readRegularFile } from "../support/regular-file.js";

interface Line {
  readonly name: string;
  readonly occurrence: number;
  readonly size: number;
  /** Hexadecimal: what models that do not know the object have there. */
  readonly defaults: string;
}

export class SavedInputs {
  private saved = 0;

  constructor(
    private readonly path: string,
    private readonly space: InputSpace,
  ) {}

  /** Declares the saved objects in their order. "changed": the space already has others. */
  restore(): "restored" | "changed" | "damaged" {
    if (!existsSync(this.path)) return "restored";
    const text = readRegularFile(this.path).toString();
    const whole = text.slice(0, text.lastIndexOf("\n") + 1);
    // A line torn by a kill: no saved input has its object.
    if (whole.length < text.length) truncateSync(this.path, Buffer.byteLength(whole));
    const lines = whole === "" ? [] : whole.trimEnd().split("\n");
    const objects: Line[] = [];
    for (const text of lines) {
      // Without it all that follow would be other variables than those that inputs are saved by.
      const line = parsed(text);
      if (line === null) return "damaged";
      objects.push(line);
    }
    for (let from = 0; from < objects.length; ) {
      const known = distinct(objects, from);
      this.space.seed(known.map(({ defaults, ...line }) => ({ ...line, bytes: Buffer.from(defaults, "hex") })));
      for (const { name, occurrence, size } of known) {
        if (this.space.declare(name, occurrence, size).index !== from++) return "changed";
      }
    }
    this.space.seed([]);
    this.saved = lines.length;
    return "restored";
  }

  /** Appends what is new; cheap if nothing is. */
  update(): void {
    const { objects, defaults } = this.space;
    if (objects.length === this.saved) return;
    const lines = objects.slice(this.saved).map(({ name, occurrence, size, first }): string => {
      const bytes = Buffer.from(defaults.subarray(first, first + size)).toString("hex");
      return `${JSON.stringify({ name, occurrence, size, defaults: bytes } satisfies Line)}\n`;
    });
    appendToFile(this.path, lines.join(""));
    this.saved = objects.length;
  }
}

/** As many as differ in more than their size: one seed can say what they hold. Usually all. */
function distinct(objects: readonly Line[], from: number): readonly Line[] {
  const keys = new Set<string>();
  let end = from;
  for (; end < objects.length; end++) {
    const key = `${objects[end].occurrence} ${objects[end].name}`;
    if (keys.has(key)) break;
    keys.add(key);
  }
  return objects.slice(from, end);
}

function parsed(text: string): Line | null {
  try {
    const line = JSON.parse(text) as Partial<Line> | null;
    const { name, occurrence, size, defaults } = line ?? {};
    if (typeof name !== "string" || typeof defaults !== "string") return null;
    return Number.isInteger(occurrence) && Number.isInteger(size) ? (line as Line) : null;
  } catch {
    return null;
  }
}
