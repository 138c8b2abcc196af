// How gcc's sanitizers are told to report everything, and what their reports mean in our words.

/** The kind in our words that a sanitizer's report stands for. */
export const REPORTS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/heap-buffer-overflow/, ["heap-buffer-overflow"]],
  [/(dynamic-)?stack-buffer-(over|under)flow/, ["stack-buffer-overflow"]],
  [/global-buffer-overflow/, ["global-buffer-overflow"]],
  [/heap-use-after-free/, ["heap-use-after-free"]],
  [/stack-use-after-return/, ["stack-use-after-return"]],
  [/stack-use-after-scope/, ["stack-use-after-scope"]],
  [/attempting double-free/, ["double-free"]],
  [/attempting free on address|attempting to call malloc_usable_size|bad-free/, ["invalid-free"]],
  [/memcpy-param-overlap/, ["memcpy-overlap"]],
  [/negative-size-param/, ["negative-size"]],
  [/AddressSanitizer: stack-overflow/, ["stack-overflow"]],
  [/AddressSanitizer: FPE/, ["division-by-zero", "division-overflow"]],
  [/Assertion .* failed/, ["assertion-failure"]],
  [/AddressSanitizer: ABRT/, ["abort"]],
  [/execution reached an unreachable/, ["unreachable-reached"]],
  [/runtime error: .*null pointer/, ["null-dereference"]],
  [/SEGV on unknown address/, ["wild-access", "read-only-write", "wild-call", "null-dereference"]],
  [/detected memory leaks/, ["memory-leak"]],
  [/runtime error: /, ["undefined-behaviour"]],
];

export function sanitizerEnvironment(leaks: boolean): Record<string, string> {
  return {
    ASAN_OPTIONS: `detect_stack_use_after_return=1:detect_leaks=${leaks ? 1 : 0}:handle_abort=1:handle_sigfpe=1:replace_str=1:strict_string_checks=0:allocator_may_return_null=1`,
    UBSAN_OPTIONS: "print_stacktrace=1:halt_on_error=0",
  };
}
