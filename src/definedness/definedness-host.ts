// The host side of a run that looks for uses of what was never set: the same questions of generated code as in a symbolic run
// (jit/symbolic-boundary.ts), answered by undefined bits instead of expressions. A use is what the program's behaviour
// depends on: a decision, an address, a size, what it hands to the system. Copying and computing are no uses.

import type { ProgramImage } from "../jit/image.js";
import { CONTROL } from "../jit/memory-layout.js";
import { PIN_REASON_CODES, type Site, type SymbolicFunctionName } from "../jit/symbolic-boundary.js";
import type { GuestMemory } from "../vm/guest-memory.js";
import type { HostImplementation } from "../vm/machine-hooks.js";
import { chosen, propagate } from "./propagate.js";
import { UnsetBits } from "./unset-bits.js";
import { UnsetMemory } from "./unset-memory.js";

/** What something undefined was used as. */
export type UseKind =
  | "decision"
  | "address"
  | "called address"
  | "size"
  | "divisor"
  | "system call"
  | "exit status"
  | "output"
  | "path";

/** Told of every use; the same place may come again and again. `origin` as UnsetMemory and UnsetBits have it. */
export type UseListener = (kind: UseKind, site: number, origin: number, undefinedBits: bigint) => void;

const SIZE = 64n;
const REASONS: Readonly<Partial<Record<number, UseKind>>> = {
  [PIN_REASON_CODES["store-address"]]: "address",
  [PIN_REASON_CODES["load-address"]]: "address",
  [PIN_REASON_CODES["call-target"]]: "called address",
  [PIN_REASON_CODES["allocation-size"]]: "size",
  [PIN_REASON_CODES["copy-size"]]: "size",
  [PIN_REASON_CODES["system-call"]]: "system call",
};

function word(low: number, high: number): bigint {
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
}

export class DefinednessHost {
  readonly functions: Readonly<Record<SymbolicFunctionName, HostImplementation>>;
  readonly bits: UnsetBits;
  readonly unset: UnsetMemory;
  private readonly sites: readonly Site[];

  constructor(
    private readonly memory: GuestMemory,
    image: ProgramImage,
    origins: {
      readonly ofValue: ConstructorParameters<typeof UnsetBits>[1];
      readonly at: (address: number) => number;
    },
    private readonly used: UseListener,
  ) {
    this.sites = image.sites;
    this.bits = new UnsetBits(image.unsetValues ?? [], origins.ofValue);
    this.unset = new UnsetMemory(memory, origins.at);
    this.functions = this.makeFunctions();
  }

  /** The program writes these bytes somewhere, or names a file by them. */
  handedOut(kind: "output" | "path", address: number, size: number): void {
    const first = this.unset.firstUnset(address, size);
    if (first < 0) return;
    this.unset.load(first, 1);
    this.used(kind, -1, this.unset.origin, 1n);
  }

