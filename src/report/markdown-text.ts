// Text that others have chosen, in Markdown: in a paragraph nothing of it is markup, in a fence nothing of it ends the
// fence.

/** A fence longer than any run of backticks inside. */
export function fenced(language: string, lines: readonly string[]): string[] {
  const clean = lines.map((line) =>
    line.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (char) => (char === "\t" ? char : "\ufffd")),
  );
  const longest = Math.max(2, ...clean.flatMap((line) => Array.from(line.matchAll(/`+/g), ([run]) => run.length)));
  const fence = "`".repeat(longest + 1);
  return [`${fence}${language}`, ...clean, fence];
}

/** Text in a paragraph: nothing in it is markup. */
export function inline(text: string): string {
  return (
    text
      .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\ufffd")
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replace(/[\\`*_[\]()#|~@]/g, (char) => `&#${char.charCodeAt(0)};`)
      // Code hosts make links of bare addresses.
      .replace(/:(?=\/\/)|(?<=www)\./gi, (char) => `&#${char.charCodeAt(0)};`)
  );
}
