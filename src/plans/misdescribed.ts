import type { AnyOperation } from '../api/operation.js';
import { sha256 } from '../base/hash.js';
import { findParts, isObject, isText } from '../base/values.js';
import { isReference, shownReference, showReferences } from '../jobs/change.js';
import type { PlannedChange } from '../jobs/journal.js';
import { operationOf } from '../jobs/operations.js';
import { forecastOf, forecasts } from '../jobs/outlook.js';
import type { Forecast, Sureness } from '../jobs/rule.js';
import { canonical, type State } from '../jobs/state.js';
import { ruleOf } from '../jobs/undo-rules.js';
import { countActions } from './counts.js';
import { actionOf, foldedField, isUnsaid, kindsOf, tellingOf } from './described.js';
import { requestIn } from './operation.js';
import type { Plan, PlanOperation } from './plan.js';

/**
 * Where the description of a plan differs from its requests. Whoever writes a plan by hand can write any description:
 * people read it, and the platform gets the requests. So a plan is refused unless kind, action, item, fields, state
 * before and undo follow from what it sends.
 */

/** Why a plan does not list its requests: sentences, each with its operation; empty where it does. */
export function misdescriptions(plan: Plan): string[] {
  const undo = undoOf(plan);
  return [...headFaults(plan), ...plan.operations.flatMap((one, at) => faultsOf(one, at, plan, undo))];
}

function headFaults({ counts, operations }: Plan): string[] {
  const found = countActions(operations);
  return canonical(found) === canonical(counts)
    ? []
    : [`its counts are ${canonical(counts)}, and its operations are ${canonical(found)}`];
}

type Undo = ReadonlyMap<string, Forecast>;

/** How completely each request can be undone at best, by the rules that jobs have. */
function undoOf({ operations }: Pick<Plan, 'operations'>): Undo {
  const places = new Map(operations.map(({ id }, at) => [id, at]));
  const changes = operations.flatMap((operation, item): PlannedChange[] => {
    if (operation.request === undefined) return [];
    const { op, input, id } = requestIn(operation.request);
    const { key } = ruleOf(op).makes ?? {};
    const makes = key && shownReference({ $from: operation.id, path: key });
    const after = operation.after?.flatMap((id) => places.get(id) ?? []);
    return [{ op, input: showReferences(input), id, item, makes, after, before: stateOf(operation) }];
  });
  // A plan holds a part of the state before: the best that the rules can do with it, or without.
  const told = [
    forecasts(changes),
    forecasts(changes.map(({ before: _, ...change }) => change)),
    changes.map(({ op, input, before }) => forecastOf(op, input, before)),
  ];
  return new Map(
    changes.map(({ item = 0 }, at) => [`o${item + 1}`, best(told.flatMap((all) => all[at] ?? []))]),
  );
}

function best(all: readonly Forecast[]): Forecast {
  return all.reduce((one, other) => (sureness(other) > sureness(one) ? other : one), { undo: 'none' });
}

const order: readonly Sureness[] = ['none', 'best-effort', 'exact'];

function sureness({ undo }: Pick<Forecast, 'undo'>): number {
  return order.indexOf(undo);
}

/** The state before an operation, as far as its plan tells. */
function stateOf({ fields, reads }: PlanOperation): State | undefined {
  if (reads?.state === null) return null;
  const before = Object.entries(fields).flatMap(([name, field]) =>
    'before' in field ? [[name, field.before] as const] : [],
  );
  const all = { ...Object.fromEntries(before), ...reads?.state };
  return Object.keys(all).length === 0 ? undefined : all;
}

function faultsOf(operation: PlanOperation, at: number, plan: Plan, undo: Undo): string[] {
  const { id, request, finding, action } = operation;
  const sends = action !== 'finding' && action !== 'withheld';
  if (id !== `o${at + 1}`) return [`operation ${at + 1} has the id ${id}`];
  if (request === undefined) return sends ? [`${id} says ${action}, and sends nothing`] : [];
  if (!sends || finding !== undefined) return [`${id} says ${action}, and sends ${sentText(operation)}`];
  const faults = [
    kindFault(operation),
    actionFault(operation),
    itemFault(operation, plan),
    ...fieldFaults(operation),
    ...beforeFaults(operation),
    undoFault(operation, undo),
  ].filter((fault) => fault !== undefined);
  return faults.map((fault) => `${id} says ${fault}, and sends ${sentText(operation)}`);
}

function sentText({ request }: PlanOperation): string {
  return request === undefined ? 'nothing' : `${request.method} ${request.path}`;
}

