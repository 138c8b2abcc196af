// The width of a tab in a listing of a file, where it is not the page's.

import { DEFAULT_TAB_WIDTH } from "../../project/editor-config.js";
import { type ReadSource, tabWidthOf } from "../../project/sources.js";
import { type Html, html } from "./markup.js";

/** An attribute, with the blank before it. */
export function tabStyle(readSource: ReadSource, file: string): Html | null {
  const width = tabWidthOf(readSource, file);
  return width === DEFAULT_TAB_WIDTH ? null : html` style="tab-size:${width}"`;
}
