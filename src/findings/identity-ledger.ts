// Which findings have been reported, and which were tried in vain. A key is closed only by a witness that was good enough to be
// reported: one that did not fail again, or whose failure was the machine's own doing, says nothing against the next. So that a
// place that is never good does not take all the time, each key has a bounded number of tries.

/** A second and third witness is often good where the first is not; later ones hardly ever are. */
const MOST_TRIES = 4;

export class IdentityLedger {
  private readonly closed = new Set<string>();
  private readonly tries = new Map<string, number>();

  constructor(private readonly mostTries = MOST_TRIES) {}

  /** Those that have been reported. */
  get keys(): readonly string[] {
    return [...this.closed];
  }

  /** Whether another witness is wanted. */
  isOpen(key: string): boolean {
    return !this.closed.has(key) && (this.tries.get(key) ?? 0) < this.mostTries;
  }

  isReported(key: string): boolean {
    return this.closed.has(key);
  }

  reported(key: string): void {
    this.closed.add(key);
  }

  /** A witness was no good; true if it was the first such. */
  failed(key: string): boolean {
    const tries = (this.tries.get(key) ?? 0) + 1;
    this.tries.set(key, tries);
    return tries === 1;
  }

  /** What was reported turned out to be no good after all: the key is open again, which counts as a try. */
  withdraw(key: string): void {
    this.closed.delete(key);
    this.failed(key);
  }
}
