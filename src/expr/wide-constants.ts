// Values of constants wider than 64 bits, each once, by number: a node has room for two halves only, and such constants are
// few. Number 0 means "not wide".

export class WideConstants {
  private readonly values: bigint[] = [0n];
  private readonly numbers = new Map<bigint, number>();

  get memory(): number {
    return this.values.length * 100;
  }

  value(number: number): bigint {
    return this.values[number];
  }

  number(value: bigint): number {
    let number = this.numbers.get(value);
    if (number === undefined) {
      number = this.values.length;
      this.values.push(value);
      this.numbers.set(value, number);
    }
    return number;
  }
}
