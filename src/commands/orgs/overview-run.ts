import { shellWord } from '../../base/shell-word.js';
import { defined } from '../../base/values.js';
import { atPlace } from '../../cli/declare/global-flags.js';
import { originOf } from '../../cli/run/origin.js';
import { firstLines } from '../../cli/run/output.js';
import { platformName } from '../../cli/run/report-page.js';
import type { Fact, Report, ReportEnding, ReportRequest, Session } from '../../cli/run/run-report.js';
import {
  type BarPart,
  type Cell,
  type Columns,
  type Document,
  type Need,
  type TablePart,
  type TerminalPart,
  type TilesPart,
  tablePart,
} from '../../document/document.js';
import { fieldPaths } from '../../output/printed-shapes.js';
import { age, counted, grouped } from '../../output/text.js';
import { findCredential } from '../../settings/credentials.js';
import { notAllRead } from '../../snapshot/unread.js';
import { treePart } from './map-report.js';
import { mapOf, rowsOf } from './map-tree.js';
import { type Earlier, earlierOf, localFacts, readPlatform } from './overview-read.js';
import { certificateDays, type Missing, Overview, type OverviewPart, parts } from './shapes.js';

/** The overview in words: a line for each part, with the command that shows more. */

/** `never`: no run of this machine is recorded. */
const lineStates = ['ok', 'attention', 'never', 'unknown'] as const;

interface Line {
  /** As in the JSON; `stale` is a line of its own. */
  part: OverviewPart | 'stale';
  label: string;
  state: (typeof lineStates)[number];
  value: string;
  /** The same beside a bar, which shows its parts. */
  brief?: string;
  command: string;
}

type LineWords = Pick<Line, 'state' | 'value' | 'brief' | 'command'>;

/** Names in a line at most; of more, only the number. */
const mostNames = 3;

interface LineContext {
  organization: string;
  missing: readonly Missing[];
  nowMs: number;
  platform: NodeJS.Platform;
}

/** What was read of a part. */
type FactsOf<P extends OverviewPart> = NonNullable<Overview[P]>;

export function linesOf(overview: Overview, context: LineContext): Line[] {
  const line = <P extends OverviewPart>(
    part: P,
    label: string,
    command: string,
    say: (facts: FactsOf<P>) => Partial<LineWords>,
  ): Line => {
    const facts = overview[part] as FactsOf<P> | null;
    if (facts !== null) return { part, label, state: 'ok', value: '', command, ...say(facts) };
    return { part, label, state: 'unknown', value: `unknown (${whyNot(part, context.missing)})`, command };
  };
  const organization = shellWord(context.organization, context.platform);
  return [
    line('organization', 'Organization', `docs orgs get ${organization}`, ({ id, title, plan }) => ({
      value: `${title} (${id})${plan === null ? '' : `, plan ${plan}`}`,
    })),
    line('members', 'Members', 'docs members list', ({ total, roles }) => ({
      value: withParts(grouped(total), roles),
      brief: grouped(total),
    })),
    line('spaces', 'Spaces', 'docs spaces list', ({ total, published, visibility, atLeast }) => {
      const brief = `${least(atLeast)}${grouped(total)}, ${grouped(published)} published`;
      return { state: stateOf(atLeast), value: withParts(brief, visibility), brief };
    }),
    line('sites', 'Sites', 'docs sites list', ({ total, published }) => ({
      value: `${grouped(total)}, ${grouped(published)} published`,
    })),
    line('changeRequests', 'Change requests', 'docs cr list --all-spaces', ({ open, atLeast }) => ({
      state: stateOf(atLeast),
      value: `${least(atLeast)}${grouped(open)} open`,
    })),
    { ...line('changeRequests', 'Stale', 'docs cr stale --list', staleWords), part: 'stale' },
    linksLine(overview, context),
    line('openapi', 'OpenAPI specs', 'docs openapi list', specWords),
    line('saml', 'Certificates', 'docs sso readiness', certificateWords),
    backupLine(overview, context),
    line('jobs', 'Jobs', 'docs jobs list', (jobs) => jobWords(jobs, context.nowMs)),
  ];
}

