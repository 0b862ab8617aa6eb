import { formatJson, isJsonObject, RawNumber } from '../../api/transport/json-text.js';
import type { Static } from '../../api/type.js';
import { markInvisible } from '../../base/invisible.js';
import { groupBy, isObject, replaceParts } from '../../base/values.js';
import { findReferences, isShownReference, showReferences } from '../../jobs/change.js';
import { isFromEnvironment } from '../../jobs/environment.js';
import { exposuresOf } from '../../jobs/exposure.js';
import { isOperation } from '../../jobs/operations.js';
import { counted, grouped, safeLine, utcText } from '../../output/text.js';
import { countActions } from '../counts.js';
import { foldedField } from '../described.js';
import { requestIn, sends } from '../operation.js';
import type { Action, Maker, Plan, PlanNote, PlanOperation } from '../plan.js';
import type { ShownApprovals } from '../schema.js';
import { nothing } from './title.js';

export { titleOf } from './title.js';

/** What an operation changes and sends, in words: the same in every medium. Texts are sanitised lines but for requests. */

/** A field of an operation, or a part of one: `fields.owner`. */
export interface FieldChange {
  name: string;
  /** Absent where it is unknown, or where nothing was before. */
  before?: string;
  /** Absent where it is removed with its item. */
  after?: string;
  /** Of two lists whose order says nothing new: what is added and removed, instead of `before` and `after`. */
  added?: readonly string[];
  removed?: readonly string[];
}

/** A value as a sanitised text. */
type Words = (value: unknown) => string;

/**
 * The fields of an operation, maps part by part; parts that stay as they are are left out.
 * @param words how values are written; default: in one line
 */
export function fieldChanges(
  { fields }: Pick<PlanOperation, 'fields'>,
  words: Words = valueText,
): FieldChange[] {
  return Object.entries(fields).flatMap(([name, change]) => partsOf(safeLine(name), change, words, 0));
}

/** How deep maps are taken apart; beyond, they are JSON. */
const mostLevels = 3;

function partsOf(
  name: string,
  change: { before?: unknown; after?: unknown },
  words: Words,
  level: number,
): FieldChange[] {
  const { before, after } = change;
  if (level < mostLevels && isMap(after, before) && isMap(before, after)) {
    const keys = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
    const part = (key: string) => ({ before: before?.[key], after: after?.[key] });
    return [...keys]
      .filter((key) => JSON.stringify(part(key).before) !== JSON.stringify(part(key).after))
      .flatMap((key) => partsOf(`${name}.${safeLine(key)}`, part(key), words, level + 1));
  }
  const lists = listChange(name, before, after, words);
  if (lists !== undefined) return [lists];
  return [
    {
      name,
      ...(before !== undefined && { before: words(before) }),
      ...(after !== undefined && { after: words(after) }),
    },
  ];
}

type Fields = Record<string, unknown>;

/** Whether a value is a map, or absent beside one. */
function isMap(value: unknown, other: unknown): value is Fields | undefined | null {
  if (value === undefined || value === null) return isPlain(other);
  return isPlain(value);
}

function isPlain(value: unknown): value is Fields {
  return isJsonObject(value) && !Object.keys(value).some((key) => key.startsWith('$'));
}

function listChange(name: string, before: unknown, after: unknown, words: Words): FieldChange | undefined {
  if (!Array.isArray(before) || !Array.isArray(after) || before.length + after.length === 0) return undefined;
  const [old, now] = [before.map(words), after.map(words)];
  const added = now.filter((text) => !old.includes(text));
  const removed = old.filter((text) => !now.includes(text));
  return added.length + removed.length === 0 ? undefined : { name, added, removed };
}

