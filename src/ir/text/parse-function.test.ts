import assert from "node:assert/strict";
import { test } from "node:test";
import { IrError, type Module, type Origin } from "../module.js";
import { typeToString } from "../types.js";
import type { Body, Instruction } from "../values.js";
import { parseModule } from "./parse-module.js";
import { printBody, printInstruction } from "./print.js";

function module(text: string, origin: Origin = "program"): Module {
  return parseModule(text, { name: "t.ll", origin });
}
/** The body of @f in a module. */
function bodyOf(text: string, origin: Origin = "program"): Body {
  const fn = module(text, origin).globals.get("f");
  assert.ok(fn?.kind === "function");
  const body = fn.parseBody();
  assert.ok(body !== null);
  return body;
}
/** The body of a function of some parameters, whose instructions are given, up to its `ret void`. */
function body(instructions: string, params = "i32 %a, i64 %l, ptr %p, double %d, <4 x i32> %v, i1 %c, float %s"): Body {
  return bodyOf(`define void @f(${params}) {\n${instructions}\n  ret void\n}\n`);
}
/** One instruction as the printer shows it. */
function printed(instruction: string, before = ""): string {
  const parsed = body(`${before}\n  ${instruction}`);
  const list = parsed.blocks[0].instructions;
  return printInstruction(list[list.length - 2], parsed).replace(/^%\d+ = /, "");
}
function instructions(parsed: Body): Instruction[] {
  return parsed.blocks.flatMap((block) => block.instructions);
}

test("body: arithmetic, with or without flags", () => {
  for (const [written, expected] of [
    ["add nuw nsw i32 %a, -1", "add i32 %a, -1"],
    ["sdiv exact i64 %l, 3", "sdiv i64 %l, 3"],
    ["or disjoint i32 %a, %a", "or i32 %a, %a"],
    ["xor <4 x i32> %v, splat (i32 -1)", "xor <4 x i32> %v, <i32 -1, i32 -1, i32 -1, i32 -1>"],
    ["fadd reassoc nnan ninf nsz arcp contract afn double %d, 1.0", "fadd double %d, 0x3FF0000000000000"],
    ["fneg fast double %d", "fneg double %d"],
    ["icmp samesign ult i32 %a, 7", "icmp ult i32 %a, 7"],
    ["icmp eq ptr %p, null", "icmp eq ptr %p, null"],
    ["fcmp nnan uno double %d, 0.0", "fcmp uno double %d, 0x0000000000000000"],
    ["select nsz i1 %c, float %s, float 0.0", "select i1 %c, float %s, float 0x0000000000000000"],
    ["trunc nuw nsw i64 %l to i8", "trunc i64 %l to i8"],
    ["zext nneg i32 %a to i128", "zext i32 %a to i128"],
    ["uitofp nneg i32 %a to double", "uitofp i32 %a to double"],
    ["bitcast <4 x i32> %v to i128", "bitcast <4 x i32> %v to i128"],
    ["ptrtoint ptr %p to i32", "ptrtoint ptr %p to i32"],
    ["freeze i32 %a", "freeze i32 %a"],
  ]) {
    assert.equal(printed(`%1 = ${written}`), expected);
  }
});

test("body: memory, atomic or not", () => {
  for (const [written, expected] of [
    ["%1 = load volatile i32, ptr %p, align 2", "load volatile i32, ptr %p, align 2"],
    ["%1 = load i64, ptr %p", "load i64, ptr %p, align 8"],
    ['%1 = load atomic volatile i32, ptr %p syncscope("x") acquire, align 4', "load volatile i32, ptr %p, align 4"],
    ["store i32 %a, ptr %p, !tbaa !3", "store i32 %a, ptr %p, align 4"],
    ["store atomic i32 %a, ptr %p unordered, align 4", "store i32 %a, ptr %p, align 4"],
    ["%1 = atomicrmw nand ptr %p, i32 %a monotonic, align 4", "atomicrmw nand ptr %p, i32 %a seq_cst, align 4"],
    ["%1 = atomicrmw fadd ptr %p, float %s seq_cst", "atomicrmw fadd ptr %p, float %s seq_cst, align 4"],
    [
      "%1 = cmpxchg weak volatile ptr %p, i32 1, i32 2 acq_rel monotonic, align 4",
      "cmpxchg volatile ptr %p, i32 1, i32 2 seq_cst seq_cst, align 4",
    ],
    ['fence syncscope("singlethread") release', "fence seq_cst"],
    ["%1 = alloca i32", "alloca i32, i32 1, align 4"],
    ["%1 = alloca [3 x i8], i64 %l, align 16", "alloca [3 x i8], i64 %l, align 16"],
    [
      "%1 = getelementptr inbounds nuw { i8, i32 }, ptr %p, i64 %l, i32 1",
      "getelementptr inbounds { i8, i32 }, ptr %p, i64 %l, i32 1",
    ],
    ["%1 = getelementptr nusw i8, ptr %p, i32 %a", "getelementptr i8, ptr %p, i32 %a"],
    ["%1 = va_arg ptr %p, i64", "va_arg ptr %p, i64"],
  ]) {
    assert.equal(printed(written), expected);
  }
});

