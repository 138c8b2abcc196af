// Torture tests whose finding is true: the test itself does what C leaves undefined, and natively gets away with it.
// Everything else that is found in a torture test is a false alarm of ours. Each entry was read in the test's source.

export const TRUE_FINDINGS: { readonly [name: string]: string } = {
  "20101011-1": "divides by zero on purpose and expects SIGFPE's handler to be called",
};
