// Settings of terminals as the tty ioctls show them. The real ones cannot be read from Node, so a terminal begins with
// the usual settings and remembers what the program sets; the real terminal is left as it is.

export const SETTINGS_SIZE = 36;

/** struct termios of the kernel: four words of flags, the line discipline, 19 control characters. */
function usualSettings(): Uint8Array {
  const bytes = new Uint8Array(SETTINGS_SIZE);
  const view = new DataView(bytes.buffer);
  const flags = [0x500, 0x5, 0xbf, 0x8a3b];
  for (const [index, value] of flags.entries()) view.setUint32(4 * index, value, true);
  bytes.set([0, 3, 28, 127, 21, 4, 0, 1, 0, 17, 19, 26, 0, 18, 15, 23, 22], 16);
  return bytes;
}

export class Terminal {
  readonly settings = usualSettings();
  window: { rows: number; columns: number };
  processGroup: number;

  constructor(window: { readonly rows: number; readonly columns: number } | null, processGroup: number) {
    this.window = window ?? { rows: 24, columns: 80 };
    this.processGroup = processGroup;
  }
}