test("body: a cmpxchg results in the old value and success", () => {
  const [first] = instructions(body("  %1 = cmpxchg ptr %p, i64 1, i64 2 seq_cst seq_cst"));
  assert.equal(typeToString(first.type), "{ i64, i1 }");
});

test("body: aggregates and vectors", () => {
  const before = "  %1 = insertvalue { i32, [2 x i8] } undef, i8 1, 1, 0";
  assert.equal(
    printed("%2 = extractvalue { i32, [2 x i8] } %1, 1, 0", before),
    "extractvalue { i32, [2 x i8] } %0, 1, 0",
  );
  assert.equal(printed("%1 = extractelement <4 x i32> %v, i32 %a"), "extractelement <4 x i32> %v, i32 %a");
  assert.equal(printed("%1 = insertelement <4 x i32> %v, i32 %a, i64 2"), "insertelement <4 x i32> %v, i32 %a, i64 2");
  for (const [mask, lanes] of [
    ["<2 x i32> <i32 1, i32 poison>", "<i32 1, i32 undef>"],
    ["<2 x i32> zeroinitializer", "<i32 0, i32 0>"],
    ["<2 x i32> undef", "<i32 undef, i32 undef>"],
    ["<2 x i32> splat (i32 7)", "<i32 7, i32 7>"],
  ]) {
    const expected = `shufflevector <4 x i32> %v, <4 x i32> undef, <2 x i32> ${lanes}`;
    assert.equal(printed(`%1 = shufflevector <4 x i32> %v, <4 x i32> poison, ${mask}`), expected);
  }
});

test("body: calls of functions, values, expressions and assembly", () => {
  for (const [written, expected] of [
    ["call void @g()", "call void @g()"],
    ["%1 = tail call fastcc noundef signext range(i32 0, 5) i32 @g(i32 noundef inreg 3)", "call i32 @g(i32 3)"],
    [
      "%1 = call i32 (ptr, ...) @h(ptr nonnull align 8 dereferenceable(8) %p, i32 signext -1)",
      "call i32 (ptr, ...) @h(ptr align 8 %p, i32 signext -1)",
    ],
    ["%1 = call fast double %p(double nofpclass(nan inf) %d)", "call double %p(double %d)"],
    ["call void getelementptr (i8, ptr @g, i64 16)(i32 1)", "call void getelementptr (i8, ptr @g, i64 16)(i32 1)"],
    [
      "call void @k(ptr captures(none) initializes((0, 4)) byval({ i32 }) align 4 %p)",
      "call void @k(ptr byval({ i32 }) align 4 %p)",
    ],
    [
      '%1 = call i32 asm sideeffect alignstack "nop\\0A", "=r,r"(i32 %a) #1',
      'call i32 asm sideeffect "nop\\0A", "=r,r"(i32 %a)',
    ],
    ['call void @g() nounwind "key"="value" [ "bundle"(i32 1, ptr %p), "other"() ]', "call void @g()"],
    [
      'call void @m(metadata !"x", metadata ptr %p, metadata !{i32 1}, metadata !DIExpression(1, 2))',
      "call void @m(metadata !{}, metadata !{}, metadata !{}, metadata !{})",
    ],
    ["call void @g() noreturn returns_twice", "call void @g() noreturn returns_twice"],
    ["call void @g() nobuiltin", "call void @g() noinline"],
  ]) {
    assert.equal(printed(written), expected);
  }
});

