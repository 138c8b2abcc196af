import assert from "node:assert/strict";
import { test } from "node:test";
import { DataLayout } from "./data-layout.js";
import { type LinkedProgram, type LinkOptions, linkProgram } from "./link.js";
import type { GlobalValue, Module } from "./module.js";
import { moduleOf } from "./passes/body-fixture.js";
import { parseModule } from "./text/parse-module.js";

function link(modules: readonly Module[], options: Partial<LinkOptions> = {}): LinkedProgram {
  return linkProgram(modules, { libc: () => null, roots: ["main"], layout: new DataLayout(), ...options });
}
function names(values: readonly GlobalValue[]): string[] {
  return values.map((value) => `${value.module.name}:${value.name}`).sort();
}
function get(module: Module, name: string): GlobalValue {
  const value = module.globals.get(name);
  assert.ok(value !== undefined, name);
  return value;
}

const MAIN = "declare void @f()\ndefine void @main() {\n  call void @f()\n  ret void\n}";

test("link: a declaration resolves to the definition of another module, and only what is reachable is listed", () => {
  const a = moduleOf(MAIN, "a");
  const b = moduleOf(
    "@used = global i32 1\n@unused = global i32 2\ndefine void @f() {\n  store i32 0, ptr @used\n  ret void\n}\ndefine void @g() {\n  ret void\n}",
    "b",
  );
  const program = link([a, b]);
  assert.deepEqual(names(program.functions), ["a:main", "b:f"]);
  assert.deepEqual(names(program.variables), ["b:used"]);
  assert.equal(get(a, "f").resolved, get(b, "f"));
  assert.deepEqual(program.undefinedSymbols, []);
  assert.equal(program.lookup("f"), get(b, "f"));
  assert.equal(program.lookup("g"), null);
});

test("link: internal symbols of the same name stay apart", () => {
  const text = (value: number): string =>
    `@x = internal global i32 ${value}\ndefine internal void @h() {\n  store i32 0, ptr @x\n  ret void\n}\n`;
  const a = moduleOf(
    `${text(1)}declare void @f()\ndefine void @main() {\n  call void @h()\n  call void @f()\n  ret void\n}`,
    "a",
  );
  const b = moduleOf(`${text(2)}define void @f() {\n  call void @h()\n  ret void\n}`, "b");
  const program = link([a, b]);
  assert.equal(get(a, "h").resolved, get(a, "h"));
  assert.equal(get(b, "h").resolved, get(b, "h"));
  assert.deepEqual(names(program.variables), ["a:x", "b:x"]);
});

test("link: a strong definition beats a weak one wherever it stands", () => {
  const main = moduleOf(MAIN, "a");
  const weak = moduleOf("define weak void @f() {\n  ret void\n}", "weak");
  const strong = moduleOf("define void @f() {\n  ret void\n}", "strong");
  link([main, weak, strong]);
  assert.equal(get(main, "f").resolved, get(strong, "f"));
  link([main, strong, weak]);
  assert.equal(get(main, "f").resolved, get(strong, "f"));
});

test("link: of common definitions the largest wins, and any strong one beats them", () => {
  const main = moduleOf("@x = external global i32\ndefine void @main() {\n  store i32 0, ptr @x\n  ret void\n}", "a");
  const small = moduleOf("@x = common global i32 0", "small");
  const large = moduleOf("@x = common global [4 x i32] zeroinitializer", "large");
  link([main, small, large]);
  assert.equal(get(main, "x").resolved, get(large, "x"));
  link([main, large, small]);
  assert.equal(get(main, "x").resolved, get(large, "x"));
  const strong = moduleOf("@x = global i32 3", "strong");
  link([main, large, strong]);
  assert.equal(get(main, "x").resolved, get(strong, "x"));
});

test("link: two strong definitions in the program are a warning, and the first one is used", () => {
  const main = moduleOf(MAIN, "a");
  const one = moduleOf("define void @f() {\n  ret void\n}", "one");
  const two = moduleOf("define void @f() {\n  ret void\n}", "two");
  const program = link([main, one, two]);
  assert.equal(get(main, "f").resolved, get(one, "f"));
  assert.equal(program.warnings.length, 1);
  assert.match(program.warnings[0], /f is defined in one and again in two/);
});

test("link: the C library is asked for missing symbols of reachable code, again for what its modules need", () => {
  const asked: string[] = [];
  const libc: Record<string, Module> = {
    f: moduleOf("declare void @g()\ndefine void @f() {\n  call void @g()\n  ret void\n}", "libc-f", "libc"),
    g: moduleOf(
      "declare void @never()\ndefine void @g() {\n  ret void\n}\ndefine void @other() {\n  call void @never()\n  ret void\n}",
      "libc-g",
      "libc",
    ),
  };
  const program = link([moduleOf(MAIN, "a")], {
    libc: (symbol) => {
      asked.push(symbol);
      return libc[symbol] ?? null;
    },
  });
  assert.deepEqual(asked, ["f", "g"]);
  assert.deepEqual(names(program.functions), ["a:main", "libc-f:f", "libc-g:g"]);
});

