// What a shadow is, as all parts of the shadow pass see it: a value of type i32, zero for concrete.

import { constInt, type Value } from "../ir/values.js";

/** A concrete part's shadow. */
export const NO_SHADOW: Value = constInt(32, 0);
/** One per part; null if none of them can be symbolic. */
export type Shadows = readonly Value[] | null;
