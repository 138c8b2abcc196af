// Clauses of one query in one array of integers. The watch lists are chains through the clauses themselves (each clause has
// one link for each of its two watched literals, as PicoSAT did it), so that adding a clause is a handful of stores and
// nothing is allocated. Arrays of watchers would make long searches faster; the searches here are short, and what is long
// goes to CaDiCaL, which reads the same array.
//
// Layout: data[literal] is the first clause that watches the literal, for literals below 2 * (variableCount + 1); then
// clauses, each [link of its first literal, link of its second, size, literals...]. A reference is the clause's place.
// Literals are 2 * variable + sign, variables count from 1. Place 0 is never a clause, so 0 means none.

export const CLAUSE_SIZE = 2;
export const CLAUSE_LITERALS = 3;

export class ClauseArena {
  data = new Int32Array(1 << 10);
  length = 0;
  variableCount = 0;
  /** Where clauses start. */
  first = 0;
  /** Where the query's own clauses end and learned ones start. */
  inputEnd = 0;

  reset(variableCount: number): void {
    this.variableCount = variableCount;
    this.first = 2 * (variableCount + 1);
    this.length = this.first;
    this.inputEnd = this.length;
    this.reserve(0);
    this.data.fill(0, 0, this.first);
  }

  /** Everything so far is the query's; what comes now is learned. */
  seal(): void {
    this.inputEnd = this.length;
  }

  /** Forgets what was learned: the watch lists are made anew from the query's own clauses. */
  unlearn(): void {
    if (this.length === this.inputEnd) return;
    const { data, inputEnd } = this;
    data.fill(0, 0, this.first);
    for (let clause = this.first; clause < inputEnd; clause += CLAUSE_LITERALS + data[clause + CLAUSE_SIZE]) {
      const x = data[clause + CLAUSE_LITERALS];
      const y = data[clause + CLAUSE_LITERALS + 1];
      data[clause] = data[x];
      data[x] = clause;
      data[clause + 1] = data[y];
      data[y] = clause;
    }
    this.length = inputEnd;
  }

  /** Makes room for `count` more integers. */
  reserve(count: number): void {
    if (this.length + count <= this.data.length) return;
    const larger = new Int32Array(Math.max(this.data.length * 2, this.length + count));
    larger.set(this.data);
    this.data = larger;
  }

  /** The caller has reserved 5. */
  binary(x: number, y: number): void {
    const data = this.data;
    const clause = this.length;
    data[clause] = data[x];
    data[x] = clause;
    data[clause + 1] = data[y];
    data[y] = clause;
    data[clause + 2] = 2;
    data[clause + 3] = x;
    data[clause + 4] = y;
    this.length = clause + 5;
  }

  /** The caller has reserved 6. */
  ternary(x: number, y: number, z: number): void {
    const data = this.data;
    const clause = this.length;
    data[clause] = data[x];
    data[x] = clause;
    data[clause + 1] = data[y];
    data[y] = clause;
    data[clause + 2] = 3;
    data[clause + 3] = x;
    data[clause + 4] = y;
    data[clause + 5] = z;
    this.length = clause + 6;
  }

  /** A clause whose `size` (at least 2) literals stand already behind its header at `length`. The caller has reserved. */
  linkWritten(size: number): number {
    const data = this.data;
    const clause = this.length;
    const x = data[clause + CLAUSE_LITERALS];
    const y = data[clause + CLAUSE_LITERALS + 1];
    data[clause] = data[x];
    data[x] = clause;
    data[clause + 1] = data[y];
    data[y] = clause;
    data[clause + CLAUSE_SIZE] = size;
    this.length = clause + CLAUSE_LITERALS + size;
    return clause;
  }
}
