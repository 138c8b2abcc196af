export class Signals {
  readonly handlers = new Map<number, number>();
}