  private makeFunctions(): Record<SymbolicFunctionName, HostImplementation> {
    const { unset, bits } = this;
    return {
      operate: (code, sa, sb, aLow, aHigh, bLow, bHigh) =>
        this.operate(code, sa, sb, word(aLow, aHigh), word(bLow, bHigh)),
      divide: (site, code, sa, sb, aLow, aHigh, bLow, bHigh) => {
        this.use("divisor", site, sb);
        return this.operate(code, sa, sb, word(aLow, aHigh), word(bLow, bHigh));
      },
      operateThree: (code, sa, sb, sc) => {
        const worst = [sa, sb, sc].find((shadow) => shadow !== 0) ?? 0;
        return worst === 0 ? 0 : bits.numberOf((1n << BigInt(code >>> 8)) - 1n, bits.originOf(worst));
      },
      choice: (width, sc, st, sf, tLow, tHigh, fLow, fHigh) => {
        const t = BigInt.asUintN(width, word(tLow, tHigh));
        const f = BigInt.asUintN(width, word(fLow, fHigh));
        return bits.numberOf(chosen(bits.maskOf(st), bits.maskOf(sf), t, f), bits.originOf(sc));
      },
      operateWide: (code, a0, a1, b0, b1) => this.operateWide(code, a0, a1, b0, b1),
      extract: (shadow, low, width) =>
        bits.numberOf(BigInt.asUintN(width, bits.maskOf(shadow) >> BigInt(low)), bits.originOf(shadow)),
      branch: (site, shadow) => this.use("decision", site, shadow),
      switchOn: (site, shadow, low, high) => this.switchOn(site, shadow, word(low, high)),
      pin: (site, reason, shadow) => {
        const kind = REASONS[reason];
        if (kind !== undefined) this.use(kind, site, shadow);
      },
      loadBytes: (address, size) => {
        const mask = unset.load(address >>> 0, size);
        return bits.numberOf(mask, unset.origin);
      },
      storeBytes: (address, size, shadow) =>
        unset.store(address >>> 0, size, bits.maskOf(shadow), bits.originOf(shadow)),
      readAt: (site, shadow, low, _high, size) => {
        this.use("address", site, shadow);
        return bits.numberOf(unset.load(low >>> 0, size), unset.origin);
      },
      writeAt: (site, shadow, low, _high, size, value) => {
        this.use("address", site, shadow);
        unset.store(low >>> 0, size, bits.maskOf(value), bits.originOf(value));
      },
      refusedAt: (site, shadow) => this.use("address", site, shadow),
      rangeAt: (site, shadow, _low, _high, sizeShadow, sizeLow, sizeHigh) => {
        this.use("size", site, sizeShadow);
        if ((sizeLow | sizeHigh) !== 0) this.use("address", site, shadow);
      },
      copyBytes: (destination, source, size) => unset.copy(destination >>> 0, source >>> 0, size >>> 0),
      fillBytes: (destination, size, shadow) =>
        unset.fill(destination >>> 0, size >>> 0, Number(bits.maskOf(shadow) & 0xffn), bits.originOf(shadow)),
      // Nothing is joined where nothing is symbolic, and lengths are what they are.
      side: () => {},
      copyLength: () => {},
      fillLength: () => {},
      lengthDone: () => {},
      hooked: () => 0,
    };
  }

  private use(kind: UseKind, site: number, shadow: number): void {
    if (shadow !== 0) this.used(kind, site, this.bits.originOf(shadow), this.bits.maskOf(shadow));
  }

  private operate(code: number, sa: number, sb: number, a: bigint, b: bigint): number {
    const { bits } = this;
    const width = (code >>> 8) & 0xff;
    const mask = propagate(code & 0xff, {
      width,
      toWidth: (code >>> 16) & 0xff,
      ua: bits.maskOf(sa),
      ub: bits.maskOf(sb),
      a: BigInt.asUintN(width, a),
      b: BigInt.asUintN(width, b),
    });
    return bits.numberOf(mask, bits.originOf(sa !== 0 ? sa : sb));
  }

  private operateWide(code: number, a0: number, a1: number, b0: number, b1: number): number {
    const { bits } = this;
    const { view } = this.memory;
    const width = (code >>> 8) & 0xff;
    const at = CONTROL.wideOperands;
    const value = (address: number): bigint =>
      BigInt.asUintN(width, (view.getBigUint64(address + 8, true) << SIZE) | view.getBigUint64(address, true));
    const mask = propagate(code & 0xff, {
      width,
      toWidth: (code >>> 16) & 0xff,
      ua: bits.maskOf(a0) | (bits.maskOf(a1) << SIZE),
      ub: bits.maskOf(b0) | (bits.maskOf(b1) << SIZE),
      a: value(at),
      b: value(at + 16),
    });
    return bits.numberOf(mask, bits.originOf([a0, a1, b0, b1].find((shadow) => shadow !== 0) ?? 0));
  }

  /** Decided, if the defined bits alone rule out all cases. */
  private switchOn(site: number, shadow: number, value: bigint): void {
    const defined = ~this.bits.maskOf(shadow);
    const { cases, width } = this.sites[site];
    const isOpen = cases.some((values) =>
      values.some(([low, high]) => BigInt.asUintN(width, (word(low, high) ^ value) & defined) === 0n),
    );
    if (isOpen) this.use("decision", site, shadow);
  }
}
