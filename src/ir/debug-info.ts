// Source locations. An instruction keeps only the number of its `!dbg` metadata; the metadata text, half of a module,
// is indexed in one scan and read only for the locations that are shown to someone.

/** A position an instruction came from, with the call it was inlined at. Shared by all instructions of one position. */
export class DebugLoc {
  constructor(
    readonly debug: DebugInfo,
    readonly id: number,
    readonly inlinedAt: DebugLoc | null,
  ) {}
}

export interface SourceFrame {
  readonly functionName: string;
  readonly file: string;
  readonly directory: string;
  readonly line: number;
  readonly column: number;
}

/** The source name of a stack slot, read when someone asks. */
export class LocalVariable {
  constructor(
    readonly debug: DebugInfo,
    readonly id: number,
  ) {}
  /** Empty when the metadata is missing or malformed. */
  get name(): string {
    return this.debug.localVariable(this.id)?.name ?? "";
  }
  /** 0 when unknown. */
  get line(): number {
    return this.debug.localVariable(this.id)?.line ?? 0;
  }
}

export interface DebugInfo {
  /** The shared DebugLoc for a metadata number, outside of any inlining. */
  location(id: number): DebugLoc;
  /** The frame a location denotes, without what it was inlined into. Null when the metadata is missing or malformed. */
  frame(id: number): SourceFrame | null;
  /** A DISubprogram's name, file, line. */
  subprogram(id: number): SourceFrame | null;
  /** A global variable's name, file and line through its DIGlobalVariableExpression. */
  variable(id: number): SourceFrame | null;
  /** A local variable's name and line (0 if it has none) through its DILocalVariable. */
  localVariable(id: number): { readonly name: string; readonly line: number } | null;
  /**
   * Raw access for later techniques: the node's fields as written, e.g. {tag, name: "x", type: "!5"}, or null. Tuples
   * `!{...}` come as { elements: "..." }.
   */
  node(id: number): { readonly kind: string; readonly fields: ReadonlyMap<string, string> } | null;
}

/** A position of which no types and variables are known. */
export abstract class PositionOnly implements DebugInfo {
  abstract location(id: number): DebugLoc;
  abstract frame(id: number): SourceFrame | null;
  subprogram(): null {
    return null;
  }
  variable(): null {
    return null;
  }
  localVariable(): null {
    return null;
  }
  node(): null {
    return null;
  }
}

/** All that is known of a function compiled without debug information: its name. It has one place. */
export class NameOnly extends PositionOnly {
  private readonly place = new DebugLoc(this, 0, null);

  constructor(
    private readonly functionName: string,
    /** Of the module it comes from, which says whose code it is. */
    readonly module: DebugInfo,
  ) {
    super();
  }

  location(): DebugLoc {
    return this.place;
  }
  frame(): SourceFrame {
    return { functionName: this.functionName, file: "", directory: "", line: 0, column: 0 };
  }
}

/** Innermost frame first. */
export function inlinedFrames(loc: DebugLoc): SourceFrame[] {
  const frames: SourceFrame[] = [];
  for (let at: DebugLoc | null = loc; at !== null; at = at.inlinedAt) {
    const frame = at.debug.frame(at.id);
    if (frame !== null) frames.push(frame);
  }
  return frames;
}
