// fig2dev, a translator of drawings. Its tests' own drawings are among the seeds.

import type { BedPackage } from "./bed-bug.js";
import { SETTLE } from "./patch.js";

const TOP = "#FIG 3.2\nPortrait\nCenter\nMetric\nA4\n100.00\nSingle\n-2\n1200 2\n";

const OWN = ["line.fig", "arrows.fig", "patterns.fig"].map((name) => `fig2dev/tests/data/${name}`);

export const FIG2DEV: BedPackage = {
  source: "fig2dev",
  configure: `${SETTLE}
./configure --disable-dependency-tracking --without-png`,
  build: `make -C fig2dev/dev libdrivers.a CC="$CC"; make -C fig2dev fig2dev CC="$CC"`,
  program: "fig2dev/fig2dev",
  bugs: [
    {
      name: "fig2dev-rect",
      reference: "fig2dev ticket 142",
      kind: "null-dereference",
      what: "a rectangle with two corners, -L gbx",
      reverse: ["33_sanitize_rect.patch"],
      places: ["fig2dev/dev/gengbx.c:1135"],
      arguments: ["-L", "gbx", "@@"],
      ownSeeds: OWN,
      seeds: {
        "box.fig": `${TOP}2 2 0 2 0 7 50 -1 -1 0.000 0 0 -1 0 0 5\n\t 100 100 900 100 900 500 100 500 100 100\n`,
        "corner.fig": `${TOP}2 1 0 3 0 7 50 -1 -1 0.000 1 2 -1 0 0 3\n\t 0 0 600 0 600 450\n`,
        "circle.fig": `${TOP}1 3 0 1 4 7 50 -1 20 0.000 1 0.0000 900 900 300 300 900 900 1200 900\n`,
      },
      proof: `${TOP}2 2 0 2 0 7 40 0 -1 0.000 1 0 0 0 0 2\n\t 150 300 150 750\n`,
    },
    {
      name: "fig2dev-arrow",
      reference: "fig2dev ticket 146",
      kind: "stack-buffer-overflow",
      what: "an arrowhead without points, -L pict2e",
      reverse: ["36_arrowhead.patch"],
      places: ["fig2dev/dev/genpict2e.c:1191"],
      arguments: ["-L", "pict2e", "@@"],
      ownSeeds: OWN,
      seeds: {
        "arc.fig": `${TOP}5 1 0 2 0 7 50 -1 -1 0.000 0 0 1 0 600.0 600.0 300 600 600 300 900 600\n\t1 0 1.00 60.00 120.00\n`,
        "arrow.fig": `${TOP}2 1 0 2 0 7 50 -1 -1 0.000 0 0 -1 1 0 2\n\t1 1 2.00 90.00 150.00\n\t 0 0 900 450\n`,
        "box.fig": `${TOP}2 2 0 2 0 7 50 -1 -1 0.000 0 0 -1 0 0 5\n\t 100 100 900 100 900 500 100 500 100 100\n`,
      },
      // So low an arrow on so small an arc that both of its ends are the same point.
      proof: `${TOP}5 1 0 2 0 7 50 -1 -1 0.000 0 0 1 0 600.0 600.0 580 600 600 580 620 600\n\t1 1 2.00 600.00 0.40\n`,
    },
  ],
};
