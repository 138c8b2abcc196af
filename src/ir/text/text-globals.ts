// The global values of a parsed module: what their headers say, and where in the text the rest is. Classes rather than
// literals, so that a thousand of them share their methods and their shape.

import { countReferences, scanReferences } from "../analysis/references.js";
import type {
  Alias,
  FunctionAttributes,
  GlobalDefinition,
  GlobalValue,
  GlobalVariable,
  IrFunction,
  Linkage,
  Module,
} from "../module.js";
import { IrError } from "../module.js";
import { type FunctionType, PTR, type Type } from "../types.js";
import type { Body, Constant, ParamAttributes } from "../values.js";
import { END, Lexer, Unsupported } from "./lexer.js";
import type { ModuleScope } from "./module-scope.js";
import { parseConstant } from "./parse-constant.js";
import { parseBody } from "./parse-function.js";

/** A range of the module's text. */
export interface Extent {
  readonly start: number;
  readonly end: number;
}

export interface GlobalHeader {
  readonly name: string;
  readonly linkage: Linkage;
  readonly hidden: boolean;
}

function readConstant(scope: ModuleScope, type: Type, { start, end }: Extent): Constant {
  const lexer = new Lexer(scope.text, start, end, scope.module.name);
  lexer.next();
  try {
    const constant = parseConstant(lexer, scope, type);
    if (lexer.token !== END) lexer.unexpected("the end of the constant");
    return constant;
  } catch (thrown) {
    if (!(thrown instanceof Unsupported)) throw thrown;
    throw new IrError(scope.module.name, lexer.lineOf(start), `${thrown.what} is not supported`);
  }
}

export class TextVariable implements GlobalVariable {
  readonly kind = "variable";
  readonly name: string;
  readonly linkage: Linkage;
  readonly hidden: boolean;
  resolved: GlobalDefinition | null = null;
  private value: Constant | null = null;

  constructor(
    private readonly scope: ModuleScope,
    header: GlobalHeader,
    readonly valueType: Type,
    readonly constant: boolean,
    readonly threadLocal: boolean,
    readonly align: number,
    readonly section: string | null,
    readonly debugId: number,
    /** Where the initialiser is; null for declarations. */
    private readonly extent: Extent | null,
  ) {
    this.name = header.name;
    this.linkage = header.linkage;
    this.hidden = header.hidden;
  }
  get module(): Module {
    return this.scope.module;
  }
  get isDeclaration(): boolean {
    return this.extent === null;
  }
  initializer(): Constant | null {
    if (this.extent === null) return null;
    this.value ??= readConstant(this.scope, this.valueType, this.extent);
    return this.value;
  }
}

export class TextFunction implements IrFunction {
  readonly kind = "function";
  readonly name: string;
  readonly linkage: Linkage;
  readonly hidden: boolean;
  resolved: GlobalDefinition | null = null;

  constructor(
    private readonly scope: ModuleScope,
    header: GlobalHeader,
    readonly type: FunctionType,
    readonly params: readonly ParamAttributes[],
    /** Set when the attribute groups, which follow the functions, are known. */
    public attributes: FunctionAttributes,
    readonly debugId: number,
    private readonly paramNames: readonly (string | number | null)[],
    /** The text between the braces; null for declarations. */
    private readonly extent: Extent | null,
  ) {
    this.name = header.name;
    this.linkage = header.linkage;
    this.hidden = header.hidden;
  }
  get module(): Module {
    return this.scope.module;
  }
  get isDeclaration(): boolean {
    return this.extent === null;
  }
  parseBody(): Body | null {
    return this.extent === null
      ? null
      : parseBody(this.scope, { type: this.type, paramNames: this.paramNames }, this.extent.start, this.extent.end);
  }
  mentionsFloat80(): boolean {
    if (this.extent === null) return false;
    // A slice shares the text; searching in the text itself would run on to the module's end.
    return this.scope.text.slice(this.extent.start, this.extent.end).includes("x86_fp80");
  }
  references(): readonly GlobalValue[] {
    if (this.extent === null) return [];
    return scanReferences(this.scope.text, this.extent.start, this.extent.end, this.module.globals);
  }
  countedReferences(): ReadonlyMap<GlobalValue, number> {
    if (this.extent === null) return new Map();
    return countReferences(this.scope.text, this.extent.start, this.extent.end, this.module.globals);
  }
}

export class TextAlias implements Alias {
  readonly kind = "alias";
  readonly isDeclaration = false;
  readonly name: string;
  readonly linkage: Linkage;
  readonly hidden: boolean;
  resolved: GlobalDefinition | null = null;
  private value: Constant | null = null;

  constructor(
    private readonly scope: ModuleScope,
    header: GlobalHeader,
    readonly valueType: Type,
    readonly ifunc: boolean,
    private readonly extent: Extent,
  ) {
    this.name = header.name;
    this.linkage = header.linkage;
    this.hidden = header.hidden;
  }
  get module(): Module {
    return this.scope.module;
  }
  aliasee(): Constant {
    this.value ??= readConstant(this.scope, PTR, this.extent);
    return this.value;
  }
}
