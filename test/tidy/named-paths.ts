// Paths that documents and comments name. A name of a file that has moved sends the reader astray, and nothing else notices:
// the compiler reads no comments. A path may leave out folders at its beginning (`passes/inline.ts`, or just `inline.ts`),
// and may stand for several (`emit-*.ts`, `ir/{text,passes}`).

/** Our sources; other files (`prog.c`, `tangent.toml`) are the reader's own unless a folder of ours is named. */
const OURS = new RegExp(
  "(?<![\\w@/.:~$<>*{}-])(" +
    "(?:[\\w.*{},-]+/)*[\\w.*{},-]*\\.ts" +
    "|src/[\\w*{},/-]*[\\w*}/](?![.])" +
    "|(?:runtime|docs|test|bench|scripts|examples|demo|bin)/[\\w.*{},/-]*[\\w*}/]" +
    ")(?![\\w*/-])",
  "g",
);
/** Links of a document, but for those that lead elsewhere. */
const LINK = /\]\((?!https?:|#)([^)#\s]+)/g;

export class KnownPaths {
  private readonly known = new Set<string>();

  constructor(private readonly files: readonly string[]) {
    for (const file of files) {
      const parts = file.split("/");
      for (let from = 0; from < parts.length; from++) this.known.add(parts.slice(from).join("/"));
      // A file may be named by any end of its path, a folder only from the root.
      for (let to = 1; to < parts.length; to++) this.known.add(parts.slice(0, to).join("/"));
    }
  }

  /** The names in a text that stand for no file or folder. `folder` is where relative links begin. */
  unknownIn(text: string, folder: string): string[] {
    const named = Array.from(text.matchAll(OURS), ([, path]) => path.replace(/[.,]+$/, ""));
    const linked = Array.from(text.matchAll(LINK), ([, path]) => joined(folder, path));
    const wrong = named.flatMap(alternatives).filter((path) => path !== ".ts" && !this.isKnown(path));
    const broken = linked.filter((path) => !this.files.some((file) => file === path || file.startsWith(`${path}/`)));
    return [...new Set([...wrong, ...broken])];
  }

  private isKnown(path: string): boolean {
    const plain = path.replace(/\/$/, "");
    if (!plain.includes("*")) return this.known.has(plain);
    const pattern = new RegExp(`^${plain.replace(/[.]/g, "\\.").replace(/\*/g, "[^/]*")}$`);
    for (const name of this.known) if (pattern.test(name)) return true;
    return false;
  }
}

function joined(folder: string, path: string): string {
  const parts = folder === "" ? [] : folder.split("/");
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}

/** `ir/{text,passes}` is `ir/text` and `ir/passes`. */
function alternatives(path: string): string[] {
  const braces = /^(.*?)\{([^}]*)\}(.*)$/.exec(path);
  if (braces === null) return path.includes("{") || path.includes("}") ? [] : path.split(",").filter(Boolean);
  return braces[2].split(",").flatMap((one) => alternatives(`${braces[1]}${one}${braces[3]}`));
}

/** Of TypeScript or C only the comments. */
export function commentsOf(text: string): string {
  return Array.from(text.matchAll(/\/\*[\s\S]*?\*\/|(?<![:"'`\w])\/\/.*$/gm), ([comment]) => comment).join("\n");
}