test("body: a call has the attributes of its groups and of its callee", () => {
  const text = `define void @f() {
  call void @quit() #1
  call void @jump()
  call void @quit()
  unreachable
}
declare void @quit() #0
declare void @jump() returns_twice
attributes #0 = { noreturn }
attributes #1 = { noinline }`;
  const calls = instructions(bodyOf(text)).flatMap((i) => (i.op === "call" ? [i.extra] : []));
  assert.deepEqual(
    calls.map((call) => [call.noreturn, call.returnsTwice, call.mayInline]),
    [
      [true, false, false],
      [false, true, true],
      [true, false, true],
    ],
  );
});

test("body: the words of the next line are not attributes of a call", () => {
  const ops = instructions(body("  call void @g()\n  fence seq_cst\n  call void @g() #1\n  br label %x\nx:")).map(
    (i) => i.op,
  );
  assert.deepEqual(ops, ["call", "fence", "call", "br", "ret"]);
});

test("body: the type of a call is that of its callee's declaration where they agree", () => {
  const parsed = module("declare i32 @g(i64)\ndefine i32 @f() {\n  %1 = call i32 @g(i64 1)\n  ret i32 %1\n}");
  const g = parsed.globals.get("g");
  const f = parsed.globals.get("f");
  assert.ok(g?.kind === "function" && f?.kind === "function");
  const call = f.parseBody()?.blocks[0].instructions[0];
  assert.ok(call?.op === "call");
  assert.equal(call.extra.fnType, g.type);
});

test("body: branches, switches and joins refer to blocks before and after them", () => {
  const text = `define i32 @f(i32 %0, i1 %1) {
  br i1 %1, label %3, label %last
3:                                                ; preds = %2
  switch i32 %0, label %last [
    i32 0, label %3
    i32 -7, label %"a b"
  ], !dbg !3
"a b":
  %4 = phi i32 [ %0, %3 ]
  indirectbr ptr null, [label %3, label %last]
last:
  %5 = phi i32 [ 1, %2 ], [ %0, %3 ], [ %4, %"a b" ]
  ret i32 %5
}`;
  const parsed = bodyOf(text);
  assert.deepEqual(
    parsed.blocks.map((block) => [block.index, block.name]),
    [
      [0, "2"],
      [1, "3"],
      [2, "a b"],
      [3, "last"],
    ],
  );
  const [entry, three, named, last] = parsed.blocks;
  assert.deepEqual(entry.terminator.blocks, [three, last]);
  const chosen = three.terminator;
  assert.ok(chosen.op === "switch");
  assert.deepEqual(chosen.extra.cases, [0n, 4294967289n]);
  assert.deepEqual(chosen.blocks, [last, three, named]);
  const [join] = last.instructions;
  assert.deepEqual(join.blocks, [entry, three, named]);
  assert.deepEqual(join.operands.slice(1), [parsed.args[0], named.instructions[0]]);
});

test("body: values and blocks without names are numbered as LLVM numbers them", () => {
  const text = `define i32 @f(i32, ptr) {
  add i32 %0, 1
  store i32 %3, ptr %1
  br label %4
  %5 = add i32 %3, %0
  br label %9
9:
  %10 = add i32 %5, %3
  ret i32 %10
}`;
  // The entry is block 2, and what follows its terminator without a label is block 4; numbers may be left out.
  const parsed = bodyOf(text);
  assert.deepEqual(
    parsed.blocks.map((block) => block.name),
    ["2", "4", "9"],
  );
  assert.equal(
    printBody(parsed),
    "bb2:\n  %2 = add i32 %0, 1\n  store i32 %2, ptr %1, align 4\n  br label %bb4\nbb4:\n  %3 = add i32 %2, %0\n  br label %bb9\nbb9:\n  %4 = add i32 %3, %2\n  ret i32 %4\n",
  );
});

