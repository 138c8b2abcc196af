// What the coordinator sends ahead of its orders, each content once: programs' translations, what items need of them besides, and the files of
// tests. What Redis has lost is sent again.

import type { ProgramPlace, WorkSetup } from "../campaign/work-messages.js";
import { AMPLIFY_COMPILE_OPTIONS, DEFINEDNESS_COMPILE_OPTIONS } from "../jit/options.js";
import { makesProcesses } from "../jobs/built-programs.js";
import { findProgram } from "../jobs/find-program.js";
import { loadWords } from "../program/graph/load-words.js";
import { encodeImage } from "../program/image-file.js";
import type { LoadOptions } from "../program/warm.js";
import type { BlobStore } from "../project/blob-store.js";
import type { BlobName } from "../project/seed.js";
import { DEFINEDNESS_NEED } from "../techniques/unset-uses.js";
import type { BlobTransport } from "./blob-transport.js";
import type { OrderedProgram } from "./messages.js";

interface Shipped {
  readonly place: ProgramPlace;
  readonly image: BlobName;
  readonly startsOthers: boolean;
  readonly made: Map<string, BlobName>;
}

export class Shipping {
  /** By content, as items name programs. */
  private readonly programs = new Map<string, Shipped>();
  private readonly sent = new Set<BlobName>();

  constructor(
    private readonly blobs: BlobTransport,
    private readonly tests: BlobStore,
    private readonly setup: WorkSetup,
  ) {}

  /** The program has been translated: its parts are in the cache. In words, why it cannot be sent; null if it was. */
  async ship(place: ProgramPlace, needs: readonly string[]): Promise<string | null> {
    let shipped = this.programs.get(place.content);
    if (shipped === undefined) {
      const found = await findProgram(place.path, this.options);
      if (found.kind === "failed") return found.message;
      const image = found.image();
      const name = await this.blobs.put(encodeImage(image));
      shipped = { place, image: name, startsOthers: makesProcesses(image), made: new Map() };
      this.programs.set(place.content, shipped);
    }
    for (const need of needs) {
      if (shipped.made.has(need)) continue;
      const bytes = await this.part(place, need);
      if (typeof bytes === "string") return bytes;
      shipped.made.set(need, await this.blobs.put(bytes));
    }
    return null;
  }

  has(content: string, needs: readonly string[]): boolean {
    const shipped = this.programs.get(content);
    return shipped !== undefined && needs.every((need) => shipped.made.has(need));
  }

  placeOf(content: string): ProgramPlace | null {
    return this.programs.get(content)?.place ?? null;
  }

  program(content: string, needs: readonly string[]): OrderedProgram {
    const shipped = this.programs.get(content);
    if (shipped === undefined) throw new Error(`the program ${content} was never sent`);
    const made = Object.fromEntries(needs.map((need) => [need, shipped.made.get(need) ?? ""]));
    return { content, name: shipped.place.name, image: shipped.image, made };
  }

  /** Programs of the project that this one may start: none, if it starts no processes. */
  startable(content: string): readonly { readonly name: string; readonly image: BlobName | null }[] {
    if (this.programs.get(content)?.startsOthers !== true) return [];
    const images = new Map([...this.programs.values()].map(({ place, image }) => [place.name, image]));
    return this.setup.startable.map(({ name }) => ({ name, image: images.get(name) ?? null }));
  }

  /** Gives those that there are: what is gone, the item will miss as it would here. */
  async send(contents: readonly BlobName[]): Promise<readonly BlobName[]> {
    const there: BlobName[] = [];
    for (const name of contents) {
      const bytes = this.sent.has(name) ? null : this.tests.get(name);
      if (bytes !== null) this.sent.add(await this.blobs.put(bytes));
      if (this.sent.has(name)) there.push(name);
    }
    return there;
  }

  /** A worker did not find something: all of it is sent again. */
  async sendAgain(content: string): Promise<void> {
    this.sent.clear();
    const places = [...this.programs.values()];
    for (const { place, made } of places) {
      if (place.content !== content && !this.mayStart(content)) continue;
      this.programs.delete(place.content);
      await this.ship(place, [...made.keys()]);
    }
  }

  private mayStart(content: string): boolean {
    return this.programs.get(content)?.startsOthers ?? true;
  }

  private get options(): LoadOptions {
    return { env: { ...this.setup.env }, clang: null, flags: [], compile: AMPLIFY_COMPILE_OPTIONS };
  }

  private async part({ path }: ProgramPlace, need: string): Promise<Uint8Array | string> {
    const compile = need === DEFINEDNESS_NEED ? DEFINEDNESS_COMPILE_OPTIONS : AMPLIFY_COMPILE_OPTIONS;
    const found = await findProgram(path, { ...this.options, compile });
    if (found.kind === "failed") return found.message;
    if (need === DEFINEDNESS_NEED) return encodeImage(found.image());
    return Buffer.from(JSON.stringify(await loadWords(path, found.image(), this.options)));
  }
}
