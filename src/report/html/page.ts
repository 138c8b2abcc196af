// The report as one HTML file: no server, no other file, no framework. It is made from the result and the sources as they
// are when it is written. A content security policy lets nothing run but our own script, by its hash: should an escape
// ever be missed, what gets in is dead text. What a page says depends on the technique: amplify-content.ts and its siblings.

import { createHash } from "node:crypto";
import { basename } from "node:path";
import { NO_SOURCES, type ReadSource } from "../../project/sources.js";
import type { CampaignResult } from "../campaign-result.js";
import { amplifyContent } from "./amplify-content.js";
import { composeContent } from "./compose-content.js";
import { COMPOSE_STYLE } from "./compose-style.js";
import type { PageContent } from "./content.js";
import { Html, html } from "./markup.js";
import { patchContent } from "./patch-content.js";
import { PATCH_STYLE } from "./patch-style.js";
import { SCRIPT } from "./script.js";
import { STYLE } from "./style.js";

export interface PageOptions {
  readonly readSource: ReadSource;
}

export function renderPage(result: CampaignResult, options: Partial<PageOptions> = {}): string {
  const readSource = withMemory(options.readSource ?? NO_SOURCES);
  const { title, isBad, lead, hero, sections } = contentOf(result, readSource);
  const name = basename(result.project) || result.project;
  const hash = createHash("sha256").update(SCRIPT).digest("base64");
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  const page = html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title.short} in ${name} · Tangent</title>
<style>${new Html(`${STYLE}${OWN_STYLES[result.technique]}`)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the findings</a>
<header class="top">
<div class="bar-inner"><span class="mark-name" aria-label="Tangent"><svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true"><circle cx="10" cy="15" r="6.5"/><path d="M3.2 8.5 21.5 8.5"/><circle class="dot" cx="10" cy="8.5" r="2.4"/></svg>Tangent</span>
<nav aria-label="Sections">${sections.map(({ id, link }) => html`<a href="#${id}">${link}</a>`)}</nav></div>
</header>
<main id="main">
<div class="hero">
<p class="project">${name}</p>
<h1 class="${isBad ? "bad" : "good"}">${title.long}</h1>
<p class="lead">${lead}</p>
${hero}
</div>
${sections.map(
  ({ id, heading, body }) => html`<section id="${id}" aria-labelledby="h-${id}">
<h2 id="h-${id}">${heading}</h2>
${body}
</section>
`,
)}</main>
<footer><p>Made by ${result.tool} from results of version ${result.version} on ${day(result.startedAt)}, in <code>${result.project}</code>.</p></footer>
<script>${new Html(SCRIPT)}</script>
</body>
</html>
`;
  return page.text;
}

const OWN_STYLES: { readonly [Technique in CampaignResult["technique"]]: string } = {
  amplify: "",
  patch: PATCH_STYLE,
  compose: COMPOSE_STYLE,
};

function contentOf(result: CampaignResult, readSource: ReadSource): PageContent {
  switch (result.technique) {
    case "amplify":
      return amplifyContent(result, readSource);
    case "patch":
      return patchContent(result, readSource);
    case "compose":
      return composeContent(result, readSource);
  }
}

function day(iso: string): string {
  return iso.slice(0, 16).replace("T", " at ");
}

/** Several sections look at the same file. */
function withMemory(read: ReadSource): ReadSource {
  const known = new Map<string, string | null>();
  const remembered = (file: string): string | null => {
    const before = known.get(file);
    if (before !== undefined) return before;
    const source = read(file);
    known.set(file, source);
    return source;
  };
  return Object.assign(remembered, read.tabWidth === undefined ? {} : { tabWidth: read.tabWidth });
}
