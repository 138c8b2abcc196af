// Dangerous operations that depend on the input and cannot fail, whatever it is: the range of the values says so, and nobody has to be asked.
// They count as checked; without them a program in which everything is safe would look like one of which nothing was looked at. Kept by
// place, since a loop comes by the same one very often.

export class SettledPlaces {
  private readonly isSettled: Uint8Array;
  private places = 0;

  constructor(sites: number) {
    this.isSettled = new Uint8Array(sites);
  }

  begin(): void {
    if (this.places > 0) this.isSettled.fill(0);
    this.places = 0;
  }

  note(site: number): void {
    if (this.isSettled[site] !== 0) return;
    this.isSettled[site] = 1;
    this.places++;
  }

  get count(): number {
    return this.places;
  }

  sites(): readonly number[] {
    return [...this.isSettled.keys()].filter((site) => this.isSettled[site] !== 0);
  }
}
