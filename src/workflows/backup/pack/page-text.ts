import type { ContentPage } from '../../../api/resources/revisions.js';

/** A page as a file of a pack: its properties as front matter, which an import reads, then its text. */
export function pageText(page: ContentPage, markdown: string): string {
  const { title, description, emoji, icon, hidden, noIndex, noRobotsIndex, layout } = page;
  const texts = Object.entries({ title, description, emoji, icon })
    .filter(([, value]) => typeof value === 'string' && value !== '')
    .map(([key, value]) => `${key}: ${quoted(String(value))}`);
  const flags = Object.entries({ hidden, noIndex, noRobotsIndex })
    .filter(([, value]) => typeof value === 'boolean')
    .map(([key, value]) => `${key}: ${value}`);
  // What is shown needs no word: it is where nothing else is said.
  const parts = Object.entries(layout ?? {}).filter(([, value]) => value === false);
  const shown = parts.length === 0 ? [] : ['layout:', ...parts.map(([key]) => `  ${key}: false`)];
  return `${['---', ...texts, ...flags, ...shown, '---'].join('\n')}\n\n${markdown}`;
}

/** A text in double quotes, as YAML and JSON have it; on one line, so that it cannot end the front matter. */
function quoted(value: string): string {
  return JSON.stringify(value).replaceAll(
    /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
