// Whether any of a campaign's programs could be loaded. One that was loaded once and not again, because a thread has died, does not undo what
// was done with it.

import type { ProgramPlace } from "../campaign/work-messages.js";

type LoadEvent =
  | { readonly kind: "program-ready"; readonly program: ProgramPlace }
  | { readonly kind: "program-failed"; readonly program: ProgramPlace; readonly message: string };

export class LoadTally {
  private readonly failed = new Set<string>();
  private hasReady = false;
  private why = "";

  take(event: LoadEvent | { readonly kind: string }): void {
    if (event.kind === "program-ready") this.hasReady = true;
    else if (event.kind === "program-failed" && "message" in event) {
      this.failed.add(event.program.content);
      this.why = event.message;
    }
  }

  /** What was said of the last one, if none of so many could be loaded; null if one could, or was not tried. */
  noneOf(programs: number): string | null {
    if (this.hasReady || this.failed.size === 0 || this.failed.size < programs) return null;
    return this.why === "" ? "no reason is known" : this.why;
  }
}
