import { createHash } from 'node:crypto';
import { version } from '../base/version.js';
import type { Document } from '../document/document.js';
import { escapeHtml, htmlLine } from '../document/html.js';
import { toTheMinute } from '../output/age.js';
import type { ClientCode } from './client-code.js';
import { cleaned, packed } from './pack.js';

/** What every report begins with, by which a later one knows that it may replace the file. */
export const mark = '<!doctype html><!-- docs report ';

/**
 * A report as one page, which loads nothing: title and facts as HTML, the parts as data that the script shows.
 * @param madeAt in milliseconds since the epoch
 */
export async function pageOf(
  report: Document,
  { script, style }: ClientCode,
  madeAt: number,
): Promise<string> {
  const { title, about, missing = [], facts, parts } = cleaned(report);
  const data = await packed(parts, madeAt);
  return [
    `${mark}1 -->`,
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policyFor(script, style)}">`,
    '<meta name="referrer" content="no-referrer">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${htmlLine(title)}</title>`,
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    '<header>',
    `<h1 dir="auto">${htmlLine(title)}</h1>`,
    ...missingLines(missing),
    ...about.map((sentence) => `<p dir="auto">${htmlLine(sentence)}</p>`),
    ...factLines(facts),
    '</header>',
    '<main id="report">',
    '<noscript><p class="warning">The tables and maps of this report need JavaScript, which is off here.</p></noscript>',
    '</main>',
    `<footer><p>Made ${toTheMinute(madeAt)} by docs ${escapeHtml(version)}.</p></footer>`,
    `<script type="text/plain" id="data">${data}</script>`,
    `<script>${script}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n');
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

function missingLines(missing: readonly string[]): string[] {
  if (missing.length === 0) return [];
  const items = missing.map((sentence) => `<li dir="auto">${htmlLine(sentence)}</li>`);
  return [
    '<div class="warning" role="note">',
    '<p>This report is not complete.</p>',
    '<ul>',
    ...items,
    '</ul>',
    '</div>',
  ];
}

function factLines(facts: Document['facts']): string[] {
  if (facts.length === 0) return [];
  const lines = facts.map(
    ([label, value]) => `<div><dt>${htmlLine(label)}</dt><dd dir="auto">${htmlLine(value)}</dd></div>`,
  );
  return ['<dl>', ...lines, '</dl>'];
}
