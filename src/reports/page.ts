import { createHash } from 'node:crypto';
import { mapStrings, redactText } from '../base/redaction.js';
import { version } from '../base/version.js';
import {
  type Document,
  type DocumentPart,
  inOrder,
  type Labelled,
  type LadderPart,
  mostNeeds,
  type Need,
  type PagePart,
  severityWords,
  type TilesPart,
} from '../document/document.js';
import { Html, type HtmlPart, html } from '../document/html.js';
import { grouped, safeLine, safeText, toTheMinute } from '../output/text.js';
import { changesHtml } from './changes.js';
import type { ClientCode } from './client-code.js';
import { gridHtml, hasPairs } from './grid.js';
import { barHtml, command, type DrawnPart, idsOf, type Moment } from './markup.js';
import { graphHtml } from './matrix.js';
import { packHeats } from './pack-heats.js';
import { tableHtml } from './rows.js';
import { treeHtml } from './tree.js';

/** What every report begins with, by which a later one knows that it may replace the file. */
export const mark = '<!doctype html><!-- docs report ';

interface Drawn extends DrawnPart {
  part: PagePart;
  id: string;
}

/**
 * A report as one page, which loads nothing: its answer, what asks for the reader, and the parts, all of it HTML that is whole
 * without a script and on paper. The script filters, sorts, copies, and keeps what is shown in the address.
 * @param madeAt in milliseconds since the epoch, by the clock of the platform: ages are counted from it
 */
export async function pageOf(
  report: Document<DocumentPart>,
  { script, style }: ClientCode,
  madeAt: number,
): Promise<string> {
  const cleaned = mapStrings(report, (text) => safeText(redactText(text))) as Document<DocumentPart>;
  const parts = cleaned.parts.filter(isDrawn);
  const ids = idsOf(
    parts.map(({ title }) => title),
    new Set(['report', 'data', 'needs', 'top']),
  );
  const drawn = parts.map((part, at): Drawn => {
    const id = ids[at] ?? '';
    return { ...drawPart(part, id, { nowMs: madeAt }), part, id };
  });
  const css = style + drawn.map(({ css: own = '' }) => own).join('');
  const data = await packHeats(parts.filter((part) => part.kind === 'heat').filter(hasPairs));
  return html`${new Html(`${mark}1 -->`)}
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyFor(script, css)}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${safeLine(cleaned.title)}</title>
<style>${new Html(css)}</style>
</head>
<body>
${headHtml(cleaned)}
<main id="report">
${needsHtml(cleaned.needs, drawn)}
${contentsHtml(drawn)}
${drawn.map(sectionHtml)}</main>
<footer><p>Made ${toTheMinute(madeAt)} by docs ${version}.</p></footer>
${data !== undefined && html`<script type="text/plain" id="data">${data}</script>`}
<script>${new Html(script)}</script>
</body>
</html>
`.text;
}

function isDrawn(part: DocumentPart): part is PagePart {
  return part.kind !== 'facts';
}

function drawPart(part: PagePart, id: string, moment: Moment): DrawnPart {
  switch (part.kind) {
    case 'table':
      return tableHtml(part, id, moment);
    case 'tree':
      return treeHtml(part, id, moment);
    case 'heat':
      return gridHtml(part, id);
    case 'graph':
      return graphHtml(part, id, moment);
    case 'changes':
      return changesHtml(part, id);
    case 'bar':
      return { body: barHtml(part.title, part.segments) };
    case 'tiles':
      return { body: tilesHtml(part) };
    case 'ladder':
      return { body: ladderHtml(part) };
  }
}

