// Small functions that generated code calls because WebAssembly has no instruction for them.

import { ByteWriter } from "./byte-writer.js";
import type { Signature } from "./image.js";
import { W } from "./wasm.js";

interface Helper {
  readonly signature: Signature;
  body(): Uint8Array;
}

/** x = ((x >> s) & m) | ((x & m) << s) for each step: swaps neighbours of s bits. */
function swapper(wide: boolean, steps: readonly { readonly shift: number; readonly mask: bigint }[]): () => Uint8Array {
  return () => {
    const out = new ByteWriter(128);
    const constant = (value: bigint): void => {
      out.u8(wide ? W.i64_const : W.i32_const);
      if (wide) out.s64(value);
      else out.s32(Number(BigInt.asIntN(32, value)));
    };
    const op = (i32: number, i64: number): void => out.u8(wide ? i64 : i32);
    const get = (): void => {
      out.u8(W.local_get);
      out.u32(0);
    };
    out.u32(0);
    for (const { shift, mask } of steps) {
      get();
      constant(BigInt(shift));
      op(W.i32_shr_u, W.i64_shr_u);
      constant(mask);
      op(W.i32_and, W.i64_and);
      get();
      constant(mask);
      op(W.i32_and, W.i64_and);
      constant(BigInt(shift));
      op(W.i32_shl, W.i64_shl);
      op(W.i32_or, W.i64_or);
      out.u8(W.local_set);
      out.u32(0);
    }
    get();
    out.u8(W.end);
    return out.finish();
  };
}

const BYTES_32 = [
  { shift: 8, mask: 0x00ff_00ffn },
  { shift: 16, mask: 0x0000_ffffn },
];
const BITS_32 = [
  { shift: 1, mask: 0x5555_5555n },
  { shift: 2, mask: 0x3333_3333n },
  { shift: 4, mask: 0x0f0f_0f0fn },
];
const double = (steps: typeof BYTES_32): typeof BYTES_32 =>
  steps.map(({ shift, mask }) => ({ shift, mask: mask | (mask << 32n) }));
const HALVES = { shift: 32, mask: 0xffff_ffffn };

const I32: Signature = { params: ["i32"], results: ["i32"] };
const I64: Signature = { params: ["i64"], results: ["i64"] };

export const HELPERS = {
  bswap32: { signature: I32, body: swapper(false, BYTES_32) },
  bswap64: { signature: I64, body: swapper(true, [...double(BYTES_32), HALVES]) },
  bitreverse32: { signature: I32, body: swapper(false, [...BITS_32, ...BYTES_32]) },
  bitreverse64: { signature: I64, body: swapper(true, [...double(BITS_32), ...double(BYTES_32), HALVES]) },
} as const satisfies Record<string, Helper>;
export type HelperName = keyof typeof HELPERS;
