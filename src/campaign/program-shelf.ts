// Which programs of a campaign are ready: one thread translates a program while the others that need it wait, and then find it in
// the cache. A program that failed is not tried again.

export class ProgramShelf {
  private readonly failed = new Set<string>();
  private readonly described = new Set<string>();
  private readonly loading = new Map<string, Promise<boolean>>();

  /** Has a thread load a program, after another one has, if one is about it. True if the thread has it. */
  async take(content: string, load: () => Promise<boolean>): Promise<boolean> {
    // Once it is described it is in the cache, and threads need not wait for each other.
    while (!this.described.has(content) && this.loading.has(content)) await this.loading.get(content);
    if (this.failed.has(content)) return false;
    const mine = load();
    this.loading.set(content, mine);
    try {
      return await mine;
    } finally {
      if (this.loading.get(content) === mine) this.loading.delete(content);
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