function kindFault({ kind, request }: PlanOperation): string | undefined {
  return kindsOf(request?.operation ?? '').includes(kind) ? undefined : `kind ${kind}`;
}

function actionFault(operation: PlanOperation): string | undefined {
  const { action, reads, request } = operation;
  if (request === undefined) return undefined;
  const change = requestIn(request);
  const { op, input } = change;
  const isRead = op.method === 'GET';
  if (isRead || action === 'verify') return isRead === (action === 'verify') ? undefined : `action ${action}`;
  const before = stateOf(operation);
  const wanted = ruleOf(op).wanted?.(input, before ?? undefined);
  const own = actionOf(change, { before: reads?.state === null ? null : before, wanted });
  const fits = action === own || alsoCalled(op, action, own);
  return fits ? undefined : `action ${action}`;
}

/** What the organization as code and workflows call an action beside its own name. */
function alsoCalled({ id, method }: AnyOperation, action: string, own: string): boolean {
  if (own === 'delete') return id === 'section-groups.remove' && ['move', 'drift'].includes(action);
  if (method === 'DELETE')
    return id === 'section-groups.remove' && ['move', 'drift', 'update'].includes(action);
  if (action === 'drift') return true;
  if (id === 'section-groups.add') return action === 'move' || action === 'update';
  if (id === 'spaces.restore' || id === 'team-members.set') return action === 'create' || action === 'update';
  return false;
}

/** Ids stand in the request; an entry of the lock is that of what the request is about. */
function itemFault({ kind, lock, request }: PlanOperation, { organization }: Plan): string | undefined {
  const { organizationId: org } = request?.parameters ?? {};
  if (organization !== undefined && typeof org === 'string' && org !== organization)
    return `organization ${organization}`;
  if (lock === undefined) return undefined;
  if (!lock.item.startsWith(`${kind}/`)) return `item ${lock.item}`;
  const id = lock.to?.id;
  const isOwn =
    typeof id !== 'string' || findParts([request?.parameters, request?.body], isText).includes(id);
  return isOwn ? undefined : `item ${lock.item} with the id ${id}`;
}

/** Fields are told as the body has them, or as the state that the request asks for. */
function fieldFaults(operation: PlanOperation): string[] {
  if (operation.request === undefined) return [];
  const { op, input } = requestIn(operation.request);
  if (op.method === 'GET') return [];
  const wanted = ruleOf(op).wanted?.(input, stateOf(operation));
  const body = isObject(input.body) ? input.body : {};
  if (wanted === null) return removalFaults(operation);
  const asked =
    wanted !== undefined && Object.keys(wanted).some((name) => Object.hasOwn(body, name))
      ? {}
      : (wanted ?? {});
  const [first = [], ...others] = [body, asked]
    .filter((sent) => sent === body || Object.keys(sent).length > 0)
    .map((sent) => faultsAgainst(operation, op.id, sent));
  return others.some((faults) => faults.length === 0) ? [] : first;
}

/** What is removed has only what it was. */
function removalFaults({ fields, request }: PlanOperation): string[] {
  return Object.entries(fields).flatMap(([name, { after }]) =>
    (after ?? null) === null || tellingOf(request?.operation ?? '', name) ? [] : [`field ${name}`],
  );
}

function faultsAgainst(
  { fields }: PlanOperation,
  op: string,
  sent: Readonly<Record<string, unknown>>,
): string[] {
  const told = new Set<string>();
  const faults = Object.entries(fields).flatMap(([name, { after }]) => {
    const { of, byName } = tellingOf(op, name) ?? sameNamed(name, sent);
    const known = of.filter((one) => Object.hasOwn(sent, one));
    for (const one of known) told.add(one);
    if (byName === true && (of.length === 0 || known.length > 0)) return [];
    if (known.length === 0) return [`field ${name}`];
    const isSo = after === undefined || known.some((one) => agrees(after, sent[one]));
    return isSo ? [] : [`${name} ${canonical(after)}`];
  });
  const silent = Object.keys(sent).filter((name) => !told.has(name) && !isUnsaid(op, name));
  return [...faults, ...silent.map((name) => `nothing of ${name}`)];
}

/** `email_domains` tells `emailDomains`; `fields.owner` the value of the custom field `owner`. */
function sameNamed(name: string, sent: Readonly<Record<string, unknown>>): { of: string[]; byName?: true } {
  const plain = name.startsWith('fields.') ? name.slice('fields.'.length) : name;
  const all = Object.keys(sent);
  const exact = all.filter((one) => one === plain);
  return { of: exact.length > 0 ? exact : all.filter((one) => foldedField(one) === foldedField(plain)) };
}

