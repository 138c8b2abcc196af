// Of a patch, what it does to C sources: tests that come with a fix are in the way of taking it back where later patches change them too,
// and they are no seeds.

/** A part begins with the names of its file. */
const PART = /^(?=--- [^\n]*\n\+\+\+ )/m;
const IS_SOURCE = /^--- [^\n]*\n\+\+\+ \S+\.[chly]\s/;
/** What git and others write before the next part: it is of another file. */
const HEADERS = /^(?:diff|Index:|index|new file|deleted file|old mode|new mode|similarity|rename|copy|={9}).*\n/gm;

export function sourceParts(patch: string): string {
  return patch
    .split(PART)
    .filter((part) => IS_SOURCE.test(part))
    .map((part) => part.replaceAll(HEADERS, ""))
    .join("");
}
