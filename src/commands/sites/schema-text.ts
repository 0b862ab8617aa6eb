import { hanging } from '../../document/terminal.js';
import type { Palette } from '../../output/colors.js';
import { safeLine } from '../../output/text.js';
import type { Seen } from './evaluate.js';
import type { SchemaRow } from './schema-row.js';

/** Adaptive schemas as people read them on a terminal. */

/** Columns that a text gets at least. */
const least = 24;
const inset = '    ';

type Mark = readonly [string, keyof Palette];

const marks: Readonly<Record<SchemaRow['status'], Mark>> = {
  added: ['+', 'good'],
  removed: ['-', 'bad'],
  moved: ['~', 'warn'],
  narrowed: ['~', 'warn'],
  widened: ['~', 'good'],
  changed: ['~', 'warn'],
  breaks: ['✗', 'bad'],
  unknown: ['?', 'warn'],
  broken: ['!', 'warn'],
};
const reasons: Partial<Record<SchemaRow['status'], string>> = {
  breaks: 'Breaks',
  unknown: 'Unknown',
  broken: 'Broken already',
};

/** The claims, then each condition that breaks, with the place where it is. */
export function diffText(rows: readonly SchemaRow[], columns: number, palette: Palette): string {
  const lines = rows.flatMap(({ status, kind, claims, title, path, condition, why, id }) => {
    const [mark, tone] = marks[status];
    const paint = palette[tone];
    const hung = (lead: string, text: string, look = {}) =>
      hanging(lead, safeLine(text), columns, { least, ...look });
    if (kind === 'claim') return hung(`${mark} `, `${claims.join(', ')} ${why}`, { mark: paint, paint });
    const name = `${kind === 'section' ? 'Section' : 'Site space'} ${title} (${id}) at ${path}`;
    return [
      '',
      ...hung(`${mark} `, name, { mark: paint, paint: palette.strong }),
      ...hung(inset, String(condition)),
      ...hung(inset, `${reasons[status]}: ${why}.`, { paint }),
    ];
  });
  return `${lines.join('\n')}\n`;
}

const results: Readonly<Record<Seen['result'], Mark>> = {
  shown: ['✓', 'good'],
  hidden: ['✗', 'bad'],
  unknown: ['?', 'warn'],
};

/** The site as a visitor sees it: a line for each part, its condition beside or below it. */
export function seenText(rows: readonly Seen[], columns: number, palette: Palette): string {
  const lines = rows.flatMap(({ result, kind, title, path, condition, why, default: isDefault, depth }) => {
    const indent = '  '.repeat(depth);
    const [mark, tone] = results[result];
    const what = [
      kind === 'section-group' ? `${title} (group)` : title,
      ...(path === undefined ? [] : [`/${path.replace(/^\/+/, '')}`]),
      ...(isDefault === true ? ['(default)'] : []),
    ].join('  ');
    const quiet = { least, mark: palette.quiet, paint: palette.quiet };
    const below = (word: string, text: string) =>
      hanging(`${indent}    ${word}`, safeLine(text), columns, quiet);
    return [
      ...hanging(`${indent}${mark} `, safeLine(what), columns, { least, mark: palette[tone] }),
      ...(condition === undefined ? [] : below('if ', condition)),
      ...(why === undefined ? [] : below('', `${sentence(why)}.`)),
    ];
  });
  return `${lines.join('\n')}\n`;
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
