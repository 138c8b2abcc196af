// A campaign over a queue as discrete events, for any number of workers, in no time: items with the times that they took, workers that are slow
// or vanish, and one coordinator. What costs something in the real thing costs the same here:
//
//   coordinator  one process: each item takes some of its processor time, before it is ordered and when it is answered, one after the other
//   way          an order and its answer travel for a while, which costs nobody anything
//   room         so many orders are under way for each worker, so that none waits for its next
//   rounds       a round ends when its last item has ended, and only then the next is planned
//   worker       needs a program once before its first item of that program; may be slower than the machine that was measured
//   loss         a worker vanishes, and another takes its place after a while; its item is noticed when its lease is over, and done again
//
// The same numbers give the same run: what is drawn at random is drawn from a seed.

import { Random } from "../../src/support/random.js";

export interface SimulatedItem {
  readonly ms: number;
  readonly program: string;
}

export interface SimulationSettings {
  readonly rounds: readonly (readonly SimulatedItem[])[];
  readonly workers: number;
  /** Orders under way for each worker. */
  readonly ahead: number;
  /** Of the coordinator's time, for an item. */
  readonly coordinatorMs: number;
  /** From the coordinator to a worker, and back. */
  readonly wayMs: number;
  /** For a worker to get a program ready. */
  readonly programMs: number;
  /** Of the workers, how many are slow, and how many times slower they are. */
  readonly slowShare: number;
  readonly slowFactor: number;
  /** Until a worker vanishes, on average; Infinity: never. */
  readonly lifeMs: number;
  /** Until its item is given to another, and until there is another worker in its place. */
  readonly leaseMs: number;
  readonly replacedMs: number;
  readonly randomSeed: number;
}

export interface Simulated {
  readonly wallMs: number;
  /** Of the workers' time, how much was spent on items that counted. */
  readonly busyShare: number;
  readonly coordinatorShare: number;
  readonly lost: number;
}

interface SimulatedWorker {
  readonly factor: number;
  readonly programs: Set<string>;
  dies: number;
}

type Step = { readonly at: number; readonly order: number; readonly act: () => void };

/** The earliest first; of equal ones the one that was put in first. */
class Agenda {
  private readonly heap: Step[] = [];
  private count = 0;
  now = 0;

  add(at: number, act: () => void): void {
    const { heap } = this;
    let index = heap.push({ at, order: this.count++, act }) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!isBefore(heap[index], heap[parent])) break;
      [heap[index], heap[parent]] = [heap[parent], heap[index]];
      index = parent;
    }
  }

  /** Until somebody says that it is enough, or nothing is left. */
  run(isOver: () => boolean): void {
    while (this.heap.length > 0 && !isOver()) {
      const { at, act } = this.take();
      this.now = at;
      act();
    }
  }

  private take(): Step {
    const { heap } = this;
    const first = heap[0];
    const last = heap.pop() as Step;
    if (heap.length === 0) return first;
    heap[0] = last;
    for (let index = 0; ; ) {
      const [left, right] = [2 * index + 1, 2 * index + 2];
      let least = index;
      if (left < heap.length && isBefore(heap[left], heap[least])) least = left;
      if (right < heap.length && isBefore(heap[right], heap[least])) least = right;
      if (least === index) return first;
      [heap[index], heap[least]] = [heap[least], heap[index]];
      index = least;
    }
  }
}

function isBefore(a: Step, b: Step): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}

export function simulate(settings: SimulationSettings): Simulated {
  return new Simulation(settings).run();
}

class Simulation {
  private readonly agenda = new Agenda();
  private readonly random: Random;
  private readonly waiting: SimulatedItem[] = [];
  private readonly idle: SimulatedWorker[] = [];
  /** When the coordinator has done what it was given until now. */
  private freeAt = 0;
  private coordinatorMs = 0;
  private busyMs = 0;
  private lost = 0;
  private next = 0;
  private left = 0;
  private round: readonly SimulatedItem[] = [];
  private rounds = 0;

