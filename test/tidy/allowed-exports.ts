// Exports that the program itself does not import, and why they may stay.

/** Made and tested already, for patch testing and composition: units, reasons why a path is infeasible, interpolants. */
export const FOR_THE_NEXT_STEPS: readonly RegExp[] = [
  /^src\/engine\/(unit-[a-z-]+|unsat-core)\.ts$/,
  /^src\/solver\/(interpolate|minimize-core)\.ts$/,
];

/** Tests look inside through these: the pure half of something that is hard to run, or a table to go through. Sorted by file. */
export const FOR_TESTS: readonly string[] = [
  "src/engine/finding-ledger.ts QUIET",
  "src/expr/rewrite.ts RULES",
  "src/findings/general-helpers.ts LEAST_CALLS",
  "src/findings/locate-object.ts nearest",
  "src/frontend/arguments-rules.ts RULES",
  "src/frontend/arguments-rules.ts ruleFor",
  "src/frontend/arguments.ts languageOf",
  "src/frontend/capture.ts parseAssembly",
  "src/frontend/cc-native.ts LAYOUT",
  "src/frontend/libc-index.ts makeIndex",
  "src/ir/analysis/references.ts collectBody",
  "src/ir/analysis/verify.ts verify",
  "src/ir/debug-info.ts inlinedFrames",
  "src/ir/passes/lower-float80.ts FLOAT80_FUNCTIONS",
  "src/ir/text/lexer.ts COMDAT",
  "src/ir/text/print-module.ts printModule",
  "src/ir/text/print.ts printBody",
  "src/ir/text/print.ts printInstruction",
  "src/ir/types.ts I16",
  "src/jit/options.ts UNIT_COMPILE_OPTIONS",
  "src/path/frontier.ts EXPLORATION_MODES",
  "src/path/frontier.ts CHECK_POLICIES",
  "src/project/collect-records.ts parseEvents",
  "src/project/config.ts parseConfig",
  "src/project/sample.ts missProbability",
  "src/report/explanation.ts conditionAt",
  "src/report/html/markup.ts escapeHtml",
  "src/report/live-view.ts renderStatus",
  "src/report/live-view.ts renderStatusLine",
  "src/report/result-file.ts parseResult",
  "src/solver/minimize-model.ts minimizeModel",
  "src/solver/sat/quick-sat.ts luby",
  "src/support/guarded-thread.ts GuardedThread",
  "src/techniques/compare-paths.ts walk",
  "src/vm/heap.ts HEAP_STRUCTURES",
  "src/vm/heap.ts HEAP_CONSTANTS",
  "src/vm/heap.ts GuestHeap",
  "src/vm/syscalls/table.ts FAMILIES",
];
