// A worker's hand: a process behind walls that does one item after the other (item-main.ts). What it says is of a form that is looked at here,
// since a program under test may have taken it over; whoever says anything else is killed.

import { rmSync } from "node:fs";
import type { WorkMessage, WorkTask } from "../campaign/work-messages.js";
import { isLast } from "../campaign/work-messages.js";
import { BlobStore } from "../project/blob-store.js";
import { ProjectFolder } from "../project/project-folder.js";
import type { BlobName } from "../project/seed.js";
import { type ConfinedEnd, ConfinedProcess } from "../support/sandbox/confined-process.js";
import type { WallName } from "../support/sandbox/confinement.js";
import { isWorkMessage } from "./messages.js";
import { decodeText, encodeText, MOST_MESSAGE_BYTES } from "./wire.js";

/** A task for another process: nothing is shared with it. */
type SentTask = WorkTask extends infer T ? (T extends unknown ? Omit<T, "cell"> : never) : never;

/** Of what an item makes: each, and all together. */
const MOST_MADE_BYTES = 0x100_0000;
const MOST_MADE_IN_ALL = 0x400_0000;

export class ItemProcess {
  private readonly process: ConfinedProcess;
  private readonly made: BlobStore;

  /** `folder`: its own; `reads`: what else it reads; `roots`: directories that programs under test see. */
  constructor(
    readonly folder: string,
    reads: readonly string[],
    roots: readonly string[],
    walls: readonly WallName[],
  ) {
    const script = new URL("./item-main.js", import.meta.url);
    this.process = new ConfinedProcess(
      { script, reads: [...reads, ...roots], writes: folder, looksAround: roots.length > 0 },
      walls,
      MOST_MESSAGE_BYTES,
    );
    this.made = new BlobStore(new ProjectFolder(folder));
  }

  get isAlive(): boolean {
    return this.process.isAlive;
  }

  async run(
    task: SentTask,
    limits: { readonly timeMs: number; readonly graceMs: number },
    listen: (message: WorkMessage) => void,
  ): Promise<ConfinedEnd> {
    let strange = false;
    const end = await this.process.run(encodeText(task), limits, (said) => {
      const message = decodeText(said)?.value;
      strange = !isWorkMessage(message);
      if (strange) return true;
      listen(message as WorkMessage);
      return isLast(message as WorkMessage);
    });
    if (!strange) return end;
    this.discard();
    return { kind: "died", message: "it said what is no message" };
  }

  /** Those of them that an item has made; null if that is more than anybody takes. */
  takeMade(names: readonly BlobName[]): ReadonlyMap<BlobName, Uint8Array> | null {
    const found = new Map<BlobName, Uint8Array>();
    let bytes = 0;
    try {
      for (const name of names) {
        const size = this.made.sizeOf(name);
        bytes += size;
        if (size > MOST_MADE_BYTES || bytes > MOST_MADE_IN_ALL) return null;
        const content = this.made.get(name);
        if (content !== null) found.set(name, content);
      }
    } catch {
      // A link lies there: nobody of ours has made it.
      return null;
    }
    return found;
  }

  stop(graceMs: number): void {
    this.process.stop(graceMs);
  }

  discard(): void {
    this.process.discard();
    // It may be writing still.
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
