// What a compiler driver is given by the command that starts it.

export interface DriverContext {
  readonly env: NodeJS.ProcessEnv;
  readonly packageRoot: string;
  out(text: string): void;
  error(text: string): void;
}