/** `403`, or what else kept it from being read. */
function whyNot(part: OverviewPart, missing: readonly Missing[]): string {
  const error =
    missing.find((one) => one.part === part)?.error ?? missing.find((one) => one.part === 'spaces')?.error;
  return String(error?.failure.status ?? error?.kind ?? 'not read');
}

function least(atLeast: boolean): string {
  return atLeast ? 'at least ' : '';
}

/** Of a number that may be too small nothing follows. */
function stateOf(atLeast: boolean): Line['state'] {
  return atLeast ? 'unknown' : 'ok';
}

function withParts(total: string, parts: Readonly<Record<string, number>>): string {
  const words = Object.entries(parts).map(([name, count]) => `${grouped(count)} ${name}`);
  return words.length === 0 ? total : `${total}: ${words.join(', ')}`;
}

function listed(names: readonly string[]): string {
  const more = names.length - mostNames;
  return `${names.slice(0, mostNames).join(', ')}${more > 0 ? ` and ${grouped(more)} more` : ''}`;
}

function staleWords({ stale, staleDays: days, atLeast }: FactsOf<'changeRequests'>): Partial<LineWords> {
  return {
    state: stale > 0 ? 'attention' : stateOf(atLeast),
    value: `${least(atLeast)}${grouped(stale)} without activity for ${days} days, or warned`,
  };
}

function specWords({ total, failed }: FactsOf<'openapi'>): Partial<LineWords> {
  if (failed.length === 0) return { value: `${grouped(total)}, none failed` };
  const names = failed.map(({ slug, error }) => `${slug} (${error ?? 'failed'})`);
  return {
    state: 'attention',
    value: `${grouped(total)}, ${grouped(failed.length)} failed: ${listed(names)}`,
  };
}

type Certificate = FactsOf<'saml'>['certificates'][number];

function certificateWords({ total, certificates }: FactsOf<'saml'>): Partial<LineWords> {
  const providers = counted(total, 'provider');
  if (total === 0) return { value: 'no SAML providers' };
  if (certificates.length === 0)
    return { value: `${providers}, none expires within ${certificateDays} days` };
  const urgent = certificates.toSorted((one, other) => (one.days ?? -1) - (other.days ?? -1));
  return { state: 'attention', value: `${providers}; ${listed(urgent.map(certificateState))}` };
}

function certificateState({ label, certificate, expiresAt = '', days = 0 }: Certificate): string {
  const words: Record<Certificate['certificate'], string> = {
    'expires-soon': `${label} expires ${days === 0 ? 'today' : `in ${counted(days, 'day')}`}`,
    expired: `${label} expired on ${expiresAt.slice(0, 10)}`,
    'not-yet-valid': `${label} is not valid yet`,
    unreadable: `${label} is unreadable`,
    missing: `${label} has none`,
  };
  return words[certificate];
}

function linksLine({ links }: Overview, { missing, nowMs }: LineContext): Line {
  const base = { part: 'links', label: 'Broken links', command: 'docs links check' } as const;
  if (links === null) return { ...base, ...notKnown('links', missing, 'never checked on this machine') };
  const { checkedAt, broken, spaces, of, unread } = links;
  const where = spaces === of ? counted(spaces, 'space') : `${grouped(spaces)} of ${counted(of, 'space')}`;
  const rest = unread === 0 ? '' : `; ${grouped(unread)} not read`;
  const value = `${broken === 0 ? 'none' : grouped(broken)} in ${where}, checked ${age(checkedAt, nowMs)}${rest}`;
  return { ...base, state: broken > 0 || unread > 0 ? 'attention' : 'ok', value };
}

