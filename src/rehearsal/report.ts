import { type Static, Type } from '../api/type.js';
import { redactQuery, redactStrings } from '../base/redaction.js';
import { defined } from '../base/values.js';
import type { CopyRequest } from '../copy/copy.js';
import { outlooks } from '../jobs/undo.js';
import { closed, forecast, oneOf, text } from '../output/printed-shapes.js';
import { counted, grouped, safeLine } from '../output/text.js';
import { ChangedResource, changesOf, changing, isHarmless, isRefused } from './changes.js';
import type { RehearsedJob, Stage } from './stage.js';

/** What came of a rehearsal. */

/** What the caller knows of it. */
interface ReportFacts extends Pick<Rehearsed, 'command' | 'exitCode' | 'origin' | 'source' | 'watched'> {
  backup?: string | undefined;
  plan?: string | undefined;
  next?: string | undefined;
  /** Requests in a minute that the platform allows, where it told. */
  limit?: number | undefined;
  /** Requests at the beginning that are no part of the command's own. */
  asked?: number;
  nowMs: number;
}

export async function reportOf(
  stage: Stage,
  { nowMs, limit, asked = 0, ...facts }: ReportFacts,
): Promise<Rehearsed> {
  const { copy } = stage;
  const requests = copy.requests();
  const changes = changing(requests);
  const changed = await changesOf(requests, (path) => copy.look(path));
  const { command, exitCode, origin, source, watched, backup, plan, next } = facts;
  return redactStrings(
    defined({
      command,
      exitCode,
      organization: { id: copy.organization.id, title: copy.organization.title },
      origin,
      source,
      backup,
      plan,
      requests: changes.map(plain),
      changes: changed.map((one) => ({ ...one, path: redactQuery(one.path) })),
      failed: changes.filter(isRefused).map(plain),
      reads: copy.reads().map(plain),
      watched,
      // A command of docs itself goes nowhere else.
      elsewhere: (watched === 'all' ? [] : stage.elsewhere()).map(({ header: { job, command: by } }) => ({
        job,
        command: by,
      })),
      calls: callsOf(changes.length, requests.length - asked, limit),
      undo: undoOf(stage.jobs(), nowMs),
      gaps: copy.gaps(),
      next,
    }),
  ) as Rehearsed;
}

function plain({ method, path, status }: Pick<CopyRequest, 'method' | 'path' | 'status'>) {
  return { method, path: redactQuery(path), status };
}

/** The platform tells how many requests it takes until a reset, which is counted as a minute. */
function callsOf(changes: number, total: number, limit: number | undefined): Rehearsed['calls'] {
  const reads = total - changes;
  if (limit === undefined || limit <= 0) return { changes, reads, total, limit: null, seconds: null };
  return { changes, reads, total, limit, seconds: Math.floor(Math.max(0, total - 1) / limit) * 60 };
}

/** What undo could do about what the jobs of the rehearsal did, by their journals. */
function undoOf(jobs: readonly RehearsedJob[], nowMs: number): Rehearsed['undo'] {
  const items = jobs.flatMap(({ job, before }) => {
    const forecasts = outlooks(job, nowMs);
    return job.items.flatMap(({ state, change }, at) => {
      const forecast = forecasts[at];
      return state === 'ok' && forecast && !before.has(change.item)
        ? [{ ...forecast, command: job.header.command, id: change.id }]
        : [];
    });
  });
  const count = (undo: string) => items.filter((item) => item.undo === undo).length;
  const shown = items.map(({ command, id, undo, why }) => defined({ command, id, undo, why }));
  return { exact: count('exact'), 'best-effort': count('best-effort'), none: count('none'), items: shown };
}

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

/** What `--json-report` writes. */

const status = Type.Integer({ description: 'HTTP status' });

export const RehearsalShape = closed({
  command: Type.Array(text, { description: 'The rehearsed command, with its arguments' }),
  exitCode: Type.Integer({ description: 'Of the command' }),
  organization: closed({ id: text, title: text }),
  origin: Type.String({ description: 'The platform that the copy is of' }),
  source: oneOf('platform', 'backup'),
  backup: Type.Optional(Type.String({ description: 'Folder of the backup' })),
  plan: Type.Optional(Type.String({ description: 'File of the plan, which docs apply takes' })),
  requests: Type.Array(closed({ method: text, path: text, status }), {
    description: 'All requests but reads, as the copy got them, in order; a ping among them changes nothing',
  }),
  changes: Type.Array(ChangedResource, {
    description: 'Changed resources, once each: state before the first request and after the last',
  }),
  failed: Type.Array(closed({ method: text, path: text, status }), {
    description: 'Requests among them that the copy refused',
  }),
  reads: Type.Array(closed({ method: text, path: text, status }), {
    description: 'Reads from the platform; empty with --from',
  }),
  watched: oneOf('all', 'copy'),
  elsewhere: Type.Array(closed({ job: text, command: text }), {
    description:
      'Jobs that docs ran on this machine in the meantime, and not on the copy: started by a script, or by someone else',
  }),
  calls: closed({
    changes: Type.Integer(),
    reads: Type.Integer({ description: 'Reads of the command itself' }),
    total: Type.Integer({ description: 'Requests that the command sends to the platform' }),
    limit: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Requests per minute, as the platform reports; null if it does not',
    }),
    seconds: Type.Union([Type.Number(), Type.Null()], {
      description: 'Shortest time at that limit; null if unknown',
    }),
  }),
  undo: closed({
    exact: Type.Integer(),
    'best-effort': Type.Integer(),
    none: Type.Integer(),
    items: Type.Array(closed({ command: text, id: text, ...forecast })),
  }),
  gaps: Type.Array(text, { description: 'Gaps of the copy' }),
  next: Type.Optional(Type.String({ description: 'The command that makes these changes' })),
});

export type Rehearsed = Static<typeof RehearsalShape>;
