import { usageError } from '../../base/errors.js';
import { isObject } from '../../base/values.js';
import type { Session } from '../../cli/declare/session.js';
import { askText } from '../../cli/resolve/prompts.js';
import { pictureOfPlan } from '../../cli/run/apply-plan.js';
import type { NamedId } from '../../cli/run/names.js';
import { hanging } from '../../document/lines.js';
import { type Change, showReferences } from '../../jobs/change.js';
import type { Job } from '../../jobs/journal.js';
import { resources } from '../../model/resources.js';
import { terminalWidth, writeStandardError } from '../../output/terminal.js';
import { counted, safeLine } from '../../output/text.js';
import { widthOf } from '../../output/text-width.js';
import { ageText } from '../../plans/check.js';
import { requestIn, sends } from '../../plans/operation.js';
import type { Plan, PlanOperation } from '../../plans/plan.js';
import { makerText, requestText } from '../../plans/show/summary.js';
import type { Approver } from '../../policy/approval/choose-key.js';
import type { Asking } from '../../policy/policy.js';
import { fileOf } from '../shared/print-plan.js';
import type { AsRead } from './reading.js';

/** What a person sees of a plan before they sign it: all of it, a screen at a time. */

interface Shown {
  asking: readonly Asking[];
  approver: Approver;
  begun: Job | undefined;
  /** How many people must sign under each policy that asks, and who did already. */
  signatures: string;
}

/**
 * Shows the whole plan. A text of more than one screen waits for Enter after each: of a pager nothing tells how much of it
 * was seen, and which one starts is said by the environment.
 * @throws DocsError usage `plan_not_shown` where somebody leaves it before its end: nothing was signed
 */
export async function showAll(session: Session, read: AsRead, shown: Shown): Promise<void> {
  const { io } = session;
  const { plan } = read;
  const look = { full: true, made: true, ...(plan.lock !== undefined && { file: fileOf }) };
  const picture = pictureOfPlan(session, plan, look).trimEnd().split('\n');
  const lines = [...picture, '', ...gainLines(session, read), ...factLines(session, read, shown), ''];
  const screen = Math.max(5, (io.stderr.rows ?? Number.POSITIVE_INFINITY) - 2);
  if (lines.length <= screen) return writeStandardError(io, `${lines.join('\n')}\n`);
  for (let at = 0; at < lines.length; at += screen) {
    const end = Math.min(at + screen, lines.length);
    writeStandardError(io, `${lines.slice(at, end).join('\n')}\n`);
    if (end < lines.length) await goOn(session, end, lines.length);
  }
  writeStandardError(io, `${endLine(plan)}\n\n`);
}

async function goOn(session: Session, shown: number, all: number): Promise<void> {
  const question = `Lines 1 to ${shown} of ${all}. Enter shows more, q leaves:`;
  if ((await askText(session, question, { initial: 'more' })) === 'more') return;
  const message = `${all - shown} of ${all} lines of the plan were not shown; nothing was signed`;
  throw usageError('plan_not_shown', message, { hint: 'docs plan show --help' });
}

/** The count of changes and the last one, where the first ones have left the screen. */
function endLine({ operations }: Plan): string {
  const sent = operations.filter(sends);
  const last = sent.at(-1);
  const told = last === undefined ? '' : `; the last one: ${requestText(last)}`;
  return safeLine(`All ${counted(sent.length, 'change')} shown${told}`);
}

/** Who made it, what its ids stand for, what the policies want. */
function factLines({ io }: Session, { plan, names }: AsRead, shown: Shown): string[] {
  const { asking, approver, begun, signatures } = shown;
  const { by } = plan;
  const maker = by === 'unknown' ? 'unknown' : makerText(by);
  const rules = asking.map(({ policy: { file, approve }, by: { line, rule } }): [string, string] => {
    const valid = approve === undefined ? '' : `, valid for ${ageText(approve.validMs)}`;
    return ['Policy:', `${file}:${line} (${JSON.stringify(rule)}) requires an approval${valid}`];
  });
  const facts: [string, string][] = [
    ...(begun === undefined ? [] : [['Job:', progressOf(begun)] satisfies [string, string]]),
    ['Made by:', maker],
    ...rules,
    ...(signatures === '' ? [] : [['Needs:', signatures] satisfies [string, string]]),
    ['Approves:', `${approver.email}, with the key ${approver.signer.fingerprint}`],
  ];
  const columns = terminalWidth(io, { stream: 'stderr' });
  const told = facts.flatMap(([name, text]) => hanging(name.padEnd(10), safeLine(text), columns));
  const read = names.map((one) => `  ${safeLine(nameText(one))}`);
  return [...told, ...(read.length === 0 ? [] : ['Names, read with your token:', ...read])];
}