/** Text that would be mistaken for another type, or that is invisible. */
const needsQuotes = /^$|^\s|\s$|^(?:none|null|true|false|yes|no|-?\d[\d.]*)$| → |^[[{"!]/;

/** A value in one line. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (typeof value === 'string') return textOf(value);
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`;
  if (!isObject(value)) return safeLine(String(value));
  if (value instanceof RawNumber) return value.rawJson;
  if (typeof value.$env === 'string') return `!env ${safeLine(value.$env)}`;
  if (typeof value.$ref === 'string') return safeLine(value.$ref);
  if (typeof value.$id === 'string') return `id:${safeLine(value.$id)}`;
  if (typeof value.$from === 'string') return `(known once ${safeLine(value.$from)} is done)`;
  return safeLine(JSON.stringify(value));
}

function textOf(value: string): string {
  const lines = value.replace(/\n$/, '').split('\n');
  if (lines.length > 1) return `${safeLine(lines[0] ?? '')} … (${lines.length} lines)`;
  return safeLine(needsQuotes.test(value) ? JSON.stringify(value) : value);
}

/** A change in one line: `role: read → admin`, `email_domains: +acme.dev -old.dev`. */
export function changeText(change: FieldChange): string {
  return `${change.name}: ${change.added === undefined ? arrow(change) : listText(change)}`;
}

/** What a list gains and loses. */
export function listText({ added = [], removed = [] }: FieldChange): string {
  return [...added.map((text) => `+${text}`), ...removed.map((text) => `-${text}`)].join(' ');
}

function arrow({ before, after }: FieldChange): string {
  if (before === undefined) return after ?? '';
  return after === undefined ? before : `${before} → ${after}`;
}

/**
 * What an operation sends, whole, in one line: its description is what the maker of the plan says of it, and this is
 * what the platform gets. Bodies are JSON in which no two texts look alike; undefined where it sends nothing.
 * @param isNumbered whether its id stands before it
 */
export function requestText(
  { id, request }: Pick<PlanOperation, 'id' | 'request'>,
  isNumbered = false,
): string | undefined {
  if (request === undefined) return undefined;
  const { method, path, query, body } = request;
  const asked = query === undefined ? [] : [`?${exactJson(query)}`];
  const sent = body === undefined ? [] : [exactJson(body)];
  return [...(isNumbered ? [id] : []), method, path, ...asked, ...sent].join(' ');
}

/** Whether requests are shown with their ids: they are read in another order than sent, or one takes what another makes. */
export function isNumbered(sent: readonly PlanOperation[]): boolean {
  const read = [...byKind(sent).values()].flat();
  return (
    read.some((one, at) => one !== sent[at]) || findReferences(sent.map((one) => one.request)).length > 0
  );
}

/** JSON whose texts are exact: what nobody sees, other blanks, further blanks and what looks like a reference are escaped. */
function exactJson(value: unknown): string {
  const tag = crypto.randomUUID();
  const isAlike = (part: unknown): part is string => typeof part === 'string' && isShownReference(part);
  const marked = replaceParts(value, isAlike, (text) => tag + text);
  const json = formatJson(named(showReferences(marked))).replaceAll(`"${tag}{`, String.raw`"\u007b`);
  return markInvisible(json.replace(/[^\S ]|\u2800|(?<= ) /g, escaped), escaped);
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/** Values of the environment by the name of their variable alone. */
function named(value: unknown): unknown {
  return replaceParts(value, isFromEnvironment, ({ $env }) => ({ $env }));
}

/** Where to look twice: what the plan says, and what its request exposes, whether the plan says that or not. */
export function riskOf(operation: PlanOperation): string | undefined {
  const { risk } = operation;
  const added = exposedBy(operation).filter((sentence) => risk?.includes(sentence) !== true);
  return [risk, ...added].filter(Boolean).join(' ') || undefined;
}

/** What a request exposes, a sentence each. What the plan itself makes, nobody sees yet. */
export function exposedBy({ request, key, fields, reads }: PlanOperation): readonly string[] {
  if (
    request === undefined ||
    !isOperation(request.operation) ||
    findReferences(request.parameters).length > 0
  )
    return [];
  const { op, input } = requestIn(request);
  const before = Object.keys(request.body ?? {}).flatMap((name) => {
    const own = Object.entries(fields).find(([field]) => foldedField(field) === foldedField(name));
    return own !== undefined && 'before' in own[1] ? [[name, own[1].before] as const] : [];
  });
  const state = { ...Object.fromEntries(before), ...reads?.state };
  return exposuresOf({ op, input, name: key, before: state });
}

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

/** What the character before an operation means. */
export const meanings: Readonly<Record<Action, string>> = {
  create: 'create',
  update: 'change',
  move: 'move',
  link: 'link',
  delete: 'delete',
  verify: 'read, and go on only if it is right',
  drift: 'revert changes made by hand',
  withheld: 'withheld',
  finding: 'cannot be done',
};

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
  const counts = countActions(operations.filter((operation) => !isConflict(operation)));
  const words = Object.entries(counts).map(([action, count]) => toDo[action as Action](count));
  return [...words, ...(conflicts === 0 ? [] : [counted(conflicts, 'conflict')])].join(', ');
}

/** `3 to create, 2 to change · 1 cannot be undone`, or `nothing to do`. */
export function summaryOf({ operations }: Plan): string {
  const lost = lostOf(operations).length;
  const counts = countsOf(operations);
  if (counts === '') return nothing;
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
  const { action, why = 'the API cannot do it' } = operation;
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
function lostOf(operations: readonly PlanOperation[]): PlanOperation[] {
  return operations.filter((operation) => sends(operation) && operation.undo === 'none');
}

/** Who approved a plan, as it is shown with it. */
export type ApprovalsOfPlan = Static<typeof ShownApprovals>;

/** `approved by ada@acme.example`, `not approved`. */
export function approvalsText({ approved, by }: ApprovalsOfPlan): string {
  if (approved === null) return 'no policy in force here asks for one';
  return approved ? `approved by ${by.join(', ')}` : 'not approved';
}

/** Who approved it, when and where, and whether that counts. */
export function approvalText({ email, when, host, holds, why }: ApprovalsOfPlan['given'][number]): string {
  const so = holds === null ? '' : holds ? ': valid' : `: does not count, ${why ?? ''}`;
  return `${email}, ${utcText(when)}, on ${host}${so}`;
}

/** The account that made a plan, and what acted for it: `ada@acme.example, with inspector 1.0 through MCP`. */
export function makerText({ id, email, kind, client, via }: Maker): string {
  const means = client ?? (kind === 'agent' ? 'an agent' : kind === 'ci' ? 'CI' : undefined);
  const how = via === 'mcp' ? ' through MCP' : '';
  return means === undefined ? (email ?? id) : `${email ?? id}, with ${means}${how}`;
}

/** Who made a plan, when, and with which command. */
export function madeBy({ by, line, command, madeAt, id }: Plan): string {
  const who = by === 'unknown' ? '' : ` by ${makerText(by)}`;
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

/** Operations by kind, in the order of the first of each. */
export function byKind(operations: readonly PlanOperation[]): Map<string, PlanOperation[]> {
  return groupBy(operations, ({ kind }) => kind);
}
