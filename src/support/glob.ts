// Patterns of paths as people write them into configurations, which may come from anybody. They are matched by following all places
// of the pattern that the text so far can have led to (Thompson), so that the time is the text's length times the pattern's,
// whatever is in them. As a regular expression, `*a*a*a*...` tries ever more ways to divide the text, for minutes.

type Step =
  | { readonly kind: "char"; readonly char: string }
  | { readonly kind: "any"; readonly slash: boolean }
  /** Goes on at each of these places, without taking anything. */
  | { readonly kind: "to"; places: readonly number[] };

export class Glob {
  /** Whether the text may begin after any slash, too. */
  private constructor(
    private readonly steps: readonly Step[],
    private readonly anywhere: boolean,
  ) {}

  /** `*` stands for anything; all else for itself. */
  static withStars(text: string): Glob {
    const steps: Step[] = [];
    for (const part of text.split(/(\*+)/)) {
      if (part.startsWith("*")) addStar(steps, true);
      else for (const char of part) steps.push({ kind: "char", char });
    }
    return new Glob(steps, false);
  }

  /** As .editorconfig has them: `*` stops at slashes, `**` and `?`, `{a,b}`; without a slash for files in any folder. */
  static ofEditorConfig(glob: string): Glob {
    const steps: Step[] = [];
    const open: {
      readonly split: { kind: "to"; places: number[] };
      readonly ends: { kind: "to"; places: number[] }[];
    }[] = [];
    const close = (): void => {
      for (const end of open.pop()?.ends ?? []) end.places = [steps.length];
    };
    const text = glob.replace(/^\//, "");
    const lastClose = text.lastIndexOf("}");
    for (let at = 0; at < text.length; at++) {
      const char = text[at];
      const group = open.at(-1);
      if (char === "*") {
        const isDeep = text[at + 1] === "*";
        if (isDeep) at++;
        addStar(steps, isDeep);
      } else if (char === "?") steps.push({ kind: "any", slash: false });
      else if (char === "{" && lastClose > at) {
        const split = { kind: "to" as const, places: [steps.length + 1] };
        steps.push(split);
        open.push({ split, ends: [] });
      } else if (char === "}" && group !== undefined) close();
      else if (char === "," && group !== undefined) {
        const end = { kind: "to" as const, places: [] };
        steps.push(end);
        group.ends.push(end);
        group.split.places.push(steps.length);
      } else steps.push({ kind: "char", char });
    }
    while (open.length > 0) close();
    return new Glob(steps, !glob.includes("/"));
  }

  fits(text: string): boolean {
    let places = new Set<number>();
    this.reach(0, places);
    for (const char of text) {
      const next = new Set<number>();
      for (const place of places) {
        const step = this.steps[place];
        if (step === undefined || step.kind === "to") continue;
        if (step.kind === "char" ? step.char === char : step.slash || char !== "/") this.reach(place + 1, next);
      }
      if (this.anywhere && char === "/") this.reach(0, next);
      if (next.size === 0 && !this.anywhere) return false;
      places = next;
    }
    return places.has(this.steps.length);
  }

  private reach(place: number, reached: Set<number>): void {
    const waiting = [place];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      if (reached.has(at)) continue;
      reached.add(at);
      const step = this.steps[at];
      if (step?.kind === "to") waiting.push(...step.places);
    }
  }
}

function addStar(steps: Step[], slash: boolean): void {
  const at = steps.length;
  steps.push({ kind: "to", places: [at + 1, at + 3] }, { kind: "any", slash }, { kind: "to", places: [at] });
}
