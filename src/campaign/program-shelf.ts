// Which programs of a campaign are ready: one thread translates a program while the others that need it wait, and then find it in
// the cache; the same for each thing that is made of a program besides. A program that failed is not tried again.

export class ProgramShelf {
  private readonly failed = new Set<string>();
  private readonly described = new Set<string>();
  /** Programs, and what is made of them, that a thread is about. */
  private readonly loading = new Map<string, Promise<boolean>>();
  /** Those that one thread had: they are in the cache, and threads need not wait for each other. */
  private readonly cached = new Set<string>();

  /** Has a thread load a program with what is needed, after another one has, if one is about it. True if the thread has it. */
  async take(content: string, needs: readonly string[], load: () => Promise<boolean>): Promise<boolean> {
    const parts = [content, ...needs.map((need) => `${content} ${need}`)];
    for (;;) {
      const awaited = parts.find((part) => !this.cached.has(part) && this.loading.has(part));
      if (awaited === undefined) break;
      await this.loading.get(awaited);
    }
    if (this.failed.has(content)) return false;
    const mine = load();
    for (const part of parts) this.loading.set(part, mine);
    try {
      const isLoaded = await mine;
      if (isLoaded) for (const part of parts) this.cached.add(part);
      return isLoaded;
    } finally {
      for (const part of parts) if (this.loading.get(part) === mine) this.loading.delete(part);
    }
  }

  fail(content: string): void {
    this.failed.add(content);
  }

  isDescribed(content: string): boolean {
    return this.described.has(content);
  }

  /** True the first time. */
  describe(content: string): boolean {
    const isFirst = !this.described.has(content);
    this.described.add(content);
    return isFirst;
  }
}
