import type { Seen } from '../../access/adaptive/seen.js';
import type { Look } from '../../cli/run/for-reading.js';
import { type Painter, plain } from '../../output/colors.js';
import { safeLine } from '../../output/safe-text.js';
import { wrap } from '../../output/text-width.js';
import type { SchemaRow } from './schema-row.js';

/** Adaptive schemas as people read them on a terminal. */

type Mark = readonly [string, keyof Look];

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
export function diffText(rows: readonly SchemaRow[], columns: number, look: Look): string {
  const lines = rows.flatMap(({ status, kind, claims, title, path, condition, why, id }) => {
    const [mark, tone] = marks[status];
    const first = { text: `${mark} `, paint: look[tone] };
    if (kind === 'claim') return hanging(first, `${claims.join(', ')} ${why}`, columns, look[tone]);
    const name = `${kind === 'section' ? 'Section' : 'Site space'} ${title} (${id}) at ${path}`;
    return [
      '',
      ...hanging(first, name, columns, look.strong),
      ...hanging(indented, String(condition), columns),
      ...hanging(indented, `${reasons[status]}: ${why}.`, columns, look[tone]),
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
export function seenText(rows: readonly Seen[], columns: number, look: Look): string {
  const lines = rows.flatMap(({ result, kind, title, path, condition, why, default: isDefault, depth }) => {
    const indent = '  '.repeat(depth);
    const [mark, tone] = results[result];
    const what = [
      kind === 'section-group' ? `${title} (group)` : title,
      ...(path === undefined ? [] : [`/${path.replace(/^\/+/, '')}`]),
      ...(isDefault === true ? ['(default)'] : []),
    ].join('  ');
    const below = (text: string) => ({ text: `${indent}    ${text}`, paint: look.quiet });
    return [
      ...hanging({ text: `${indent}${mark} `, paint: look[tone] }, what, columns),
      ...(condition === undefined ? [] : hanging(below('if '), condition, columns, look.quiet)),
      ...(why === undefined ? [] : hanging(below(''), `${sentence(why)}.`, columns, look.quiet)),
    ];
  });
  return `${lines.join('\n')}\n`;
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Columns that a text gets at least. */
const least = 24;

/** What stands before the first line of a text. */
interface Lead {
  text: string;
  paint: Painter;
}

const indented: Lead = { text: '    ', paint: plain };

function hanging(lead: Lead, text: string, columns: number, paint: Painter = plain): string[] {
  const [line = '', ...more] = wrap(safeLine(text), Math.max(least, columns - lead.text.length));
  const indent = ' '.repeat(lead.text.length);
  return [lead.paint(lead.text) + paint(line), ...more.map((rest) => indent + paint(rest))];
}
