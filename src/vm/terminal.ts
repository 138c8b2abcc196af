export class Terminal {
  readonly settings = new Uint8Array(60);
}
