// The packages of the bed, those first that are made soonest.

import type { BedPackage } from "./bed-bug.js";
import { BUSYBOX } from "./busybox.js";
import { FIG2DEV } from "./fig2dev.js";
import { LIBXML2 } from "./libxml2.js";
import { LUA51, LUA54 } from "./lua.js";
import { PROCMAIL, SHARUTILS } from "./mail.js";
import { PATCH } from "./patch.js";
import { GIFLIB, INDENT, JHEAD } from "./small-tools.js";

export const PACKAGES: readonly BedPackage[] = [
  LUA51,
  LUA54,
  GIFLIB,
  JHEAD,
  INDENT,
  PROCMAIL,
  PATCH,
  FIG2DEV,
  BUSYBOX,
  LIBXML2,
  SHARUTILS,
];
