// HTML that cannot be injected into: a template whose values are escaped unless they are HTML already. Sources and
// inputs are hostile (that is why somebody looks at them), so no string gets into the page by another way. Characters that
// hide or reorder what is shown are made visible.

export class Html {
  constructor(readonly text: string) {}
}

export type Fragment = Html | string | number | null | false | undefined | readonly Fragment[];

export function html(strings: TemplateStringsArray, ...parts: readonly Fragment[]): Html {
  const texts: string[] = [strings[0]];
  for (const [index, part] of parts.entries()) {
    append(texts, part);
    texts.push(strings[index + 1]);
  }
  return new Html(texts.join(""));
}

/** Lists of lists do not nest deeper than the templates that are written here. */
function append(texts: string[], part: Fragment): void {
  if (part === null || part === undefined || part === false) return;
  if (part instanceof Html) texts.push(part.text);
  else if (typeof part === "string") texts.push(escapeHtml(part));
  else if (typeof part === "number") texts.push(String(part));
  else for (const one of part) append(texts, one);
}

const ENTITIES: { readonly [char: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "\t": "\t",
  "\n": "\n",
};

// Controls, marks that reorder text or take no room, halves of pairs, and what ends a line in scripts only.
const SPECIAL = /[&<>"'\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

export function escapeHtml(text: string): string {
  return text.replace(SPECIAL, (char) => ENTITIES[char] ?? visible(char.codePointAt(0) ?? 0));
}

function visible(code: number): string {
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return "\u2421";
  return `\u2039U+${code.toString(16).toUpperCase().padStart(4, "0")}\u203a`;
}
