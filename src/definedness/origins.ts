// Where undefined bits come from, each object once: a local variable by its name, or a heap block by its serial number, of
// which a repetition of the run finds out where it was allocated.

import type { FindingObject } from "../findings/finding.js";
import { type LocatedObject, locateObject, type Scene } from "../findings/locate-object.js";
import type { UnsetValue } from "../jit/image.js";

export interface Origin {
  readonly object: FindingObject;
  /** Of the heap block; 0 if it is none. */
  readonly serial: number;
}

/** A run that meets more objects than this takes the last for all others: cells have room for no more. */
const MOST_ORIGINS = 1 << 22;

export class Origins {
  private readonly list: (Origin | null)[] = [null];
  private readonly numbers = new Map<string, number>();
  private first = 1;

  /** `scene` shows the machine as it is at this moment. */
  constructor(private readonly scene: () => Scene) {}

  /** Those of values are kept, those of memory are the run's own. */
  reset(): void {
    this.list.length = this.first;
    for (const [key, number] of this.numbers) if (number >= this.first) this.numbers.delete(key);
  }

  get(number: number): Origin | null {
    return this.list[number] ?? null;
  }

  ofValue({ name, line, file, functionName, bits }: UnsetValue): number {
    const size = Math.ceil(bits / 8);
    const key = ["value", name, line, file, functionName].join("|");
    const object: FindingObject = {
      ...{ kind: "stack", name, address: 0, size, offset: 0, file, line, functionName },
      ...{ allocationStack: null, freeStack: null },
    };
    const number = this.add(key, { object, serial: 0 });
    this.first = this.list.length;
    return number;
  }

  /** The object that lies at an address now. */
  at(address: number): number {
    const located = locateObject(this.scene(), address);
    if (located === null) return this.add("unknown", null);
    const { object } = located;
    return this.add(keyOf(located), { object, serial: located.block?.allocationSerial ?? 0 });
  }

  private add(key: string, origin: Origin | null): number {
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    if (this.list.length >= MOST_ORIGINS) return MOST_ORIGINS - 1;
    const number = this.list.push(origin) - 1;
    this.numbers.set(key, number);
    return number;
  }
}

function keyOf({ object, block }: LocatedObject): string {
  const { kind, name, line, functionName, offset, address } = object;
  return [kind, name, line, functionName, block?.allocationSerial ?? address, offset].join("|");
}