  constructor(private readonly settings: SimulationSettings) {
    this.random = new Random(settings.randomSeed);
    for (let n = 0; n < settings.workers; n++) {
      // Spread over the workers, not drawn: a share of a few is a share.
      const isSlow = Math.floor((n + 1) * settings.slowShare) > Math.floor(n * settings.slowShare);
      this.idle.push(this.newWorker(isSlow ? settings.slowFactor : 1));
    }
  }

  run(): Simulated {
    const { rounds, workers } = this.settings;
    this.beginRound();
    this.agenda.run(() => this.rounds > rounds.length);
    const wallMs = this.agenda.now;
    return {
      wallMs,
      busyShare: wallMs === 0 ? 0 : this.busyMs / (wallMs * workers),
      coordinatorShare: wallMs === 0 ? 0 : this.coordinatorMs / wallMs,
      lost: this.lost,
    };
  }

  private newWorker(factor: number): SimulatedWorker {
    const { lifeMs } = this.settings;
    const life = Number.isFinite(lifeMs) ? -Math.log(1 - this.fraction()) * lifeMs : Number.POSITIVE_INFINITY;
    return { factor, programs: new Set(), dies: this.agenda.now + life };
  }

  private fraction(): number {
    return this.random.next() / 2 ** 32;
  }

  private beginRound(): void {
    const { rounds, workers, ahead } = this.settings;
    while (this.rounds < rounds.length && rounds[this.rounds].length === 0) this.rounds++;
    this.round = rounds[this.rounds++] ?? [];
    this.next = 0;
    this.left = this.round.length;
    const room = Math.min(this.round.length, Math.max(2, ahead * workers));
    for (let n = 0; n < room; n++) this.order();
  }

  /** The coordinator is busy for a part of what an item costs it, then the order is on its way. */
  private order(): void {
    if (this.next >= this.round.length) return;
    const item = this.round[this.next++];
    const { wayMs, coordinatorMs } = this.settings;
    this.coordinate(coordinatorMs / 2, () => {
      this.agenda.add(this.agenda.now + wayMs / 2, () => {
        this.waiting.push(item);
        this.give();
      });
    });
  }

  private coordinate(ms: number, then: () => void): void {
    this.freeAt = Math.max(this.freeAt, this.agenda.now) + ms;
    this.coordinatorMs += ms;
    this.agenda.add(this.freeAt, then);
  }

  private give(): void {
    while (this.waiting.length > 0 && this.idle.length > 0) {
      const worker = this.idle.shift() as SimulatedWorker;
      if (worker.dies <= this.agenda.now) this.replace(worker);
      else this.work(worker, this.waiting.shift() as SimulatedItem);
    }
  }

  private work(worker: SimulatedWorker, item: SimulatedItem): void {
    const { programMs, leaseMs, wayMs, coordinatorMs } = this.settings;
    const { now } = this.agenda;
    const getReady = worker.programs.has(item.program) ? 0 : programMs * worker.factor;
    worker.programs.add(item.program);
    const ms = item.ms * worker.factor;
    const end = now + getReady + ms;
    if (worker.dies < end) {
      this.lost++;
      this.agenda.add(worker.dies, () => this.replace(worker));
      this.agenda.add(worker.dies + leaseMs, () => {
        this.waiting.unshift(item);
        this.give();
      });
      return;
    }
    this.agenda.add(end, () => {
      this.busyMs += ms;
      this.idle.push(worker);
      this.give();
      this.agenda.add(end + wayMs / 2, () => this.coordinate(coordinatorMs / 2, () => this.ended()));
    });
  }

  private replace({ factor }: SimulatedWorker): void {
    this.agenda.add(this.agenda.now + this.settings.replacedMs, () => {
      this.idle.push(this.newWorker(factor));
      this.give();
    });
  }

  private ended(): void {
    this.left--;
    if (this.left > 0) this.order();
    else if (this.rounds < this.settings.rounds.length) this.beginRound();
    // One more than there are: all is done.
    else this.rounds++;
  }
}
