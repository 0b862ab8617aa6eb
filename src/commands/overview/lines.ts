import { shellWord } from '../../base/shell-word.js';
import { age } from '../../output/age.js';
import { counted, grouped } from '../../output/counted.js';
import { certificateDays, type Missing, type Overview, type Part } from '../../workflows/overview/report.js';

/** The overview in words: a line for each part, with the command that shows more. */

/** `never`: no run of this machine is recorded. */
export const lineStates = ['ok', 'attention', 'never', 'unknown'] as const;

export interface Line {
  /** As in the JSON; `stale` is a line of its own. */
  part: Part | 'stale';
  label: string;
  state: (typeof lineStates)[number];
  value: string;
  command: string;
}

type Said = Pick<Line, 'state' | 'value' | 'command'>;

/** Names in a line at most; of more, only the number. */
const mostNames = 3;

interface Around {
  organization: string;
  missing: readonly Missing[];
  nowMs: number;
  platform: NodeJS.Platform;
}

export function linesOf(overview: Overview, around: Around): Line[] {
  const { organization, members, spaces, sites, changeRequests, openapi, saml } = overview;
  const line = <T>(
    part: Part,
    fact: T | null,
    label: string,
    command: string,
    say: (fact: T) => Partial<Said>,
  ): Line => {
    if (fact !== null) return { part, label, state: 'ok', value: '', command, ...say(fact) };
    return { part, label, state: 'unknown', value: `unknown (${whyNot(part, around.missing)})`, command };
  };
  const requests = 'docs cr list --all-spaces';
  return [
    line(
      'organization',
      organization,
      'Organization',
      `docs orgs get ${shellWord(around.organization, around.platform)}`,
      organizationWords,
    ),
    line('members', members, 'Members', 'docs members list', ({ total, roles }) => ({
      value: withParts(grouped(total), roles),
    })),
    line('spaces', spaces, 'Spaces', 'docs spaces list', spaceWords),
    line('sites', sites, 'Sites', 'docs sites list', ({ total, published }) => ({
      value: `${grouped(total)}, ${grouped(published)} published`,
    })),
    line('changeRequests', changeRequests, 'Change requests', requests, ({ open, atLeast }) => ({
      state: stateOf(atLeast),
      value: `${least(atLeast)}${grouped(open)} open`,
    })),
    {
      ...line('changeRequests', changeRequests, 'Stale', 'docs cr stale --list', staleWords),
      part: 'stale',
    },
    linksLine(overview, around),
    line('openapi', openapi, 'OpenAPI specs', 'docs openapi list', specWords),
    line('saml', saml, 'Certificates', 'docs sso readiness', certificateWords),
    backupLine(overview, around),
    line('jobs', overview.jobs, 'Jobs', 'docs jobs list', (jobs) => jobWords(jobs, around.nowMs)),
  ];
}

/** `403`, or what else kept it from being read. */
function whyNot(part: Part, missing: readonly Missing[]): string {
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

function organizationWords({ id, title, plan }: NonNullable<Overview['organization']>): Partial<Said> {
  return { value: `${title} (${id})${plan === null ? '' : `, plan ${plan}`}` };
}

function spaceWords({
  total,
  published,
  visibility,
  atLeast,
}: NonNullable<Overview['spaces']>): Partial<Said> {
  return {
    state: stateOf(atLeast),
    value: withParts(`${least(atLeast)}${grouped(total)}, ${grouped(published)} published`, visibility),
  };
}

function staleWords({
  stale,
  staleDays: days,
  atLeast,
}: NonNullable<Overview['changeRequests']>): Partial<Said> {
  return {
    state: stale > 0 ? 'attention' : stateOf(atLeast),
    value: `${least(atLeast)}${grouped(stale)} without activity for ${days} days, or warned`,
  };
}

function specWords({ total, failed }: NonNullable<Overview['openapi']>): Partial<Said> {
  if (failed.length === 0) return { value: `${grouped(total)}, none failed` };
  const names = failed.map(({ slug, error }) => `${slug} (${error ?? 'failed'})`);
  return {
    state: 'attention',
    value: `${grouped(total)}, ${grouped(failed.length)} failed: ${listed(names)}`,
  };
}

type Certificate = NonNullable<Overview['saml']>['certificates'][number];

function certificateWords({ total, certificates }: NonNullable<Overview['saml']>): Partial<Said> {
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

function linksLine({ links }: Overview, { missing, nowMs }: Around): Line {
  const base = { part: 'links', label: 'Broken links', command: 'docs links check' } as const;
  if (links === null) return { ...base, ...notKnown('links', missing, 'never checked on this machine') };
  const { checkedAt, broken, spaces, of, unread } = links;
  const where = spaces === of ? counted(spaces, 'space') : `${grouped(spaces)} of ${counted(of, 'space')}`;
  const rest = unread === 0 ? '' : `; ${grouped(unread)} not read`;
  const value = `${broken === 0 ? 'none' : grouped(broken)} in ${where}, checked ${age(checkedAt, nowMs)}${rest}`;
  return { ...base, state: broken > 0 || unread > 0 ? 'attention' : 'ok', value };
}

function backupLine({ backup }: Overview, { missing, nowMs, platform }: Around): Line {
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

function notKnown(part: Part, missing: readonly Missing[], never: string): Pick<Line, 'state' | 'value'> {
  if (!missing.some((one) => one.part === part)) return { state: 'never', value: never };
  return { state: 'unknown', value: `unknown (${whyNot(part, missing)})` };
}

function jobWords({ total, unfinished, last }: NonNullable<Overview['jobs']>, nowMs: number): Partial<Said> {
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
