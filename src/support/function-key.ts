// One name for a function, wherever it is looked up: by what the source calls it and where.

/** A function as the frames of a stack name it: it may have several bodies, where a header defines it. */
export function functionKey(name: string, file: string | null): string {
  return `${file ?? ""}\n${name}`;
}
