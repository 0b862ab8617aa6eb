import type { ContentPage } from '../../../api/resources/content.js';

/**
 * A page as a file of a pack: its properties as front matter, which an import reads, then its text.
 * @param markdown as the platform writes it: begins with the title as a heading
 */
export function pageText(page: ContentPage, markdown: string): string {
  const { id, slug, description, emoji, icon, hidden, noIndex, noRobotsIndex, layout } = page;
  // Without a title, an import would take a heading of the text for one.
  const title = page.title.trim() || slug || id;
  const texts = Object.entries({ title, description, emoji, icon })
    .filter(([, value]) => typeof value === 'string' && value !== '')
    .map(([key, value]) => `${key}: ${quoted(String(value))}`);
  const flags = Object.entries({ hidden, noIndex, noRobotsIndex })
    .filter(([, value]) => typeof value === 'boolean')
    .map(([key, value]) => `${key}: ${value}`);
  // What is shown needs no word: it is where nothing else is said.
  const parts = Object.entries(layout ?? {}).filter(([, value]) => value === false);
  const shown = parts.length === 0 ? [] : ['layout:', ...parts.map(([key]) => `  ${key}: false`)];
  return `${['---', ...texts, ...flags, ...shown, '---'].join('\n')}\n\n${withoutTitle(page.title, markdown)}`;
}

/** Twice the title would be a heading of its own. */
function withoutTitle(title: string, markdown: string): string {
  const heading = `# ${title}`;
  if (markdown.trimEnd() === heading.trimEnd()) return '';
  if (markdown.startsWith(`${heading}\n`)) return markdown.slice(heading.length).replace(/^\n+/, '');
  const [line, escaped = ''] = /^# ([^\n]*)\n+/.exec(markdown) ?? [''];
  const isTitle = escaped !== '' && escaped.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1').trim() === title.trim();
  return isTitle ? markdown.slice(line.length) : markdown;
}

/** A text in double quotes, as YAML and JSON have it; on one line, so that it cannot end the front matter. */
function quoted(value: string): string {
  return JSON.stringify(value).replaceAll(
    /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
