// How far a call is from what a function needs to fail: the sum over the condition's conjuncts, each as far as its comparison is from
// holding (solver/layers/distance.ts). 0: all of it holds there.
//
// That a word equals another one has become that each of its bytes does, where expressions were simplified. By bytes 2048 would be nearer to 0
// than 2047 is, so such bytes are put together again.

import { ExprArena } from "../../expr/arena.js";
import { Evaluator } from "../../expr/evaluate.js";
import { type ExprRef, OPS } from "../../expr/ops.js";
import { importExpressions, type PortableLeaf } from "../../expr/portable.js";
import { Distance } from "../../solver/layers/distance.js";
import { isOfCall } from "./bind-condition.js";
import type { CallCondition } from "./compose-work.js";

/** Bytes of a word that are put together: most numbers have no more, and fields lie at multiples of it. */
const WORD = 4;

/** Bytes of one word that must be those of another one, or of a constant: the lowest first, as places in the bytes of a call. */
interface WordEquality {
  readonly places: number[];
  readonly others: (number | { readonly constant: number })[];
}

export class ConditionDistance {
  private readonly arena = new ExprArena();
  private readonly evaluator = new Evaluator(this.arena);
  private readonly distance = new Distance(this.arena, this.evaluator);
  private readonly words: readonly WordEquality[];
  private readonly others: readonly ExprRef[];

  constructor({ formula }: Pick<CallCondition, "formula">) {
    const { arena } = this;
    const places = new Map(formula.leaves.map((leaf, n) => [leaf, n]));
    // What no call shows is left out.
    const roots = importExpressions(arena, formula, (leaf) =>
      isOfCall(leaf) ? arena.variable(places.get(leaf) ?? 0) : null,
    );
    const conjuncts = roots.flatMap((root) => (root === null ? [] : conjunctsOf(arena, root)));
    const isByte = (e: ExprRef): boolean => arena.op(e) === OPS.variable.code;
    const isEquality = (e: ExprRef): boolean =>
      arena.op(e) === OPS.eq.code &&
      [arena.a(e), arena.b(e)].every((side) => isByte(side) || isByteConstant(arena, side));
    this.others = conjuncts.filter((e) => !isEquality(e));
    const equalities = conjuncts.filter(isEquality).map((e) => {
      const [place, other] = isByte(arena.a(e)) ? [arena.a(e), arena.b(e)] : [arena.b(e), arena.a(e)];
      return {
        place: arena.payload(place),
        other: isByte(other) ? arena.payload(other) : { constant: Number(arena.constantBigValue(other)) },
      };
    });
    this.words = wordsOf(equalities, formula.leaves);
  }

  /** `bytes`: by leaf of the formula. */
  of(bytes: Uint8Array): number {
    this.evaluator.load(bytes);
    let sum = 0;
    for (const conjunct of this.others) sum += this.distance.of(conjunct);
    for (const word of this.words) sum += distanceOf(word, bytes);
    return sum;
  }
}

function conjunctsOf(arena: ExprArena, root: ExprRef): ExprRef[] {
  const found: ExprRef[] = [];
  const open = [root];
  for (let e = open.pop(); e !== undefined; e = open.pop()) {
    if (arena.op(e) === OPS.and.code) open.push(arena.b(e), arena.a(e));
    else found.push(e);
  }
  return found;
}

function isByteConstant(arena: ExprArena, e: ExprRef): boolean {
  return arena.isConstant(e) && arena.width(e) === 8;
}

interface ByteEquality {
  readonly place: number;
  readonly other: WordEquality["others"][number];
}

/** Bytes of one object that lie in one word go together, if what they equal does too. */
function wordsOf(equalities: readonly ByteEquality[], leaves: readonly PortableLeaf[]): readonly WordEquality[] {
  const words = new Map<string, WordEquality>();
  const wordAt = ({ object, offset }: PortableLeaf): string => `${object} ${Math.floor(offset / WORD)}`;
  const sorted = [...equalities].sort((a, b) => leaves[a.place].offset - leaves[b.place].offset);
  for (const { place, other } of sorted) {
    const leaf = leaves[place];
    const against = typeof other === "number" ? `${wordAt(leaves[other])} ${leaf.offset - leaves[other].offset}` : "";
    const key = `${wordAt(leaf)} ${against}`;
    const word = words.get(key) ?? { places: [], others: [] };
    words.set(key, word);
    word.places.push(place);
    word.others.push(other);
  }
  return [...words.values()];
}

/** Of numbers that begin anew behind the largest one: -1 is next to 0. */
function distanceOf({ places, others }: WordEquality, bytes: Uint8Array): number {
  let is = 0;
  let wanted = 0;
  for (let n = places.length - 1; n >= 0; n--) {
    const other = others[n];
    is = is * 256 + bytes[places[n]];
    wanted = wanted * 256 + (typeof other === "number" ? bytes[other] : other.constant);
  }
  const apart = Math.abs(is - wanted);
  return Math.log2(1 + Math.min(apart, 256 ** places.length - apart));
}