test("body: numbers of parameters may leave gaps, as newer versions of LLVM allow", () => {
  const parsed = bodyOf("define i32 @f(i32 %3, i32 %7) {\n  %9 = add i32 %3, %7\n  ret i32 %9\n}");
  assert.deepEqual(parsed.blocks[0].instructions[0].operands, parsed.args);
  assert.equal(parsed.blocks[0].name, "8");
});

test("body: a value may be used before the text defines it", () => {
  const parsed = bodyOf(
    "define i32 @f() {\n  br label %late\nearly:\n  ret i32 %x\nlate:\n  %x = add i32 1, 2\n  br label %early\n}",
  );
  const [, early, late] = parsed.blocks;
  assert.equal(early.terminator.operands[0], late.instructions[0]);
});

test("body: debug records and their older form as calls are dropped, but name the allocas", () => {
  const text = `define void @f(ptr %arg) !dbg !1 {
  %a = alloca i32
  %1 = alloca i64
  %b = alloca i8
    #dbg_declare(ptr %a, !2, !DIExpression(), !4)
  call void @llvm.dbg.declare(metadata ptr %1, metadata !3, metadata !DIExpression()), !dbg !4
    #dbg_value(i32 0, !2, !DIExpression(), !4)
  tail call void @llvm.dbg.value(metadata i32 0, metadata !2, metadata !DIExpression()), !dbg !4
    #dbg_declare(ptr poison, !2, !DIExpression(), !4)
    #dbg_declare(ptr %arg, !2, !DIExpression(), !4)
    #dbg_label(!2, !4)
  ret void, !dbg !4
}
!2 = !DILocalVariable(name: "first", scope: !1, line: 5)
!3 = !DILocalVariable(name: "second", scope: !1, line: 6)`;
  const list = instructions(bodyOf(text));
  assert.deepEqual(
    list.map((i) => i.op),
    ["alloca", "alloca", "alloca", "ret"],
  );
  const names = list.map((i) =>
    i.op === "alloca" && i.extra.variable ? [i.extra.variable.name, i.extra.variable.line] : null,
  );
  assert.deepEqual(names, [["first", 5], ["second", 6], null, null]);
  assert.equal(list[3].loc?.id, 4);
});

test("body: a location is found among the attachments, wherever it stands", () => {
  const list = instructions(
    body(
      '  fence seq_cst, !dbg !7, !tbaa !8\n  fence seq_cst, !tbaa !8, !dbg !9\n  fence seq_cst, !x !{i32 1, !"}"}, !y !DIExpression(1)\n  fence seq_cst',
    ),
  );
  assert.deepEqual(
    list.map((i) => i.loc?.id ?? null),
    [7, 9, null, null, null],
  );
});

test("body: accesses of trusted modules are unchecked", () => {
  const text = "define void @f(ptr %p) {\n  %1 = load i32, ptr %p\n  store i32 %1, ptr %p\n  ret void\n}";
  for (const [origin, unchecked] of [
    ["trusted", true],
    ["program", false],
  ] as const) {
    const found = instructions(bodyOf(text, origin)).flatMap((i) =>
      i.op === "load" || i.op === "store" ? [i.extra.unchecked] : [],
    );
    assert.deepEqual(found, [unchecked, unchecked]);
  }
});

test("body: what has no meaning becomes an unsupported instruction, and parsing goes on after it", () => {
  const text = `define void @f(ptr %p) personality ptr @g {
  %1 = invoke i32 @g(i32 1)
          to label %2 unwind label %bad, !dbg !5
2:
  %3 = add i32 %1, 1
  %4 = load <vscale x 4 x i32>, ptr %p, align 16
  %5 = load ptr addrspace(256), ptr %p
  %6 = atomicrmw uinc_wrap ptr %p, i32 4 seq_cst
  %7 = add i32 %6, %3
  %8 = futuristic i32 %7 with words
  %9 = fadd double fneg (double 1.0), 2.0
  callbr void asm "", "!i"() to label %10 [label %bad]
10:
  musttail call void (ptr, ...) @h(ptr %p, ...)
  ret void
bad:
  %11 = landingpad { ptr, i32 }
          cleanup
          filter [1 x ptr] [ptr null]
  resume { ptr, i32 } %11
}
declare i32 @g(i32)`;
  const parsed = bodyOf(text);
  const found = instructions(parsed).flatMap((i) =>
    i.op === "unsupported" ? [`${i.extra.what}: ${typeToString(i.type)} ${i.extra.terminator}`] : [],
  );
  assert.deepEqual(found, [
    "invoke: i32 true",
    "type scalable vector: void false",
    "type ptr addrspace(256): void false",
    "atomicrmw uinc_wrap: i32 false",
    "futuristic: void false",
    "constant expression fneg: void false",
    "callbr: void true",
    "forwarding of variadic arguments: void false",
    "landingpad: void false",
    "resume: void true",
  ]);
  assert.deepEqual(
    parsed.blocks[0].terminator.blocks.map((block) => block.name),
    ["2", "bad"],
    "the successors are kept",
  );
  assert.equal(parsed.blocks[0].terminator.loc?.id, 5);
});

