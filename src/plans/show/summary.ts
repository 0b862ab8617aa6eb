import { counted, grouped, safeLine, utcText } from '../../output/text.js';
import { type Action, actions, type Plan, type PlanNote, type PlanOperation } from '../plan.js';
import { changeText, fieldChanges } from './values.js';

/** The summary of a plan in words, and its operations in reading order. */

/** What each action is called, in a sentence of counts. */
const toDo: Readonly<Record<Action, (count: number) => string>> = {
  create: (count) => `${grouped(count)} to create`,
  update: (count) => `${grouped(count)} to change`,
  move: (count) => `${grouped(count)} to move`,
  link: (count) => `${grouped(count)} to link`,
  delete: (count) => `${grouped(count)} to delete`,
  verify: (count) => `${grouped(count)} to verify`,
  drift: (count) => `${grouped(count)} to revert (drift)`,
  withheld: (count) => `${grouped(count)} withheld`,
  finding: (count) => counted(count, 'finding'),
};

/** The character before an operation, and what it means. */
export const symbols: Readonly<Record<Action, { symbol: string; means: string }>> = {
  create: { symbol: '+', means: 'create' },
  update: { symbol: '~', means: 'change' },
  move: { symbol: '⇅', means: 'move' },
  link: { symbol: '&', means: 'link' },
  delete: { symbol: '-', means: 'delete' },
  verify: { symbol: '?', means: 'read, and go on only if it is right' },
  drift: { symbol: '≠', means: 'revert what was changed by hand' },
  withheld: { symbol: '·', means: 'withheld' },
  finding: { symbol: '!', means: 'cannot be done' },
};

/** Whether an operation sends something. */
export function sends({ request }: PlanOperation): boolean {
  return request !== undefined;
}

/** Whether an operation changes something: a verification only reads. */
export function changesSomething({ request, action }: PlanOperation): boolean {
  return request !== undefined && action !== 'verify';
}

/** Whether files and platform both changed something since it was applied last. */
export function isConflict({ finding }: PlanOperation): boolean {
  return finding?.code === 'conflict';
}

/** How many operations there are of each action, in the order of actions; conflicts are apart from findings. */
export function countsOf(operations: readonly PlanOperation[]): string {
  const conflicts = operations.filter(isConflict).length;
  const counts = new Map<Action, number>();
  for (const operation of operations)
    if (!isConflict(operation)) counts.set(operation.action, (counts.get(operation.action) ?? 0) + 1);
  const words = actions.flatMap((action) => {
    const count = counts.get(action) ?? 0;
    return count === 0 ? [] : [toDo[action](count)];
  });
  return [...words, ...(conflicts === 0 ? [] : [counted(conflicts, 'conflict')])].join(', ');
}

/** `3 to create, 2 to change · 1 cannot be undone`, or `nothing to do`. */
export function summaryOf({ operations }: Plan): string {
  const lost = lostOf(operations).length;
  const counts = countsOf(operations);
  if (counts === '') return 'nothing to do';
  return lost === 0 ? counts : `${counts} · ${grouped(lost)} cannot be undone`;
}

/** What a reader is told about an operation, or about what stays as it is, and what to do. */
export interface Remark {
  /** Whose symbol it has; a note has that of what is withheld. */
  action: Action;
  /** `people/ada@acme.example` */
  item: string;
  message: string;
  hint?: string;
}

/** Remarks under a title. */
export interface Section {
  title: string;
  remarks: readonly Remark[];
}

/** The sections below the changes: conflicts, findings, withheld operations, notes, what cannot be undone. */
export function sectionsOf({ operations, notes = [] }: Plan): Section[] {
  const of = (action: Action) => operations.filter((operation) => operation.action === action);
  const findings = of('finding');
  const sections = [
    { title: 'Conflicts', remarks: findings.filter(isConflict).map(remarkOf) },
    { title: 'Findings', remarks: findings.filter((one) => !isConflict(one)).map(remarkOf) },
    { title: 'Withheld', remarks: of('withheld').map(remarkOf) },
    { title: 'Notes', remarks: notes.filter((note) => !isLack(note)).map(noteOf) },
    { title: 'Not restored', remarks: notes.filter(isLack).map(noteOf) },
    { title: 'Can be undone only in part', remarks: partlyOf(operations).map(lossOf) },
    { title: 'Cannot be undone', remarks: lostOf(operations).map(lossOf) },
  ];
  return sections.filter(({ remarks }) => remarks.length > 0);
}

function remarkOf(operation: PlanOperation): Remark {
  const { action, finding: { message, hint } = { message: '' } } = operation;
  const changes = isConflict(operation) ? fieldChanges(operation).map(changeText).join(', ') : '';
  const item = `${itemOf(operation)}${changes === '' ? '' : ` (${changes})`}`;
  return { action, item, message: safeLine(message), ...(hint !== undefined && { hint: safeLine(hint) }) };
}

/** What a restore does not bring back has a list of its own, below what needs somebody. */
function isLack({ code }: PlanNote): boolean {
  return code === 'not-restored';
}

function noteOf({ item, message, hint, count }: PlanNote): Remark {
  const name = count === undefined ? item : `${item} (${grouped(count)})`;
  const told = { action: 'withheld', item: safeLine(name), message: safeLine(message) } as const;
  return { ...told, ...(hint !== undefined && { hint: safeLine(hint) }) };
}

function lossOf(operation: PlanOperation): Remark {
  const { action, why = 'the platform has no operation for it' } = operation;
  const text = safeLine(why).replace(/\.$/, '');
  return { action, item: itemOf(operation), message: `${text.charAt(0).toUpperCase()}${text.slice(1)}.` };
}

function itemOf(operation: PlanOperation): string {
  return `${safeLine(operation.kind)}/${nameOf(operation)}`;
}

/** The operations that undo restores only in part. */
function partlyOf(operations: readonly PlanOperation[]): PlanOperation[] {
  return operations.filter((operation) => sends(operation) && operation.undo === 'best-effort');
}

/** The operations that nothing undoes. */
export function lostOf(operations: readonly PlanOperation[]): PlanOperation[] {
  return operations.filter((operation) => sends(operation) && operation.undo === 'none');
}

/** What a plan is for: `Plan for Acme Docs`, or the command that made it. */
export function titleOf({ title, organization, lock, command }: Plan): string {
  const ofFolder = title ?? (lock && organization);
  return `Plan for ${safeLine(ofFolder ?? `docs ${command}`)}`;
}

/** Who made a plan, when, and with which command. */
export function madeBy({ by, line, command, madeAt, id }: Plan): string {
  const who = by === 'unknown' ? '' : ` by ${by.email ?? by.id}`;
  const words = line.length > 0 ? line.join(' ') : command;
  const typed = words.startsWith('docs') ? words : `docs ${words}`;
  return safeLine(`Plan ${id}, made ${utcText(madeAt)}${who}: ${typed}`);
}

/** Where an item stands: its key, with those of the items that it is in. */
export function nameOf({ kind, key, lock }: PlanOperation): string {
  const prefix = `${kind}/`;
  const address = lock?.item;
  return safeLine(address?.startsWith(prefix) === true ? address.slice(prefix.length) : key);
}

/** Things by what they have in common, in the order of the first of each. */
export function groupsOf<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const own = groups.get(keyOf(one));
    if (own === undefined) groups.set(keyOf(one), [one]);
    else own.push(one);
  }
  return groups;
}

/** Operations by kind, in the order of the first of each. */
export function byKind(operations: readonly PlanOperation[]): Map<string, PlanOperation[]> {
  return groupsOf(operations, ({ kind }) => kind);
}
