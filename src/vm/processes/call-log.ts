// What the system told a process, call by call, since it had its first child: enough to live its life again up to a moment.
//
// A child begins where its parent is, in the middle of functions, and WebAssembly's stack cannot be copied. So a child
// runs the parent's life again in a memory of its own: the same program, arguments and bytes lead to the same state. What
// came from outside is answered from this log, since it may not come twice: a pipe is read empty once.
//
// Before the first child nothing is logged: the calls are simply made again, on files that are thrown away afterwards.

import type { GuestMemory } from "../guest-memory.js";
import { RunStop } from "../run-end.js";
import type { RunMemory } from "../run-memory.js";

/** Of calls and their answers; a process that makes and reads more can have no further children. */
const MOST_BYTES = 0x400_0000;
const CALL_BYTES = 200;
const REFERENCE_BYTES = 8;

/** What is not supported then. */
export const NOT_REPEATED = "a process that cannot be begun again, since its parent does not do the same twice";

interface Written {
  readonly address: number;
  readonly bytes: Uint8Array;
}

interface LoggedCall {
  readonly number: number;
  result: number;
  written: readonly Written[];
  /** Signals that came while it was at work. */
  raised: readonly number[];
  /** Virtual time spent waiting, up to its end. */
  waitedNs: number;
}

interface CallAtWork {
  readonly logged: LoggedCall;
  readonly ranges: { readonly address: number; readonly size: number }[];
  readonly raised: number[];
}

export class CallLog {
  private readonly atWork: CallAtWork[] = [];
  private bytes = 0;
  /** Why no child can be made any more; null: it can. */
  trouble: string | null = null;

  /** `firstCall`: how many calls were made before the first one that is logged. */
  constructor(
    readonly firstCall: number,
    private readonly memory: RunMemory,
    private readonly calls: LoggedCall[] = [],
  ) {}

  get length(): number {
    return this.calls.length;
  }

  call(index: number): LoggedCall | undefined {
    return this.calls[index];
  }

  /** The log of a child that is made by the call at work, which tells it 0. */
  atBirth(): CallLog {
    const last = this.calls.length - 1;
    this.memory.must(REFERENCE_BYTES * last + CALL_BYTES);
    const calls = [...this.calls.slice(0, last), { ...this.calls[last], result: 0 }];
    return new CallLog(this.firstCall, this.memory, calls);
  }

  /** What the process shared with others had changed when it was born: its birth has written it. */
  wroteAtBirth(address: number, bytes: Uint8Array): void {
    const last = this.calls.at(-1);
    if (last !== undefined) last.written = [...last.written, { address, bytes }];
  }

  /** Whether the process is in a handler of a signal that came during a call. */
  get isNested(): boolean {
    return this.atWork.length > 1;
  }

  begin(number: number): void {
    const logged = { number, result: 0, written: [], raised: [], waitedNs: 0 };
    this.note(CALL_BYTES);
    if (this.trouble === null) this.calls.push(logged);
    this.atWork.push({ logged, ranges: [], raised: [] });
  }

  /** The call at work is about to write there. */
  writes(address: number, size: number): void {
    this.atWork.at(-1)?.ranges.push({ address, size });
  }

  raises(signal: number): void {
    this.atWork.at(-1)?.raised.push(signal);
  }

  end(result: number, memory: GuestMemory, waitedNs: number): void {
    const call = this.atWork.pop();
    if (call === undefined) return;
    const { logged, ranges, raised } = call;
    logged.result = result;
    logged.waitedNs = waitedNs;
    if (raised.length > 0) logged.raised = raised;
    if (this.trouble !== null || ranges.length === 0) return;
    this.note(ranges.reduce((sum, { size }) => sum + size, 0));
    if (this.trouble !== null) return;
    logged.written = ranges.map(({ address, size }) => ({ address, bytes: memory.u8.slice(address, address + size) }));
  }

  /** What it has noted so far stays, for children that are made already. */
  private note(bytes: number): void {
    if (this.trouble !== null) return;
    this.bytes += bytes;
    if (this.bytes > MOST_BYTES || !this.memory.take(bytes)) this.trouble = "it has done too much to be begun again";
  }
}

/** A log being lived again. */
export class RelivedLog {
  private next = 0;

  constructor(readonly log: CallLog) {}

  /** Whether the next call is the last one: the birth of the process. */
  get isAtBirth(): boolean {
    return this.next === this.log.length - 1;
  }

  /** The call that was made at this point. */
  take(number: number): LoggedCall {
    const call = this.log.call(this.next);
    this.next++;
    if (call?.number !== number) {
      throw new RunStop({ kind: "unsupported", what: NOT_REPEATED, functionName: "" });
    }
    return call;
  }
}
