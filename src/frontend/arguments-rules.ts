// What gcc accepts and our clang does not, or means otherwise: one table of rules, each with its reason. An option not in the table
// goes to clang as it is, so that a configure script which asks whether an option works hears the truth. The alternative, to drop whatever
// clang complains of, would tell it lies. bin/tangent sends only command lines that no rule concerns past us; a test checks that.

import type { ArgumentPart } from "./arguments.js";
import { trappingSanitizers } from "./ubsan.js";

export interface Rule {
  readonly pattern: RegExp;
  readonly action:
    | { readonly kind: "drop" }
    | { readonly kind: "replace"; readonly words: (matched: RegExpExecArray) => readonly string[] }
    | { readonly kind: "answer"; readonly text: string }
    | { readonly kind: "refuse"; readonly reason: string };
  readonly why: string;
}

const DROP = { kind: "drop" } as const;

/** A name that ends in - stands for all that begin so. All were refused by clang 21 and change no program's meaning. */
const GCC_OPTIMISATIONS =
  "aggressive-loop-optimizations allocation-dce allow-store-data-races analyzer analyzer- auto-inc-dec auto-profile bit-tests " +
  "branch-probabilities branch-target-load-optimize branch-target-load-optimize2 callgraph-info canonical-system-headers " +
  "checking code-hoisting combine-stack-adjustments compare-debug compare-elim conserve-stack cprop-registers " +
  "crossjumping cse- dce delayed-branch delete-dead-exceptions devirtualize-at-ltrans diagnostics-format " +
  "diagnostics-generate-patch diagnostics-minimum-margin-width diagnostics-path-format diagnostics-plain-output " +
  "diagnostics-show-caret diagnostics-show-cwe diagnostics-show-labels diagnostics-urls dse dump- early-inlining " +
  "eliminate-dwarf2-dups excess-precision extended-identifiers force-addr forward-propagate fp-int-builtin-inexact " +
  "function-cse gcse-lm gcse-sm gcse-las gcse-after-reload gnu-unique graphite graphite- guess-branch-probability " +
  "harden- hoist-adjacent-loads if-conversion if-conversion2 indirect-inlining inline-atomics ipa- ira- " +
  "isolate-erroneous-paths- keep-gc-roots-live keep-static-functions lifetime-dse limit-function-alignment " +
  "live-patching live-range-shrinkage loop-block loop-flatten loop-nest-optimize loop-optimize loop-parallelize-all " +
  "loop-strip-mine loop-unroll-and-jam lra-remat max-errors mem-report move-loop-invariants move-loop-stores mudflap " +
  "nothrow-opt opt-info optimize-register-move optimize-strlen partial-inlining peephole peephole2 " +
  "predictive-commoning printf-return-value ree regmove reorder-blocks-algorithm reorder-blocks-and-partition " +
  "reorder-functions report-bug rerun-cse-after-loop rerun-loop-opt reschedule-modulo-scheduled-loops sched- " +
  "sched2- schedule-fusion section-anchors sel-sched- selective-scheduling selective-scheduling2 shrink-wrap " +
  "shrink-wrap-separate simd-cost-model split-ivs-in-unroller split-loops split-paths split-wide-types " +
  "split-wide-types-early ssa- stack-check stack-limit stack-reuse stdarg-opt store-merging " +
  "strict-volatile-bitfields thread-jumps toplevel-reorder track-macro-expansion trampolines tree- " +
  "unconstrained-commons var-tracking var-tracking- vect-cost-model version-loops-for-strides vpt web zee";
const GCC_CODE_GENERATION =
  "128bit-long-double 8bit-idiv accumulate-outgoing-args align-data align-stringops avx256- branch-cost cld " +
  "dispatch-scheduler dump-tune-features fancy-math-387 fentry-name fentry-section force-drap force-indirect-call " +
  "fpmath function-return ieee-fp incoming-stack-boundary indirect-branch indirect-branch-register " +
  "inline-stringops-dynamically inline-all-stringops large-data-threshold memcpy-strategy memset-strategy " +
  "move-max needed pc80 preferred-stack-boundary prefer-avx128 push-args record-mcount store-max stringop-strategy stv " +
  "tls-dialect tune-ctrl vect8-ret-in-mem";

function oneOf(before: string, names: string, after: string): RegExp {
  const alternatives = names.split(" ").map((name) => (name.endsWith("-") ? `${name}[\\w-]+` : name));
  return new RegExp(`^${before}(?:${alternatives.join("|")})${after}$`);
}

