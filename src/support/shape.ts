// Whether a value read from a file is what the code believes it to be: small checks that are put together. What comes from
// a file may have been edited, cut short, made by another version, or by somebody who wishes us ill.

export type Shape = (value: unknown) => boolean;

export const text: Shape = (value) => typeof value === "string";
export const number: Shape = (value) => typeof value === "number" && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
export const whole: Shape = (value) => Number.isSafeInteger(value);
/** A whole number from 0 up to that one. */
export function upTo(most: number): Shape {
  return (value) => typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= most;
}
export const truth: Shape = (value) => typeof value === "boolean";
export const bytes: Shape = (value) => value instanceof Uint8Array;

export function matching(pattern: RegExp): Shape {
  return (value) => typeof value === "string" && pattern.test(value);
}
export function orNull(shape: Shape): Shape {
  return (value) => value === null || shape(value);
}
export function optional(shape: Shape): Shape {
  return (value) => value === undefined || shape(value);
}
export function listOf(shape: Shape): Shape {
  return (value) => Array.isArray(value) && value.every(shape);
}
export function oneOf(...values: readonly unknown[]): Shape {
  return (value) => values.includes(value);
}
export function either(...shapes: readonly Shape[]): Shape {
  return (value) => shapes.some((shape) => shape(value));
}
/** An object with at least these fields. */
export function record(fields: { readonly [name: string]: Shape }): Shape {
  const entries = Object.entries(fields);
  return (value) =>
    typeof value === "object" &&
    value !== null &&
    entries.every(([name, shape]) => shape((value as { readonly [name: string]: unknown })[name]));
}
/** An object whose fields, whatever they are called, are all of that form. */
export function mapOf(shape: Shape): Shape {
  return (value) => typeof value === "object" && value !== null && Object.values(value).every(shape);
}