function backupLine({ backup }: Overview, { missing, nowMs, platform }: LineContext): Line {
  const base = { part: 'backup', label: 'Last backup' } as const;
  if (backup === null)
    return {
      ...base,
      command: 'docs backup run --out backup',
      ...notKnown('backup', missing, 'never run on this machine'),
    };
  const { finishedAt, folder, folderExists, state, failed } = backup;
  const rest = failed === 0 ? '' : ` (${grouped(failed)} not read)`;
  const when = `${state}${rest}, ${age(finishedAt, nowMs)}`;
  if (!folderExists) {
    const command = `docs backup run --out ${shellWord(folder, platform)}`;
    return { ...base, state: 'attention', value: `${when}, but no backup is in ${folder} any more`, command };
  }
  const command = `docs backup status ${shellWord(folder, platform)}`;
  return { ...base, state: state === 'whole' ? 'ok' : 'attention', value: when, command };
}

function notKnown(
  part: OverviewPart,
  missing: readonly Missing[],
  never: string,
): Pick<Line, 'state' | 'value'> {
  if (!missing.some((one) => one.part === part)) return { state: 'never', value: never };
  return { state: 'unknown', value: `unknown (${whyNot(part, missing)})` };
}

function jobWords({ total, unfinished, last }: FactsOf<'jobs'>, nowMs: number): Partial<LineWords> {
  const [first] = last;
  if (first === undefined) return { value: 'none in the last 90 days' };
  const of = `${grouped(total)} in the last 90 days`;
  if (unfinished === 0)
    return { value: `${of}, the last ${age(first.at, nowMs)}: ${first.command} (${first.state})` };
  const names = last.slice(0, unfinished).map(({ id, command, state }) => `${id} ${command} (${state})`);
  const more = unfinished > mostNames ? ` and ${grouped(unfinished - mostNames)} more` : '';
  return {
    state: 'attention',
    value: `${of}, ${grouped(unfinished)} unfinished: ${names.slice(0, mostNames).join(', ')}${more}`,
  };
}

/** `docs overview`: one object for programs, a row per line in a pipe, a text on a terminal. */

interface OverviewRead {
  overview: Overview;
  missing: readonly Missing[];
  lines: readonly Line[];
  /** What the page draws. */
  found: Awaited<ReturnType<typeof readPlatform>>['found'];
}

/** Partial `not_all_read` (exit 3) where something could not be read. */
export const overviewReport: Report<OverviewRead> = {
  async read(asked) {
    const { session } = asked;
    const { overview, missing, organization, found } = await read(asked);
    const { now, platform } = session.io;
    const lines = linesOf(overview, { organization, missing, nowMs: now(), platform });
    return {
      overview,
      missing,
      found,
      lines: lines.map((line) => ({ ...line, command: here(session, line.command) })),
    };
  },
  document: ({ lines }) => ({
    title: '',
    parts: [{ kind: 'facts', items: lines.map(factOf) }],
  }),
  page: (value, { session }) => overviewPage(value, session),
  drawn: (value, { session }) => overviewDrawn(value, session),
  rows: ({ lines }) => lines.map(({ label: _, brief: __, ...row }) => row),
  rowView: {
    columns: [
      { path: 'part', keep: true },
      { path: 'state', as: 'state', keep: true },
      { path: 'value' },
      { path: 'command' },
    ],
    fields: ['part', 'state', 'value', 'command'],
    id: 'part',
  },
  value: ({ overview }) => overview,
  valueView: { columns: [], ...fieldPaths(Overview) },
  end: ({ missing }) => endOf(missing),
};

