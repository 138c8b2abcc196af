// Switches with which a project's build takes plain C where it would take assembly: that has no IR, so a run ends where it is called. Most
// projects with assembly have such a switch, for processors that they have none for.

const ASSEMBLY = "(?:asm|assembler|assembly)(?:-optimi[sz]ations?)?";

/** Words for a configure script of autoconf's, by its text or that of configure.ac: `--disable-asm`. */
export function configureWithoutAssembly(texts: readonly string[]): string[] {
  const switches = new RegExp(`--disable-${ASSEMBLY}(?![\\w-])`);
  const found = texts.map((text) => switches.exec(text)?.[0]).find((one) => one !== undefined);
  return found === undefined ? [] : [found];
}

/** Words for cmake: `-DENABLE_ASM=OFF`. */
export function cmakeWithoutAssembly(texts: readonly string[]): string[] {
  const words = new Set<string>();
  for (const text of texts) {
    for (const [, name, value] of text.matchAll(/^\s*option\s*\(\s*(\w+)\s+"(?:[^"\\]|\\.)*"\s*(\w*)\s*\)/gim)) {
      const isAssembly = /(^|_)(ASM|ASSEMBLY|ASSEMBLER)(_OPTIMI[SZ]ATIONS?)?$/i.test(name);
      if (isAssembly && !/(^|_)(NO|DISABLE|WITHOUT)_/i.test(name) && /^(on|yes|true|1|y)$/i.test(value))
        words.add(`-D${name}=OFF`);
    }
  }
  return [...words].slice(0, 4);
}

/** Words for meson setup: `-Dasm=disabled`. */
export function mesonWithoutAssembly(text: string): string[] {
  const words: string[] = [];
  for (const [whole, name] of text.matchAll(/option\s*\(\s*'([\w-]+)'[^)]*?\)/g)) {
    if (!/^((enable|with|use)[_-])?(asm|assembly|assembler)$/.test(name)) continue;
    if (/type\s*:\s*'boolean'/.test(whole)) words.push(`-D${name}=false`);
    if (/type\s*:\s*'feature'/.test(whole)) words.push(`-D${name}=disabled`);
  }
  return words.slice(0, 4);
}
