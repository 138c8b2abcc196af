// The part of the WebAssembly JavaScript interface that we use. TypeScript declares it only together with the whole
// browser (lib "dom"), and neither does @types/node 20; taking "dom" would let browser names slip into our code.

declare namespace WebAssembly {
  type ValueType = "i32" | "i64" | "f32" | "f64" | "externref" | "anyfunc";
  type ExportValue = Global | Memory | Table | Tag | ((...values: never[]) => unknown);
  type ImportValue = Global | Memory | Table | Tag | ((...values: never[]) => unknown);

  class Module {
    constructor(bytes: Uint8Array | ArrayBuffer);
    static imports(module: Module): { readonly module: string; readonly name: string; readonly kind: string }[];
  }
  class Instance {
    constructor(module: Module, imports?: Record<string, Record<string, ImportValue>>);
    readonly exports: Record<string, ExportValue>;
  }
  class Memory {
    constructor(descriptor: { initial: number; maximum?: number; shared?: boolean });
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
  class Table {
    constructor(descriptor: { element: "anyfunc" | "externref"; initial: number; maximum?: number });
    readonly length: number;
    get(index: number): unknown;
    set(index: number, value: unknown): void;
    grow(count: number): number;
  }
  class Global<T = number> {
    constructor(descriptor: { value: ValueType; mutable?: boolean }, value?: T);
    value: T;
  }
  class Tag {
    constructor(descriptor: { parameters: ValueType[] });
  }
  class Exception {
    constructor(tag: Tag, payload: unknown[]);
    is(tag: Tag): boolean;
    getArg(tag: Tag, index: number): unknown;
  }
  class CompileError extends Error {}
  class LinkError extends Error {}
  class RuntimeError extends Error {}

  function validate(bytes: Uint8Array | ArrayBuffer): boolean;
  function compile(bytes: Uint8Array | ArrayBuffer): Promise<Module>;
  function instantiate(module: Module, imports?: Record<string, Record<string, ImportValue>>): Promise<Instance>;
}
