import { counted } from '../output/counted.js';
import { safeLine } from '../output/safe-text.js';
import type { Rehearsed } from './shape.js';

/** The report of a rehearsal for a person: what would happen, never more lines than a screen has. */

const mostChanges = 20;
const mostFields = 4;
const mostGaps = 5;
const longestValue = 60;

const marks = { create: '+', update: '~', delete: '-', other: '*' } as const;

export function reportText(report: Rehearsed): string {
  const { organization, source, backup, requests, changes, failed, reads, gaps, next, exitCode } = report;
  const from =
    source === 'backup'
      ? `the backup ${safeLine(backup ?? '')}; the platform was sent nothing`
      : `the platform, which got ${counted(reads.length, 'read')} and no change`;
  const lines = [
    `Rehearsed on a copy of ${safeLine(organization.title)}, from ${from}. The command exited with ${exitCode}.`,
    `Changes sent to the copy: ${requests.length === 0 ? 'none' : byMethod(requests)}.`,
    ...limited(changes.map(changeLine), mostChanges),
    ...(failed.length === 0
      ? []
      : [`Refused: ${failed.length}.`, ...limited(failed.map(failedLine), mostGaps)]),
    ...(requests.length === 0 ? [] : [undoLine(report.undo), callsLine(report.calls)]),
    ...(gaps.length === 0
      ? []
      : [
          'Not in the copy:',
          ...limited(
            gaps.map((gap) => `  ${safeLine(gap)}`),
            mostGaps,
          ),
        ]),
    ...(next === undefined ? [] : [`Next: ${safeLine(next)}`]),
  ];
  return `${lines.join('\n')}\n`;
}

function byMethod(requests: Rehearsed['requests']): string {
  const counts = new Map<string, number>();
  for (const { method } of requests) counts.set(method, (counts.get(method) ?? 0) + 1);
  const kinds = [...counts].map(([method, count]) => `${count} ${method}`);
  return `${counted(requests.length, 'request')} (${kinds.join(', ')})`;
}

function limited(lines: readonly string[], most: number): string[] {
  const rest = lines.length - most;
  return rest > 0 ? [...lines.slice(0, most), `  and ${rest} more`] : [...lines];
}

function changeLine({
  action,
  operation,
  id,
  title,
  method,
  path,
  fields,
}: Rehearsed['changes'][number]): string {
  const what = operation?.replace('.', ' ') ?? `${method} ${path}`;
  const name = title === undefined ? id : id === '' ? title : `${title} (${id})`;
  const told = action === 'update' ? fieldsText(fields) : '';
  return `  ${marks[action]} ${safeLine(`${what} ${name}${told}`)}`;
}

function fieldsText(fields: Rehearsed['changes'][number]['fields']): string {
  if (fields === undefined) return '';
  const all = Object.entries(fields);
  if (all.length === 0) return ': no field that a read shows';
  const shown = all
    .slice(0, mostFields)
    .map(([name, { before, after }]) => `${name} ${valueText(before)} → ${valueText(after)}`);
  const rest = all.length - mostFields;
  return `: ${[...shown, ...(rest > 0 ? [`and ${counted(rest, 'more field')}`] : [])].join(', ')}`;
}

function valueText(value: unknown): string {
  if (value === undefined || value === null) return 'none';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
}

function failedLine({ method, path, status }: Rehearsed['failed'][number]): string {
  return `  ${safeLine(`${method} ${path}: ${status}`)}`;
}

function undoLine({ exact, 'best-effort': some, none }: Rehearsed['undo']): string {
  if (exact + some + none === 0) return 'Undo: nothing was journaled, so undo could do nothing.';
  const parts = [
    ...(exact > 0 ? [`${exact} exactly`] : []),
    ...(some > 0 ? [`${some} as far as possible`] : []),
    ...(none > 0 ? [`${none} not at all`] : []),
  ];
  return `Undo: ${parts.join(', ')}.`;
}

function callsLine({ total, limit, seconds }: Rehearsed['calls']): string {
  const calls = `The command makes ${counted(total, 'call')}`;
  if (limit === null || seconds === null) return `${calls}; the platform's rate limit is not known.`;
  const time =
    seconds === 0 ? 'within one minute' : `over at least ${counted(Math.ceil(seconds / 60), 'minute')}`;
  return `${calls}, which fit into its rate limit (${counted(limit, 'request')}) ${time}.`;
}