/** Matched against an option's words joined by one blank; the first that matches is taken. */
export const RULES: readonly Rule[] = [
  {
    pattern: /^-(flto(=.*)?|fno-lto|f(no-)?fat-lto-objects|f(no-)?use-linker-plugin|fwhole-program|flto-[\w-]+(=.*)?)$/,
    action: DROP,
    why: "objects must hold machine code, and each keeps its own IR",
  },
  {
    pattern: /^-(p|pg)$/,
    action: DROP,
    why: "musl has no mcount",
  },
  {
    pattern: /^-(-?coverage|f(no-)?profile-[\w-]+(=.*)?|ftest-coverage|fcoverage-mapping)$/,
    action: DROP,
    why: "the profiling runtime is not there; tangent measures coverage itself",
  },
  {
    pattern: /^-m(arch|tune|cpu)=native$/,
    action: DROP,
    why: "IR must not depend on the machine that built it",
  },
  {
    pattern: /^-(fuse-ld=.*|-ld-path=.*|-?specs[= ].*|fplugin(-arg)?[=-].*|wrapper .*)$/,
    action: DROP,
    why: "the linker is always lld",
  },
  {
    pattern: /^-static-pie$/,
    action: { kind: "replace", words: () => ["-static"] },
    why: "there are no start files for it",
  },
  {
    pattern:
      /^-(g0|gz(=.*)?|gstabs\d?\+?|gxcoff\d?\+?|gvms\d?|gsplit-dwarf|gno-.*|g(no-)?(record-gcc-switches|variable-location-views|statement-frontiers)|gas-loc-support)$/,
    action: DROP,
    why: "reports need line numbers in the IR",
  },
  {
    pattern: /^-fsanitize=(.*)$/,
    action: { kind: "replace", words: (match) => trappingSanitizers(match[1]) },
    why: "there are no sanitizer runtimes; UBSan's checks can trap, and memory errors are tangent's own business",
  },
  {
    pattern: /^-f(no-)?sanitize-(recover|link-runtime|undefined-trap-on-error|address|memory|minimal).*$/,
    action: DROP,
    why: "as above",
  },
  {
    pattern: /^--param[= ]/,
    action: DROP,
    why: "gcc's tuning",
  },
  {
    pattern: oneOf("-f(?:no-)?", GCC_OPTIMISATIONS, "(?:=.*)?"),
    action: DROP,
    why: "gcc's own optimisations and diagnostics, which some makefiles switch without asking",
  },
  {
    pattern: oneOf("-m(?:no-)?", GCC_CODE_GENERATION, "(?:=.*)?"),
    action: DROP,
    why: "gcc's own code generation for x86, which does not change what a program means",
  },
  {
    pattern: /^-(print-multi-os-directory|print-multi-directory)$/,
    action: { kind: "answer", text: ".\n" },
    why: "libtool asks; there is one set of libraries",
  },
  {
    pattern: /^-(print-multi-lib)$/,
    action: { kind: "answer", text: ".;\n" },
    why: "as above",
  },
  {
    pattern: /^-(print-multiarch)$/,
    action: { kind: "answer", text: "x86_64-linux-musl\n" },
    why: "configure scripts ask",
  },
  {
    pattern: /^-(m32|mx32|m16|(-?target[= ](?!x86_64-(\w+-)?linux-musl).*))$/,
    action: { kind: "refuse", reason: "programs are made for x86_64-linux-musl only" },
    why: "the machine that runs the IR is that one",
  },
];

export type Rewritten =
  | { readonly kind: "words"; readonly words: readonly string[] }
  | { readonly kind: "answer"; readonly text: string }
  | { readonly kind: "refuse"; readonly message: string };

export function ruleFor(part: ArgumentPart): { readonly rule: Rule; readonly match: RegExpExecArray } | null {
  if (part.input !== null) return null;
  const text = part.words.join(" ");
  for (const rule of RULES) {
    const match = rule.pattern.exec(text);
    if (match !== null) return { rule, match };
  }
  return null;
}

export function applyRules(parts: readonly ArgumentPart[]): Rewritten {
  const words: string[] = [];
  for (const part of parts) {
    const found = ruleFor(part);
    if (found === null) words.push(...part.words);
    else {
      const { action } = found.rule;
      if (action.kind === "answer") return action;
      if (action.kind === "refuse") return { kind: "refuse", message: `${part.words.join(" ")}: ${action.reason}` };
      if (action.kind === "replace") words.push(...action.words(found.match));
    }
  }
  return { kind: "words", words };
}