/** Whether a value of a description is that of a request: files have words for null, and keys for ids. */
function agrees(said: unknown, sent: unknown): boolean {
  if (said === sent || canonical({ said }) === canonical({ said: sent })) return true;
  if (said === null || said === undefined) return sent === null || sent === undefined;
  if (isObject(said) && !Array.isArray(said)) {
    if (typeof said.$sha256 === 'string') return said.$sha256 === sha256(canonical(sent));
    if (typeof said.$id === 'string') return findParts(sent, isText).includes(said.$id) || said.$id === sent;
    if (typeof said.$ref === 'string') return findParts(sent, isText).length > 0 || isReference(sent);
    if (typeof said.$env === 'string')
      return (
        isObject(sent) && (sent.$env === said.$env || Object.values(sent).some((one) => agrees(said, one)))
      );
  }
  if (said === 'guest' || said === 'none') return sent === null;
  if (Array.isArray(said) && Array.isArray(sent)) {
    const [a, b] = [said.map(canonical).sort(), sent.map(canonical).sort()];
    return a.join() === b.join();
  }
  if (isObject(sent) && !isReference(sent)) {
    const parts = Object.values(sent);
    return parts.some((one) => agrees(said, one));
  }
  return typeof said === 'string' && isReference(sent);
}

/** What it says was before is what it rests on. */
function beforeFaults({ fields, reads, request }: PlanOperation): string[] {
  const state = reads?.state;
  if (!state) return [];
  const names = Object.keys(state);
  return Object.entries(fields).flatMap(([name, field]) => {
    if (!('before' in field) || field.before === undefined) return [];
    const own =
      names.find((one) => one === name) ?? names.find((one) => foldedField(one) === foldedField(name));
    if (own === undefined || tellingOf(request?.operation ?? '', name)?.byName) return [];
    if (agrees(field.before, state[own])) return [];
    return [`${name} was ${canonical(field.before)}`];
  });
}

function undoFault({ id, undo }: PlanOperation, known: Undo): string | undefined {
  const own = known.get(id) ?? { undo: 'none' };
  return sureness({ undo }) > sureness(own) ? `undo ${undo}, where it is ${own.undo}` : undefined;
}

/** Where an operation says something else than the platform shows: of what was before, and of undo. */
export function differences(said: PlanOperation, read: PlanOperation | undefined): string[] {
  if (read === undefined) return [];
  const undo =
    sureness(said) > sureness(read) ? [`the plan says undo ${said.undo}, and it is ${read.undo}`] : [];
  return [...stateDifferences(said, read), ...beforeDifferences(said, read), ...undo];
}

function stateDifferences(said: PlanOperation, read: PlanOperation): string[] {
  const { reads, job, request } = said;
  // What an undo must find is what its job left.
  const isUndo = job?.undoes !== undefined || job?.partOf !== undefined;
  if (reads?.state === undefined) return [];
  if (read.reads?.state === undefined) {
    const isRead = ruleOf(operationOf(request?.operation ?? '')).read !== undefined;
    return isUndo || !isRead ? [] : ['the state it is based on could not be read with this token'];
  }
  const [then, now] = [reads.state, read.reads.state];
  if (then === null || now === null)
    return then === now ? [] : [then === null ? 'it is there already' : 'it is not there'];
  return Object.entries(then).flatMap(([field, value]) => {
    const isSecret = typeof value === 'string' && value.startsWith('sha256:');
    if (
      isSecret ||
      !Object.hasOwn(now, field) ||
      canonical({ value }) === canonical({ value: now[field] ?? null })
    )
      return [];
    return [`${field} was ${canonical(value)} by the plan, and is ${canonical(now[field] ?? null)}`];
  });
}

function beforeDifferences({ fields, request, reads }: PlanOperation, read: PlanOperation): string[] {
  const found = Object.entries(read.fields);
  return Object.entries(fields).flatMap(([name, field]) => {
    const isTold =
      reads?.state && Object.keys(reads.state).some((one) => foldedField(one) === foldedField(name));
    if (field.before === undefined || isTold || tellingOf(request?.operation ?? '', name)?.byName) return [];
    const [, own] = found.find(([one]) => foldedField(one) === foldedField(name)) ?? [];
    if (own === undefined || !('before' in own) || agrees(field.before, own.before)) return [];
    return [`${name} was ${canonical(field.before)} by the plan, and is ${canonical(own.before ?? null)}`];
  });
}