function headHtml({
  title,
  headline,
  about = [],
  missing = [],
  facts = [],
  parts,
}: Document<DocumentPart>): Html {
  const all: Labelled[] = [
    ...facts,
    ...parts.flatMap((part) =>
      part.kind === 'facts' ? part.items.map(({ label, value }) => [label, value] as const) : [],
    ),
  ];
  const lines = all.map(
    ([label, value]) => html`<div><dt>${safeLine(label)}</dt><dd dir="auto">${safeLine(value)}</dd></div>`,
  );
  return html`<header id="top">
${lines.length > 0 && html`<dl>${lines}</dl>`}
${headline !== undefined && html`<p class="title" dir="auto">${safeLine(title)}</p>`}
<h1 dir="auto">${safeLine(headline ?? title)}</h1>
${missing.length > 0 && html`<div class="warning" role="note"><p>This report is not complete.</p><ul>${missing.map((line) => html`<li dir="auto">${safeLine(line)}</li>`)}</ul></div>`}
${about.map((sentence) => html`<p dir="auto">${safeLine(sentence)}</p>\n`)}</header>`;
}

function needsHtml(needs: readonly Need[] | undefined, drawn: readonly Drawn[]): HtmlPart {
  if (needs === undefined) return undefined;
  if (needs.length === 0) return html`<p class="calm">Nothing needs you.</p>`;
  const lines = inOrder(needs)
    .slice(0, mostNeeds)
    .map(({ severity, text, command: mends, part }) => {
      const place = drawn.find((one) => one.part.title === part);
      const link = place !== undefined && html` <a href="#${place.id}">${place.part.title}</a>`;
      return html`<li class="${severity}"><b class="sev ${severity}">${severityWords[severity]}</b><span class="what"><span dir="auto">${safeLine(text)}</span>${link}</span>${mends !== undefined && command(mends)}</li>\n`;
    });
  const more = needs.length - lines.length;
  return html`<section id="needs" aria-labelledby="needs-title"><h2 id="needs-title">Needs you <span class="count">${grouped(needs.length)}</span></h2>
<ul class="needs">${lines}</ul>${more > 0 && html`<p class="soft">And ${grouped(more)} more, below.</p>`}</section>`;
}

function contentsHtml(drawn: readonly Drawn[]): HtmlPart {
  if (drawn.length < 2) return undefined;
  const links = drawn.map(
    ({ part, id }) => html`<li><a href="#${id}" dir="auto">${safeLine(part.title)}</a></li>`,
  );
  return html`<nav class="contents" aria-label="Contents"><ul>${links}</ul></nav>`;
}

function sectionHtml({ part, id, body, count }: Drawn): Html {
  const { title, note } = part;
  return html`<section id="${id}" class="part" data-part="${part.kind}" aria-labelledby="${id}-title">
<h2 id="${id}-title"><span dir="auto">${safeLine(title)}</span> ${count !== undefined && html`<span class="count">${count}</span>`}</h2>
${note !== undefined && html`<p class="note" dir="auto">${safeLine(note)}</p>`}
${body}
</section>
`;
}

function tilesHtml({ tiles, leads }: TilesPart): Html {
  return html`<ul class="tiles${leads && html` flow`}">${tiles.map(({ label, value, tone }) => html`<li class="${tone ?? ''}"><b>${safeLine(value)}</b> <span>${safeLine(label)}</span></li>`)}</ul>`;
}

/** Steps in the order of precedence, and what comes of them. */
function ladderHtml({ steps, verdict }: LadderPart): Html {
  const lines = steps.map(
    ({ name, value, why, decides }) =>
      html`<li class="row"><b class="mark mod">${decides && html`<span aria-hidden="true">→</span>`}</b><span class="t">${decides && html`<span class="sr">decides: </span>`}<bdi>${safeLine(name)}</bdi></span><span class="f"><b>${safeLine(value)}</b> <span class="soft" dir="auto">${safeLine(why)}</span></span></li>\n`,
  );
  return html`<ol class="list">${lines}</ol><p><b>${safeLine(verdict)}</b></p>`;
}

/** Nothing is loaded, sent or run but this script and this style. */
function policyFor(script: string, style: string): string {
  return [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
