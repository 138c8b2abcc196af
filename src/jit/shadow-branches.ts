// Control flow of a function with shadows: a branch, a switch or a computed goto on a symbolic value tells the host where it goes, before
// it does. A result's shadow goes where the caller looks for it.

import type { Instruction } from "../ir/values.js";
import type { ShadowPass } from "./shadow-pass.js";
import { NO_SHADOW } from "./shadow-values.js";
import { partsOf } from "./shape.js";

export function shadowTerminator(pass: ShadowPass, i: Instruction): void {
  switch (i.op) {
    case "ret": {
      if (i.operands.length === 0) return;
      partsOf(i.operands[0].type).forEach((_, part) => {
        pass.act({ what: "return", part }, [pass.shadowOf(i.operands[0], part)]);
      });
      return;
    }
    case "condbr": {
      const shadow = pass.shadowOf(i.operands[0]);
      if (shadow === NO_SHADOW || i.blocks[0] === i.blocks[1]) return;
      const site = pass.site("branch", { successors: i.blocks.map((to) => pass.coverageOf(to)), width: 1 });
      pass.act({ what: "branch", site }, [i.operands[0], shadow]);
      return;
    }
    case "switch": {
      const shadow = pass.shadowOf(i.operands[0]);
      if (shadow === NO_SHADOW) return;
      const targets = [...new Set(i.blocks.slice(1))].filter((to) => to !== i.blocks[0]);
      const site = pass.site("switch", {
        successors: [pass.coverageOf(i.blocks[0]), ...targets.map((to) => pass.coverageOf(to))],
        cases: targets.map((to) =>
          i.extra.cases.flatMap((value, n) =>
            i.blocks[n + 1] === to
              ? [[Number(BigInt.asIntN(32, value)), Number(BigInt.asIntN(32, value >> 32n))] as const]
              : [],
          ),
        ),
        width: partsOf(i.operands[0].type)[0].bits,
      });
      pass.act({ what: "switch", site }, [i.operands[0], shadow]);
      return;
    }
    case "indirectbr": {
      // A switch over the addresses of the labels, whose default is a fault.
      const shadow = pass.shadowOf(i.operands[0]);
      if (shadow === NO_SHADOW) return;
      const targets = [...new Set(i.blocks)];
      const name = pass.module.uniqueName(pass.fn);
      const site = pass.site("switch", {
        successors: [-1, ...targets.map((to) => pass.coverageOf(to))],
        cases: targets.map((to) => [[pass.module.labelAddress(name, to.name), 0] as const]),
        width: 64,
      });
      pass.act({ what: "switch", site }, [i.operands[0], shadow]);
      return;
    }
  }
}