test("link: a definition of the program replaces the C library's, without a warning", () => {
  const main = moduleOf(`${MAIN}\ndefine void @malloc() {\n  ret void\n}`, "a");
  const f = moduleOf(
    "define void @malloc() {\n  ret void\n}\ndefine void @f() {\n  call void @malloc()\n  ret void\n}",
    "libc-f",
    "libc",
  );
  const program = link([main], { libc: (symbol) => (symbol === "f" ? f : null) });
  assert.equal(get(f, "malloc").resolved, get(main, "malloc"));
  assert.deepEqual(program.warnings, []);
  assert.deepEqual(names(program.functions), ["a:main", "a:malloc", "libc-f:f"]);
});

test("link: a strong definition that comes with a later library module replaces a weak one used before", () => {
  const exit = moduleOf(
    "define internal void @dummy() {\n  ret void\n}\n@hook = weak alias void (), ptr @dummy\ndeclare void @g()\ndefine void @f() {\n  call void @hook()\n  call void @g()\n  ret void\n}",
    "exit",
    "libc",
  );
  const stdio = moduleOf("define void @hook() {\n  ret void\n}\ndefine void @g() {\n  ret void\n}", "stdio", "libc");
  const program = link([moduleOf(MAIN, "a")], {
    libc: (symbol) => ({ f: exit, g: stdio })[symbol] ?? null,
  });
  assert.equal(get(exit, "hook").resolved, get(stdio, "hook"));
  assert.deepEqual(names(program.functions), ["a:main", "exit:f", "stdio:g", "stdio:hook"]);
});

test("link: an alias stands for what it names, through other aliases", () => {
  const module = moduleOf(
    "define internal void @impl() {\n  ret void\n}\n@b = alias void (), ptr @impl\n@f = weak alias void (), ptr @b\ndefine void @main() {\n  call void @f()\n  ret void\n}",
    "a",
  );
  const program = link([module]);
  assert.equal(get(module, "f").resolved, get(module, "impl"));
  assert.deepEqual(names(program.functions), ["a:impl", "a:main"]);
});

test("link: an alias that names itself is rejected", () => {
  const module = moduleOf(
    "@a = alias i32, ptr @b\n@b = alias i32, ptr @a\ndefine void @main() {\n  store i32 0, ptr @a\n  ret void\n}",
    "cycle",
  );
  assert.throws(() => link([module]), /cycle.*alias.*names itself/);
});

test("link: an undefined weak symbol stays null and adds no module; any other is listed with its users", () => {
  const module = moduleOf(
    "declare extern_weak void @maybe()\ndeclare void @missing()\ndefine void @main() {\n  call void @missing()\n  call void @maybe()\n  ret void\n}",
    "a",
  );
  const asked: string[] = [];
  const program = link([module], {
    libc: (symbol) => {
      asked.push(symbol);
      return null;
    },
  });
  assert.equal(get(module, "maybe").resolved, null);
  assert.deepEqual(asked, ["missing"]);
  assert.deepEqual(program.undefinedSymbols, [{ name: "missing", referencedBy: ["main"] }]);
});

test("link: what the host provides and intrinsics are not undefined", () => {
  const module = moduleOf(
    "declare void @host()\ndeclare void @llvm.trap()\ndefine void @main() {\n  call void @host()\n  call void @llvm.trap()\n  ret void\n}",
  );
  assert.deepEqual(link([module], { provided: (symbol) => symbol === "host" }).undefinedSymbols, []);
});

test("link: an inline definition is used only if there is no other", () => {
  const main = moduleOf(
    "define available_externally void @f() {\n  ret void\n}\ndefine void @main() {\n  call void @f()\n  ret void\n}",
    "a",
  );
  link([main]);
  assert.equal(get(main, "f").resolved, get(main, "f"));
  const libc = moduleOf("define void @f() {\n  ret void\n}", "libc-f", "libc");
  link([main], { libc: () => libc });
  assert.equal(get(main, "f").resolved, get(libc, "f"));
});

test("link: constructors run by priority, destructors in the opposite order, and both are reachable", () => {
  const text = (name: string, priority: number): string => `
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 ${priority}, ptr @${name}, ptr null }]
@llvm.global_dtors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 ${priority}, ptr @${name}, ptr null }]
define internal void @${name}() {
  ret void
}`;
  const program = link([moduleOf(`${MAIN}\n${text("late", 200)}`, "a"), moduleOf(text("early", 100), "b")]);
  assert.deepEqual(
    program.constructors.map(({ target }) => target.name),
    ["early", "late"],
  );
  assert.deepEqual(
    program.destructors.map(({ target }) => target.name),
    ["late", "early"],
  );
  assert.deepEqual(names(program.functions), ["a:late", "a:main", "absent:f", "b:early"]);
});