function nameText({ id, kind, names }: NamedId): string {
  const { noun } = resources[kind];
  return `${id}  ${noun} ${names.length === 0 ? '(cannot be read)' : names.join(', ')}`;
}

function progressOf({ header: { job }, items }: Job): string {
  const done = items.filter(({ state }) => state === 'ok').length;
  return `${job} applied ${done} of ${counted(items.length, 'change')} and is unfinished`;
}

/** Who gains and loses what: a line a person and change, since ids in bodies say nothing to those who sign. */
interface Gain {
  /** Id, or what stands for several people. */
  person: string;
  gains?: string;
  loses?: string;
}

type Gains = (change: Change, operation: PlanOperation, nameOf: (id: unknown) => string) => Gain[];

const person = ({ input }: Change) => String(input.path?.userId ?? '');
const team = ({ input }: Change, nameOf: (id: unknown) => string) => `team ${nameOf(input.path?.teamId)}`;
const idsIn = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
const bodyOf = ({ input }: Change) => (isObject(input.body) ? input.body : {});

/** By id of the operation: what it gives to people, and takes from them. */
export const gaining: Readonly<Record<string, Gains>> = {
  'members.update': (change, { fields }) => {
    const words = (role: unknown) => (role === null ? 'no role (guest)' : `role ${String(role)}`);
    const { before } = fields.role ?? {};
    const was = before === undefined ? undefined : words(before);
    return [{ person: person(change), gains: words(bodyOf(change).role), ...(was && { loses: was }) }];
  },
  'members.delete': (change) => [{ person: person(change), loses: 'membership in the organization' }],
  'members.link-sso': (change) => [
    { person: person(change), gains: 'sign-in by SSO', loses: 'other ways to sign in' },
  ],
  'team-members.set': (change, _, nameOf) => {
    const { role = 'member' } = bodyOf(change);
    return [{ person: person(change), gains: `${team(change, nameOf)}, as ${String(role)}` }];
  },
  'team-members.delete': (change, _, nameOf) => [{ person: person(change), loses: team(change, nameOf) }],
  'team-members.update': (change, _, nameOf) => {
    const { add, remove, memberships } = bodyOf(change);
    const where = team(change, nameOf);
    const named = Object.entries(isObject(memberships) ? memberships : {});
    return [
      ...idsIn(add).map((id) => ({ person: id, gains: where })),
      ...named.map(([id, one]) => ({
        person: id,
        gains: `${where}, as ${isObject(one) ? String(one.role) : 'member'}`,
      })),
      ...idsIn(remove).map((id) => ({ person: id, loses: where })),
    ];
  },
  'teams.create': (change) => {
    const { title, members } = bodyOf(change);
    return idsIn(members).map((id) => ({ person: id, gains: `team ${String(title)}` }));
  },
  'teams.delete': (change, _, nameOf) => [
    { person: `all members of ${team(change, nameOf)}`, loses: team(change, nameOf) },
  ],
};

/** Operations that name people and neither give them anything nor take it. */
export const grantsNothing: ReadonlySet<string> = new Set([]);

function gainLines({ io }: Session, { plan, names }: AsRead): string[] {
  const known = new Map(names.map(({ id, names: [name] }) => [id, name]));
  const made = new Map(plan.operations.map(({ id, key }) => [`{${id}.id}`, key]));
  const nameOf = (id: unknown) => known.get(String(id)) ?? made.get(String(id)) ?? String(id);
  const rows = plan.operations.filter(sends).flatMap((operation) => {
    const { op, input, id } = requestIn(operation.request);
    const change = { op, input: showReferences(input), id };
    return gaining[op.id]?.(change, operation, nameOf) ?? [];
  });
  if (rows.length === 0) return [];
  const people = rows.map((row) => safeLine(nameOf(row.person)));
  const width = Math.min(40, Math.max(...people.map((one) => widthOf(one))));
  const columns = terminalWidth(io, { stream: 'stderr' });
  const lines = rows.flatMap(({ gains, loses }, at) => {
    const told = [gains && `gains ${gains}`, loses && `loses ${loses}`].filter(Boolean).join('; ');
    const name = people[at] ?? '';
    return hanging(`  ${name}${' '.repeat(Math.max(2, width - widthOf(name) + 2))}`, safeLine(told), columns);
  });
  return ['Who gains access:', ...lines, ''];
}