test("body: values of opaque types cannot be loaded, stored or allocated", () => {
  const list = instructions(body("  %1 = alloca %o\n  %2 = load %o, ptr %p\n  %3 = getelementptr %o, ptr %p, i64 1"));
  assert.deepEqual(
    list.map((i) => i.op),
    ["unsupported", "unsupported", "unsupported", "ret"],
  );
});

test("body: is parsed anew at each call", () => {
  const fn = module("define void @f() {\n  ret void\n}").globals.get("f");
  assert.ok(fn?.kind === "function");
  const [first, second] = [fn.parseBody(), fn.parseBody()];
  assert.notEqual(first, second);
  assert.notEqual(first?.blocks[0], second?.blocks[0]);
});

test("body: malformed instructions are errors with their line", () => {
  for (const [text, message] of [
    ["  %1 = add i32 %nowhere, 1", /^t\.ll:2: %nowhere is never defined/],
    ["  br label %nowhere", /^t\.ll:2: there is no block %nowhere/],
    ["\n  %1 = add i64 %a, 1", /^t\.ll:3: '%a' has type 'i32', not 'i64'/],
    ["  %x = add i32 %a, 1\n  %x = add i32 %a, 1", /^t\.ll:3: %x is defined twice/],
    ["  %1 = add i32 %a, 1\n  %1 = add i32 %a, 1", /number 1 is already taken/],
    ["  %1 = add ptr %p, %p", /cannot compute on 'ptr'/],
    ["  %1 = zext i64 %l to i32", /cannot go from 'i64' to 'i32'/],
    ["  %1 = load i32, i32 %a", /'i32' is not a pointer/],
    ["  %1 = load i32, ptr %p, align 3", /3 is no alignment/],
    ["  %1 = store i32 %a, ptr %p", /has no result to name/],
    ["  fence seq_cst\n  %1 = phi i32 [ 1, %x ]", /must come before/],
    ["  br label %x\nx:\n  %1 = phi i32 [ 1, %x ]", /a value too many for %x/],
    [
      "  br i1 %c, label %x, label %y\ny:\n  br label %x\nx:\n  %1 = phi i32 [ 1, %y ]",
      /no value for its predecessor %0/,
    ],
    ["first:\n  br label %first\nlast:", /first block has predecessors/],
    ["  ret i32 1", /returns 'i32'/],
    ["x:\nx:", /does not end with a terminator/],
    ["  br label %x\nx:\n  br label %x\nx:", /label x is defined twice/],
    ["  br i32 %a, label %x, label %x", /must be an i1/],
    ["  %1 = getelementptr { i32 }, ptr %p, i64 0, i32 1", /has no such element/],
    ["  %1 = extractvalue { i32 } undef, 1", /has no element 1/],
    ["  %1 = shufflevector <4 x i32> %v, <4 x i32> %v, <1 x i32> <i32 8>", /beyond its operands/],
    ["  ] oops", /expected an instruction/],
    ["  %99999999 = add i32 1, 2", /fewer than/],
  ] as const) {
    assert.throws(
      () => body(text),
      (thrown: unknown) => thrown instanceof IrError && message.test(thrown.message),
      text,
    );
  }
  assert.throws(() => bodyOf("define void @f() {\n}"), /has no blocks/);
  assert.throws(() => bodyOf("define void @f() {\n  call void (i32) @g(ptr null)\n  ret void\n}"), /do not fit/);
});