test("link: addresses in initialisers are followed, also through constant expressions", () => {
  const module = moduleOf(
    "@data = internal global [2 x i32] zeroinitializer\n@table = global { ptr, ptr } { ptr @f, ptr getelementptr (i32, ptr @data, i64 1) }\ndefine internal void @f() {\n  ret void\n}\ndefine void @main() {\n  store ptr null, ptr @table\n  ret void\n}",
    "a",
  );
  const program = link([module]);
  assert.deepEqual(names(program.functions), ["a:f", "a:main"]);
  assert.deepEqual(names(program.variables), ["a:data", "a:table"]);
});

test("link: an intrinsic brings the functions that stand behind it, x86_fp80 the soft floats", () => {
  const module = moduleOf(
    "declare double @llvm.pow.f64(double, double)\ndefine void @main() {\n  %x = call double @llvm.pow.f64(double 1.0, double 2.0)\n  %y = fpext double %x to x86_fp80\n  ret void\n}",
    "a",
  );
  const asked: string[] = [];
  link([module], {
    libc: (symbol) => {
      asked.push(symbol);
      return null;
    },
    intrinsicNeeds: (name) => (name === "llvm.pow.f64" ? ["pow"] : []),
    float80Needs: ["soft"],
  });
  assert.deepEqual(asked.sort(), ["pow", "soft"]);
});

const define = (name: string, calls = "") =>
  `define void @${name}() {\n${calls && `  call void @${calls}()\n`}  ret void\n}\n`;
const declare = (name: string) => `declare void @${name}()\n`;

function libraryOf(name: string, exports: readonly string[], ...texts: readonly string[]): Module[] {
  const library = { name, exports: new Set(exports) };
  return texts.map((text, at) => parseModule(text, { name: `${name}:${at}`, origin: "program", library }));
}

test("link: of libraries that define one name the first wins, the program before all, and nobody is warned", () => {
  const main = moduleOf(`${define("main", "f")}${declare("f")}${define("g")}`, "a");
  const [one] = libraryOf("one", ["f", "g"], `${define("f", "g")}${define("g").replace("define", "define weak")}`);
  const [two] = libraryOf("two", ["f"], define("f"));
  const program = link([main, one, two]);
  assert.equal(get(main, "f").resolved, get(one, "f"));
  assert.equal(get(one, "g").resolved, get(main, "g"));
  assert.deepEqual(program.warnings, []);
});

test("link: what a library does not export stays in it, whoever else has the name", () => {
  const main = moduleOf(`${define("main", "f")}${declare("f")}${declare("h")}`, "a");
  const [one, other] = libraryOf("one", ["f"], `${define("f", "h")}${declare("h")}`, define("h"));
  const [two] = libraryOf("two", ["h"], define("h"));
  link([main, one, other, two]);
  assert.equal(get(one, "h").resolved, get(other, "h"));
  const user = moduleOf(`${define("main", "h")}${declare("h")}`, "b");
  link([user, one, other, two]);
  assert.equal(get(user, "h").resolved, get(two, "h"));
});

test("link: constructors of libraries run before the program's, those needed last first", () => {
  const text = (name: string, priority: number) =>
    `@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 ${priority}, ptr @${name}, ptr null }]\n${define(name).replace("define", "define internal")}`;
  const [one] = libraryOf("one", [], text("one", 900));
  const [two] = libraryOf("two", [], text("two", 500));
  const program = link([moduleOf(`${define("main")}${text("own", 100)}`, "a"), one, two]);
  assert.deepEqual(
    program.constructors.map(({ target }) => target.name),
    ["two", "one", "own"],
  );
});

test("link: a function that is defined nowhere has an address, and a body that says why", () => {
  const main = moduleOf(
    `@kept = global ptr @deflate\ndefine ptr @main() {\n  ret ptr @kept\n}\n${declare("deflate")}`,
    "a",
  );
  const program = link([main], { whyAbsent: (name) => `${name} is foreign` });
  const stub = get(main, "deflate").resolved;
  assert.ok(stub?.kind === "function" && program.functions.includes(stub));
  const [{ terminator }] = stub.parseBody()?.blocks ?? [];
  assert.equal(terminator.op === "unsupported" && terminator.extra.what, "a call of deflate (deflate is foreign)");
  assert.deepEqual(program.undefinedSymbols, [{ name: "deflate", referencedBy: ["kept"] }]);
});

test("link: longjmp, which the translation provides, has a function for its address; setjmp has none", () => {
  const main = moduleOf(
    "@kept = global ptr @longjmp\ndefine ptr @main() {\n  %r = call i32 @setjmp(ptr @kept)\n  ret ptr @kept\n}\ndeclare void @longjmp(ptr, i32)\ndeclare i32 @setjmp(ptr)",
    "a",
  );
  const program = link([main], { provided: (name) => /^(set|long)jmp$/.test(name) });
  assert.deepEqual(names(program.functions), ["a:main", "jump:__tangent_pointer_to_longjmp"]);
  assert.equal(get(main, "setjmp").resolved, null);
  assert.deepEqual(program.undefinedSymbols, []);
});