/** @returns organization its id, which the platform may not have told */
async function read({ session, progress, ...asked }: ReportRequest) {
  const { io, settings } = session;
  const reading = await asked.reading();
  const nowMs = () => reading.client.platformNowMs ?? io.now();
  const owner = (await findCredential(io, settings))?.member?.id;
  const platform = await progress('Reading the organization', () => readPlatform(reading, { nowMs, owner }));
  const local = localFacts(io, { origin: originOf(session), organization: reading.organizationId });
  const missing = [...platform.missing, ...local.missing].toSorted(
    (one, other) => parts.indexOf(one.part) - parts.indexOf(other.part),
  );
  const unread = missing.map(({ part, what, error: { code, failure } }) =>
    defined({ part, what, code, status: failure.status }),
  );
  const { openapi, saml, ...first } = platform.facts;
  const { links, ...last } = local.facts;
  const facts = { ...first, links, openapi, saml, ...last };
  const overview: Overview = { ...facts, unread };
  return { overview, missing, organization: reading.organizationId, found: platform.found };
}

/** The command as it has to be typed after this one: on the same platform, in the same organization. */
function here({ globals, settings, io }: Session, command: string): string {
  const { profile, baseUrl, policy, sandbox } = globals;
  const placed = atPlace(command, defined({ profile, baseUrl, policy, sandbox }), io.platform);
  const ofOrg = !/^docs (orgs get|backup status|jobs) ?/.test(command);
  if (settings.org?.source !== 'flag' || !ofOrg) return placed;
  return `${placed} --org ${shellWord(settings.org.value, io.platform)}`;
}

const tones: Partial<Record<Line['state'], NonNullable<Fact['tone']>>> = {
  attention: 'warn',
  unknown: 'warn',
  never: 'quiet',
};

function factOf({ label, value, command, state }: Line): Fact {
  return { label, value, beside: command, tone: tones[state] };
}

/** For whoever answers for the organization: what needs attention, its numbers, and who can do and see what. */
async function overviewPage(
  { overview, missing, lines, found }: OverviewRead,
  session: Session,
): Promise<Document> {
  const { organization, members, spaces } = overview;
  const title = organization?.title ?? 'The organization';
  const needs = lines.flatMap(needOf);
  const bars = [
    ...(members === null ? [] : [barOf('Who can do what', members.roles)]),
    ...(spaces === null ? [] : [barOf('Who can see what', spaces.visibility)]),
  ];
  const earlier = await earlierOf(session.io, overview.backup?.folder);
  const spacesOnly = mapOf(found, new Set(['spaces'] as const));
  return {
    title: `Overview of ${title}`,
    headline:
      needs.length === 0
        ? `${title}: nothing needs you`
        : `${title}: ${counted(needs.length, 'thing needs', 'things need')} you`,
    needs,
    missing: missing.map(({ what }) => `Not read: ${what}`),
    facts: [
      ['Organization', organization === null ? title : `${title} (${organization.id})`],
      ['Platform', platformName(originOf(session))],
    ],
    parts: [
      { kind: 'tiles', title: 'At a glance', tiles: tilesOf(overview, earlier) },
      ...bars,
      { ...treePart([...rowsOf(spacesOnly)]), title: 'Spaces by last change' },
      ...(earlier === undefined || earlier.runs.length < 2 ? [] : [backupsPart(earlier)]),
      tablePart(
        'All lines',
        { Part: 'text', State: 'state', Value: 'text' },
        {
          rows: lines.map(({ label, state, value }) => [label, state, value]),
          empty: '',
          marks: lines.map(({ command }) => ({ command })),
        },
      ),
    ],
  };
}

/** The same on a terminal: in place of the map and the table, a line for each thing that is as it should be. */
async function overviewDrawn(value: OverviewRead, session: Session): Promise<Document<TerminalPart>> {
  const { parts, ...page } = await overviewPage(value, session);
  const others = value.lines.filter(({ state }) => state !== 'attention');
  return {
    ...page,
    parts: [
      ...parts.flatMap((part) => (part.kind === 'tiles' || part.kind === 'bar' ? [part] : [])),
      { kind: 'facts', items: others.map((line) => factOf({ ...line, value: line.brief ?? line.value })) },
    ],
  };
}

