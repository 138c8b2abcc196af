// The findings of one cause in the page: the first as every finding, the others, closed, inside of the same frame with a line that
// says why they are there. A cause that shows at one place only has no frame.

import type { FindingGroup } from "../finding-groups.js";
import { counted } from "../finding-view.js";
import { type FindingContext, findingSection } from "./finding-section.js";
import { type Html, html } from "./markup.js";

export function groupSection({ id, first, members }: FindingGroup, context: FindingContext): Html {
  const one = findingSection(first, context);
  if (members.length === 1) return one;
  const others = members.slice(1);
  return html`
<div class="group" id="g-${id}" role="group" aria-label="One cause, ${counted(members.length, "place")}">
${one}
<p class="group-note quiet">The same cause shows at ${counted(others.length, "more place")}:</p>
${others.map((member) => findingSection(member, { ...context, open: false }))}
</div>`;
}
