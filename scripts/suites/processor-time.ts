// Processor time of a command and of everything it starts, also of what nobody waits for. The recorder's tracers are nobody's
// children on purpose, and their time must not be lost: perl becomes the one that orphans fall to (a "subreaper"), waits for all of them
// and then asks the kernel for the sum.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { OUR_COMPILER, shell } from "./build.js";

/** prctl is system call 157 here (x86-64), PR_SET_CHILD_SUBREAPER is 36. */
const TIMER = String.raw`my ($result, @command) = @ARGV;
syscall(157, 36, 1, 0, 0, 0) == 0 or die "prctl: $!";
my $child = fork();
if ($child == 0) { exec(@command) or die "$command[0]: $!"; }
my $status = 0;
for (;;) {
    my $ended = wait();
    last if $ended < 0;
    $status = $? if $ended == $child;
}
my @times = times();
open(my $file, ">", $result) or die "$result: $!";
printf $file "%.3f\n", $times[2] + $times[3];
exit($status & 127 ? 128 + ($status & 127) : $status >> 8);
`;

export interface TimedOutput {
  readonly status: number;
  readonly output: string;
  /** User and system. */
  readonly processorSeconds: number;
  readonly wallSeconds: number;
}

/** As `shell` does. The command goes through a file, so that it may be any script. */
export function timedShell(command: string, folder: string, phase: string, compiler = OUR_COMPILER): TimedOutput {
  const timer = join(folder, "tangent-timer.pl");
  const result = join(folder, "tangent-time");
  writeFileSync(timer, TIMER);
  writeFileSync(join(folder, `tangent-${phase}.sh`), `${command}\n`);
  writeFileSync(result, "NaN\n");
  const { status, output, seconds } = shell(
    `perl tangent-timer.pl ${result} sh tangent-${phase}.sh < /dev/null`,
    folder,
    phase,
    compiler,
  );
  return { status, output, processorSeconds: Number(readFileSync(result, "utf8")), wallSeconds: seconds };
}
