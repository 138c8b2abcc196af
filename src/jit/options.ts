// How a program is translated. A file of its own, because a warm start needs the options to find the image and must not
// load the translator for it.

import type { PipelineOptions } from "../ir/pipeline.js";

export interface CompileOptions extends PipelineOptions {
  /** Record which basic blocks are entered. */
  readonly coverage: boolean;
  /** Every function first looks whether the host wants to hear of its calls; needs shadows. */
  readonly hooks: boolean;
  /** Note when a pointer is dereferenced (CONTROL.sensitive); needs shadows. */
  readonly sensitive: boolean;
  /** Small branches whose sides meet again become one expression where it pays (join-branches.ts); needs shadows. */
  readonly joins: boolean;
  /** Tell the host of every call and access through a computed pointer (observed.ts). For checks of static analyses only. */
  readonly observed: boolean;
  /** Tell the host of pointers of the program that are compared by order or subtracted (pointer-pairs.ts); not with `observed`. */
  readonly pointerPairs: boolean;
}
export const DEFAULT_COMPILE_OPTIONS: CompileOptions = {
  inline: true,
  optimize: true,
  selects: true,
  checks: true,
  shadows: false,
  definedness: false,
  fields: false,
  coverage: false,
  hooks: false,
  sensitive: false,
  joins: false,
  observed: false,
  pointerPairs: false,
};
/** For exploration: every value that may be symbolic has a shadow, and what was reached is recorded. */
export const SYMBOLIC_COMPILE_OPTIONS: CompileOptions = {
  inline: true,
  optimize: true,
  selects: false,
  checks: true,
  shadows: true,
  definedness: false,
  fields: false,
  coverage: true,
  hooks: false,
  sensitive: false,
  joins: false,
  observed: false,
  pointerPairs: false,
};
/** For ZESTI, which also asks where on a path the sensitive operations are. Costs a store for each of them. */
export const AMPLIFY_COMPILE_OPTIONS: CompileOptions = { ...SYMBOLIC_COMPILE_OPTIONS, sensitive: true };
/**
 * For runs that start at any function, with stubs and hooks for others. A call that was inlined cannot be hooked, and which
 * ones a technique will choose is not known here, so none is.
 */
export const UNIT_COMPILE_OPTIONS: CompileOptions = { ...SYMBOLIC_COMPILE_OPTIONS, inline: false, hooks: true };
/**
 * For runs that look for uses of what was never set: shadows say which bits of a value are undefined (definedness/). Nothing is
 * symbolic in it, so paths are not told and blocks not counted.
 */
export const DEFINEDNESS_COMPILE_OPTIONS: CompileOptions = {
  ...SYMBOLIC_COMPILE_OPTIONS,
  coverage: false,
  definedness: true,
};