/** An expired certificate locks people out; the rest waits. */
function needOf({ label, state, value, command }: Line): Need[] {
  if (state !== 'attention') return [];
  return [{ severity: 'attention', text: `${label}: ${value}`, command }];
}

function tilesOf(
  { members, spaces, sites, changeRequests, links, backup }: Overview,
  earlier: Earlier | undefined,
): TilesPart['tiles'] {
  const since = (total: number | undefined, counted: string) => trendOf(total, counted, earlier);
  const unknown = 'unknown';
  const count = (total: number | undefined) => (total === undefined ? unknown : grouped(total));
  const open = changeRequests?.open;
  return [
    { label: `people${since(members?.total, 'members')}`, value: count(members?.total) },
    {
      label:
        spaces === null
          ? 'spaces'
          : `spaces, ${grouped(spaces.published)} published${since(spaces.total, 'spaces')}`,
      value: count(spaces?.total),
    },
    {
      label:
        sites === null
          ? 'sites'
          : `sites, ${grouped(sites.published)} published${since(sites.total, 'sites')}`,
      value: count(sites?.total),
    },
    {
      label: 'open change requests',
      value: count(open),
      tone: (changeRequests?.stale ?? 0) > 0 ? 'warn' : undefined,
    },
    {
      label: links === null ? 'link check on this machine' : 'broken links',
      value: links === null ? 'never' : grouped(links.broken),
      tone: links !== null && links.broken > 0 ? 'bad' : undefined,
    },
    {
      label: 'last backup of this machine',
      value: backup === null ? 'never' : backup.state,
      tone: backup === null ? 'warn' : backup.state === 'whole' && backup.folderExists ? 'good' : 'bad',
    },
  ];
}

/** `, 12 more than in the backup of 2026-01-05`. */
function trendOf(total: number | undefined, name: string, earlier: Earlier | undefined): string {
  const before = earlier?.counts[name];
  if (earlier === undefined || before === undefined || total === undefined || total === before) return '';
  const difference = `${grouped(Math.abs(total - before))} ${total > before ? 'more' : 'fewer'}`;
  return `, ${difference} than in the backup of ${earlier.at.slice(0, 10)}`;
}

/** The newest first, as `backup log` lists them. */
function backupsPart({ runs }: Earlier): TablePart {
  const columns: Columns = {
    Run: 'count',
    Finished: 'time',
    State: 'state',
    Spaces: 'count',
    Added: 'count',
    Changed: 'count',
    Removed: 'count',
  };
  const rows = runs.map(({ run, finishedAt, state, spaces, added, changed, removed }): Cell[] => [
    run,
    finishedAt ?? null,
    state,
    spaces,
    added ?? null,
    changed ?? null,
    removed ?? null,
  ]);
  return tablePart('Backups', columns, { rows, empty: '' });
}

/** Shares from the strongest to the weakest, as they are counted. */
function barOf(title: string, counts: Readonly<Record<string, number>>): BarPart {
  const names = Object.keys(counts);
  const segments = names.map((label) => ({
    label,
    count: counts[label] ?? 0,
    tone: `r${Math.max(0, 6 - Math.round((names.indexOf(label) * 6) / Math.max(1, names.length - 1)))}`,
  }));
  return { kind: 'bar', title, segments };
}

function endOf(missing: readonly Missing[]): ReportEnding | undefined {
  if (missing.length === 0) return undefined;
  const names = [...new Set(missing.map(({ part }) => part))];
  return {
    warnings: firstLines(missing.map(({ what }) => `Not read: ${what}`)),
    failure: notAllRead(`the overview lacks what could not be read: ${names.join(', ')}`, {
      unread: missing,
      details: { unread: missing.map(({ part, what, error }) => ({ part, what, error: error.toJSON() })) },
      hint: 'docs auth status',
    }),
  };
}
