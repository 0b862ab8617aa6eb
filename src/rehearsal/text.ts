import { counted, grouped, safeLine } from '../output/text.js';
import { isHarmless } from './changes.js';
import type { Rehearsed } from './shape.js';

/** The report of a rehearsal for a person: what would happen, never more lines than a screen has. */

const mostChanges = 20;
const mostFields = 4;
const mostLines = 5;
const longestValue = 60;

const marks = { create: '+', update: '~', delete: '-', other: '*' } as const;

export function reportText(report: Rehearsed): string {
  const { changes, failed, gaps, next, exitCode, undo } = report;
  // Who only asks who owns the token has changed nothing.
  const requests = report.requests.filter((one) => !isHarmless(one));
  const lines = [
    ...headLines(report),
    `Changes sent to the copy: ${requests.length === 0 ? 'none' : byMethod(requests)}.`,
    ...limited(changes.map(changeLine), mostChanges),
    ...section(`Refused: ${failed.length}.`, failed.map(failedLine)),
    ...(requests.length === 0 ? [] : [undoLine(report, requests.length), callsLine(report.calls)]),
    ...(exitCode !== 0 && undo.items.length > 0
      ? ['The jobs of a rehearsal are gone once it has ended.']
      : []),
    ...section('Not in the copy:', gaps.map(indented)),
    ...(next === undefined ? [] : [`Next: ${safeLine(next)}`]),
  ];
  return `${lines.join('\n')}\n`;
}

function headLines(report: Rehearsed): string[] {
  const { organization, exitCode, watched, elsewhere } = report;
  const jobs = elsewhere.map(({ job, command }) => `${job} (${command})`);
  return [
    `Rehearsed on a copy of ${safeLine(organization.title)}; the command exited with ${exitCode}.`,
    sentLine(report),
    ...(watched === 'copy' ? ['Requests that the script sends to other addresses are not watched.'] : []),
    ...section('Meanwhile, docs on this machine ran jobs that are not on the copy:', jobs.map(indented)),
  ];
}

/** What the platform got, as far as it was watched: of a script, only by way of the copy. */
function sentLine({ source, backup, reads, watched }: Rehearsed): string {
  const from = `The copy is of the backup ${safeLine(backup ?? '')}`;
  if (source === 'backup')
    return watched === 'all'
      ? `${from}; the platform was sent nothing.`
      : `${from}, and sent the platform nothing.`;
  const got = `${counted(reads.length, 'read')} and no change`;
  return watched === 'all' ? `The platform got ${got}.` : `The copy sent the platform ${got}.`;
}

function indented(line: string): string {
  return `  ${safeLine(line)}`;
}

function section(head: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [head, ...limited(lines, mostLines)];
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

function changeLine(change: Rehearsed['changes'][number]): string {
  const { action, kind, operation, id, title, method, path, fields } = change;
  const what = kind ?? operation?.replace('.', ' ') ?? `${method} ${path}`;
  const name = title === undefined ? id : id === '' ? shortened(title) : `${shortened(title)} (${id})`;
  const place = change.in === undefined ? '' : ` in ${shortened(change.in)}`;
  const all = kind === undefined ? fields : withoutText(fields);
  const told = action === 'update' || isMembership(change) ? fieldsText(all) : '';
  return `  ${marks[action]} ${safeLine(`${what} ${name}${place}${told}`)}`;
}

/** Of a membership the role is all that there is to tell, also when it begins or ends. */
function isMembership({ operation, fields }: Rehearsed['changes'][number]): boolean {
  return operation?.startsWith('team-members.') === true && fields !== undefined;
}

/** The text of a page is named by an id that says nothing to a person. */
function withoutText(fields: Rehearsed['changes'][number]['fields']) {
  if (fields?.text === undefined) return fields;
  const { text: _, ...rest } = fields;
  return { text: {}, ...rest };
}

function fieldsText(fields: Rehearsed['changes'][number]['fields']): string {
  if (fields === undefined) return '';
  const all = Object.entries(fields).filter(([name]) => !unshown.has(name));
  if (all.length === 0) return ': no field that a read shows';
  const shown = all.slice(0, mostFields).map(fieldText);
  const rest = all.length - mostFields;
  return `: ${[...shown, ...(rest > 0 ? [`and ${counted(rest, 'more field')}`] : [])].join(', ')}`;
}

/** The name of the line says these. */
const unshown = new Set(['id', 'user']);

function fieldText([name, { before, after }]: [string, { before?: unknown; after?: unknown }]): string {
  if (before === undefined && after === undefined) return `${name} changed`;
  return `${name} ${valueText(before)} → ${valueText(after)}`;
}

function valueText(value: unknown): string {
  if (value === undefined || value === null) return 'none';
  return shortened(typeof value === 'string' ? value : JSON.stringify(value));
}

function shortened(text: string): string {
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
}

function failedLine({ method, path, status }: Rehearsed['failed'][number]): string {
  return `  ${safeLine(`${method} ${path}: ${status}`)}`;
}

function undoLine({ failed, undo: { exact, 'best-effort': some, none } }: Rehearsed, sent: number): string {
  if (exact + some + none === 0)
    return failed.filter((one) => !isHarmless(one)).length === sent
      ? 'Undo: nothing was changed.'
      : 'Undo: no job has these changes, so docs undo cannot undo them.';
  const parts = [
    ...(exact > 0 ? [`${exact} exactly`] : []),
    ...(some > 0 ? [`${some} as far as possible`] : []),
    ...(none > 0 ? [`${none} not at all`] : []),
  ];
  return `Undo: ${parts.join(', ')}.`;
}

function callsLine({ total, limit, seconds }: Rehearsed['calls']): string {
  const calls = `Calls of the command: ${grouped(total)}`;
  if (limit === null || seconds === null) return `${calls}; the rate limit of the platform is not known.`;
  const time = seconds === 0 ? 'under a minute' : `at least ${counted(Math.ceil(seconds / 60), 'minute')}`;
  return `${calls}, ${time} at ${counted(limit, 'request')} per minute.`;
}
