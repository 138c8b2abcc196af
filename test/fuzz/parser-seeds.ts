// IR texts written by hand to hold every construct the parser knows, several that it does not, and the notations of the
// oldest and newest LLVM it reads. The fuzzer mutates them, and needs no compiler to do so.

export const SEEDS: ReadonlyMap<string, string> = new Map([
  [
    "globals",
    String.raw`; ModuleID = 'globals.c'
source_filename = "globals.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-musl"

module asm ".globl other"
module asm "other: \22quoted\22"

%struct.node = type { i32, ptr, [2 x %struct.pair] }
%struct.pair = type <{ i8, i64 }>
%"struct.with space" = type { %struct.pair, x86_fp80 }
%0 = type opaque

$group = comdat any

@0 = private unnamed_addr constant [6 x i8] c"a\00\22\\z\FF", align 1, !dbg !0
@"a b\22" = hidden global i32 -5, section "data\01x", comdat($group), align 4
@list = internal global %struct.node { i32 7, ptr @0, [2 x %struct.pair] [%struct.pair <{ i8 1, i64 2 }>, %struct.pair zeroinitializer] }, align 8
@pointers = dso_local local_unnamed_addr constant [3 x ptr] [ptr getelementptr inbounds (%struct.node, ptr @list, i64 0, i32 2, i64 1), ptr null, ptr @f], align 16
@ranged = global ptr getelementptr inbounds inrange(-8, 16) ({ [3 x ptr] }, ptr @pointers, i32 0, i32 0, i32 1)
@numbers = global { half, bfloat, float, double, x86_fp80, fp128 } { half 0xH3C00, bfloat 0xR3F80, float 0x3FF8000000000000, double -1.5e+3, x86_fp80 0xK3FFF8000000000000000, fp128 0xL00000000000000003FFF000000000000 }
@thread = thread_local(initialexec) global i128 170141183460469231731687303715884105727, align 16
@outside = external dso_local global %0
@weak = extern_weak global i32
@vector = global <4 x i32> <i32 1, i32 undef, i32 poison, i32 -1>
@splat = global <4 x i16> splat (i16 7)
@sum = global i64 add (i64 ptrtoint (ptr @list to i64), i64 4)
@labels = internal global [2 x ptr] [ptr blockaddress(@f, %9), ptr blockaddress(@f, %next)]
@hexadecimal = global i32 u0xFF
@alias = weak hidden alias i32, ptr @"a b\22"
@inner = alias i8, getelementptr inbounds (i8, ptr @list, i64 8)
@resolver = ifunc i32 (i32), ptr @f
@tentative = common global [100 x i32] zeroinitializer, align 16

declare !dbg !9 noundef i32 @puts(ptr nocapture noundef readonly) local_unnamed_addr #1
declare void @exit(i32) noreturn
define ptr @f(i32 %0) { 
  indirectbr ptr blockaddress(@f, %9), [label %9, label %next]
9:
  ret ptr null
next:
  ret ptr @0
}
attributes #0 = { noinline nounwind optnone "frame-pointer"="all" alignstack=16 memory(argmem: readwrite) }
attributes #1 = { noreturn returns_twice }
!llvm.module.flags = !{!1}
!0 = !DIGlobalVariableExpression(var: !2, expr: !DIExpression())
!1 = !{i32 7, !"Dwarf Version", i32 4}
!2 = distinct !DIGlobalVariable(name: "text", scope: null, file: !3, line: 3, type: !4)
!3 = !DIFile(filename: "globals.c", directory: "/tmp", checksumkind: CSK_MD5, checksum: "00")
!4 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!9 = !DISubprogram(name: "puts", scope: !3, file: !3, line: 1)
`,
  ],
  [
    "instructions",
    String.raw`target datalayout = "e-m:e-i64:64-f80:128-n8:16:32:64-S128"
%pair = type { i64, i32 }
@table = internal constant [3 x i32] [i32 1, i32 2, i32 3], align 4

define dso_local signext i32 @compute(i32 noundef %0, ptr noundef byval(%pair) align 8 %1, ...) #0 !dbg !5 {
  %3 = alloca i32, align 4
  %4 = alloca [10 x i8], i64 2, align 16
    #dbg_declare(ptr %3, !7, !DIExpression(), !8)
  call void @llvm.dbg.declare(metadata ptr %4, metadata !7, metadata !DIExpression()), !dbg !8
  store volatile i32 %0, ptr %3, align 4, !dbg !8, !tbaa !9
  %5 = load i32, ptr %3, align 4, !dbg !8, !range !9, !noundef !10
  %6 = add nuw nsw i32 %5, -1
  %7 = icmp samesign ult i32 %6, 10
  br i1 %7, label %8, label %done, !prof !9

8:                                                ; preds = %8, %2
  %9 = phi i32 [ %12, %8 ], [ 0, %2 ]
  %10 = getelementptr inbounds nuw [3 x i32], ptr @table, i64 0, i64 1
  %11 = load atomic i32, ptr %10 syncscope("singlethread") seq_cst, align 4
  %12 = or disjoint i32 %9, %11
  %13 = tail call fast float @llvm.fmuladd.f32(float nofpclass(nan) 1.0, float 0x36A0000000000000, float 2.5e-1) #1
  %14 = fcmp fast olt float %13, 0.0
  switch i32 %12, label %done [
    i32 0, label %8
    i32 -7, label %third
  ], !dbg !8

third:
  %15 = call { i64, i32 } (ptr, ...) @many(ptr sret(%pair) align 8 %3, i32 signext -4, ptr dereferenceable(8) null) #2 [ "deopt"(i32 1) ]
  %16 = extractvalue { i64, i32 } %15, 1
  %17 = insertvalue { i64, i32 } %15, i32 %16, 1
  %18 = atomicrmw volatile xchg ptr %3, i32 %16 acq_rel, align 4
  %19 = cmpxchg weak ptr %3, i32 %18, i32 5 release monotonic
  fence syncscope("agent") acquire
  %20 = select i1 %7, <2 x i64> <i64 1, i64 2>, <2 x i64> zeroinitializer
  %21 = shufflevector <2 x i64> %20, <2 x i64> poison, <4 x i32> <i32 1, i32 poison, i32 0, i32 2>
  %22 = extractelement <4 x i64> %21, i32 0
  %23 = insertelement <2 x i64> %20, i64 %22, i64 1
  %24 = freeze i64 %22
  %25 = trunc nuw i64 %24 to i32
  %26 = zext nneg i32 %25 to i128
  %27 = bitcast <2 x i64> %20 to i128
  %28 = fneg nsz double -0.0
  %29 = fptosi double %28 to i32
  %30 = va_arg ptr %3, i32
  %31 = call i32 asm sideeffect inteldialect "mov $0, $1\0A", "=r,r,~{memory}"(i32 %29)
  %32 = call ptr %1(i64 4)
  %33 = ptrtoint ptr %32 to i64
  %34 = sdiv exact i32 %30, %31
  br label %done

done:
  %35 = phi i32 [ 0, %2 ], [ %12, %8 ], [ %34, %third ]
  ret i32 %35, !dbg !11
}

define internal void @strange() personality ptr @compute {
entry:
  %"quoted name" = alloca %pair
  %r = invoke i32 @compute(i32 1, ptr null)
          to label %"next block" unwind label %bad
"next block":
  %x = load <vscale x 4 x i32>, ptr %"quoted name"
  %y = load ptr addrspace(256), ptr %"quoted name"
  %z = atomicrmw uinc_wrap ptr %"quoted name", i32 4 seq_cst
  %v = add i32 %r, %z
  call void @callee_nobody_declared(i32 %v, metadata !"text", metadata !{i32 4})
  callbr void asm "", "!i"() to label %bad [label %other]
bad:
  %l = landingpad { ptr, i32 }
          cleanup
          catch ptr null
  resume { ptr, i32 } %l
other:
  musttail call void @strange()
  unreachable
}
declare { i64, i32 } @many(ptr, ...)
declare float @llvm.fmuladd.f32(float, float, float)
declare void @llvm.dbg.declare(metadata, metadata, metadata)
attributes #0 = { nounwind }
attributes #2 = { noreturn nobuiltin }
!5 = distinct !DISubprogram(name: "compute", scope: !6, file: !6, line: 1, unit: !12)
!6 = !DIFile(filename: "c.c", directory: "/")
!7 = !DILocalVariable(name: "local", scope: !5, file: !6, line: 2)
!8 = !DILocation(line: 2, column: 3, scope: !13)
!9 = !{i32 0, i32 2}
!10 = !{}
!11 = !DILocation(line: 3, column: 1, scope: !5, inlinedAt: !8)
!13 = distinct !DILexicalBlock(scope: !5, file: !6, line: 2, column: 1)
`,
  ],
]);
