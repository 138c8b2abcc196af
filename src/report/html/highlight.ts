// C with its words coloured, line by line: comments, strings, numbers, keywords, directives. A scanner of one regular
// expression and one bit of state (inside a comment); nothing here needs to be a parser, and what it does not know stays plain.

import { type Html, html } from "./markup.js";

const KEYWORDS = new Set(
  "auto break case char const continue default do double else enum extern float for goto if inline int long register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while bool true false size_t ssize_t uint8_t uint16_t uint32_t uint64_t int8_t int16_t int32_t int64_t NULL FILE".split(
    " ",
  ),
);
const TOKEN =
  /\/\/.*|\/\*.*?(?:\*\/|$)|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|\b\d[\w.]*|[A-Za-z_]\w*|^\s*#\s*\w+|[^"'/\w]+|./g;

/** Longer lines are cut: somebody generated them. */
const LINE_LIMIT = 400;

export function highlightLines(source: string): readonly Html[] {
  const lines: Html[] = [];
  let inComment = false;
  for (const whole of source.split("\n")) {
    const line = whole.length > LINE_LIMIT ? `${whole.slice(0, LINE_LIMIT)} …` : whole.replace(/\r$/, "");
    const parts: Html[] = [];
    let rest = line;
    if (inComment) {
      const end = rest.indexOf("*/");
      const comment = end < 0 ? rest : rest.slice(0, end + 2);
      parts.push(html`<span class="c">${comment}</span>`);
      rest = rest.slice(comment.length);
      inComment = end < 0;
    }
    for (const [token] of rest.matchAll(TOKEN)) {
      if (token.startsWith("/*") && !token.endsWith("*/")) inComment = true;
      parts.push(paint(token));
    }
    lines.push(html`${parts}`);
  }
  return lines;
}

function paint(token: string): Html {
  if (token.startsWith("//") || token.startsWith("/*")) return html`<span class="c">${token}</span>`;
  if (token.startsWith('"') || token.startsWith("'")) return html`<span class="s">${token}</span>`;
  if (/^\d/.test(token)) return html`<span class="n">${token}</span>`;
  if (/^\s*#/.test(token)) return html`<span class="p">${token}</span>`;
  return KEYWORDS.has(token) ? html`<span class="k">${token}</span>` : html`${token}`;
}
