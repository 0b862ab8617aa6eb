import type { Seen } from '../../access/adaptive/seen.js';
import type { Session } from '../../cli/declare/session.js';
import { safeLine } from '../../output/safe-text.js';
import { wrap } from '../../output/text-width.js';
import type { SchemaRow } from './schema-row.js';

/** Adaptive schemas as people read them on a terminal. */

/** Whether a person reads it: on a terminal, unless a format was asked for. */
export function wantsText({ io, settings, globals }: Session): boolean {
  return io.stdout.isTTY === true && (settings.output ?? settings.fields ?? globals.jq) === undefined;
}

export function widthOf({ io }: Session): number {
  return io.stdout.columns || Number(io.env.COLUMNS) || 80;
}

const marks: Readonly<Record<SchemaRow['status'], string>> = {
  ...{ added: '+', removed: '-', moved: '~', narrowed: '~', widened: '~', changed: '~' },
  ...{ breaks: '✗', unknown: '?' },
};

/** The claims, then each condition that breaks, with the place where it is. */
export function diffText(rows: readonly SchemaRow[], columns: number): string {
  const lines = rows.flatMap(({ status, kind, claims, title, path, condition, why, id }) => {
    if (kind === 'claim') return hanging(`${marks[status]} `, `${claims.join(', ')} ${why}`, columns);
    const name = `${kind === 'section' ? 'Section' : 'Site space'} ${title} (${id}) at ${path}`;
    return [
      '',
      ...hanging(`${marks[status]} `, name, columns),
      ...hanging('    ', String(condition), columns),
      ...hanging('    ', `${status === 'breaks' ? 'Breaks' : 'Unknown'}: ${why}.`, columns),
    ];
  });
  return `${lines.join('\n')}\n`;
}

const results: Readonly<Record<Seen['result'], string>> = { shown: '✓', hidden: '✗', unknown: '?' };

/** The site as a visitor sees it: a line for each part, its condition beside or below it. */
export function seenText(rows: readonly Seen[], columns: number): string {
  const lines = rows.flatMap(({ result, kind, title, path, condition, why, default: isDefault, depth }) => {
    const indent = '  '.repeat(depth);
    const what = [
      kind === 'section-group' ? `${title} (group)` : title,
      ...(path === undefined ? [] : [`/${path.replace(/^\/+/, '')}`]),
      ...(isDefault === true ? ['(default)'] : []),
    ].join('  ');
    return [
      ...hanging(`${indent}${results[result]} `, what, columns),
      ...(condition === undefined ? [] : hanging(`${indent}    if `, condition, columns)),
      ...(why === undefined ? [] : hanging(`${indent}    `, `${sentence(why)}.`, columns)),
    ];
  });
  return `${lines.join('\n')}\n`;
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Columns that a text gets at least. */
const least = 24;

function hanging(first: string, text: string, columns: number): string[] {
  const [line = '', ...more] = wrap(safeLine(text), Math.max(least, columns - first.length));
  return [`${first}${line}`, ...more.map((rest) => ' '.repeat(first.length) + rest)];
}
