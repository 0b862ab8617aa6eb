import { randomBytes } from 'node:crypto';
import { prepare } from '../api/client.js';
import { pathParameters } from '../api/operation.js';
import { defined } from '../defined.js';
import { DocsError } from '../errors.js';
import { exposuresOf } from '../jobs/exposure.js';
import { heldState } from '../jobs/held.js';
import type { PlanLine } from '../jobs/journal.js';
import { basisOf } from '../jobs/look.js';
import { forecasts, type PlannedChange, surveyed } from '../jobs/outlook.js';
import type { PlannedRequest, Reads } from '../jobs/request.js';
import type { Forecast } from '../jobs/rule.js';
import { anchorOf } from '../jobs/rules/order.js';
import type { State } from '../jobs/state.js';
import { ruleOf } from '../jobs/undo-rules.js';
import { actionOf, fieldsOf, keyOf, kindOf } from './described.js';
import { type Draft, type PlacedDraft, type PlanFacts, placed } from './draft.js';
import { canonical, hashOfPlan, sha256 } from './hash.js';
import { type Found, Overlay } from './overlay.js';
import { namedIn, placeholder, shownPath, withFroms, withPlaceholders } from './placeholders.js';
import {
  actions,
  type Plan,
  type PlanLineRest,
  type PlanOperation,
  type PlanReads,
  type PlanRequest,
  planVersion,
} from './plan.js';
import { type Readable, type Reading, readStates } from './recording.js';

export { type Draft, draftsOf, type PlanFacts } from './draft.js';

/**
 * Reads what each change rests on, foresees its undo, and makes the plan. Sends nothing but reads.
 * @param reads may remember what they read
 * @throws DocsError where the platform is out of reach
 */
export async function makePlan(reads: Reads, facts: PlanFacts, drafts: readonly Draft[]): Promise<Plan> {
  const { nowMs, ...head } = facts;
  // Operations that send nothing come last.
  const order = [...drafts.keys()].sort((a, b) => Number(!drafts[a]?.request) - Number(!drafts[b]?.request));
  const places = new Map(order.map((index, at) => [index, at]));
  const all = order.map((index) => placed(drafts[index] as Draft, places));
  const requests = all.map(({ request }) => request && readable(request));
  const readings = await readStates(reads, requests);
  refuseMissing(requests, readings, all);
  const found = overlaid(all, requests, readings);
  const undo = await foreseen(reads, requests, found);
  const operations = all.map((draft, at) =>
    operationOf(draft, at, {
      request: requests[at],
      reading: readings[at],
      found: found[at],
      undo: undo.get(at),
    }),
  );
  const plan: Omit<Plan, 'hash'> = {
    plan: planVersion,
    id: `p-${randomBytes(8).toString('hex')}`,
    madeAt: new Date(nowMs).toISOString(),
    ...head,
    counts: countsOf(operations),
    operations,
  };
  return { ...plan, hash: hashOfPlan(plan) };
}

/**
 * A plan with one change to something that does not exist is refused, as the change itself would be. Among several
 * changes it is a risk, since the others can be applied.
 */
function refuseMissing(
  requests: readonly (Readable | undefined)[],
  readings: readonly (Reading | undefined)[],
  drafts: readonly PlacedDraft[],
): void {
  const [request] = requests;
  const [draft] = drafts;
  if (requests.length !== 1 || request === undefined || draft === undefined) return;
  if (!isMissing(request, readings[0], draft)) return;
  const message = `${request.op.id}: ${request.id} not found; no plan was made.`;
  const hint = 'docs auth status';
  throw new DocsError('not-found', 'not_found', message, { outcome: 'not-sent', hint });
}

/** Whether a change targets something that does not exist. A PUT may create it; an undo states what it expects. */
function isMissing({ op }: Readable, reading: Reading | undefined, { line }: PlacedDraft): boolean {
  const changes = op.method === 'PATCH' || op.method === 'DELETE';
  const isUndo = line?.undoes !== undefined || line?.partOf !== undefined;
  return changes && !isUndo && !ruleOf(op).creates && reading?.state === null;
}

function readable({ op, input, id }: PlannedRequest): Readable {
  const isMade = namedIn(input.path).length > 0;
  const text = withPlaceholders(input);
  return {
    op,
    input: text,
    id: isMade ? (text.path?.[pathParameters(op.path).at(-1) ?? ''] ?? id) : id,
    isMade,
  };
}

/** What each operation finds once those before it are done. */
function overlaid(
  drafts: readonly PlacedDraft[],
  requests: readonly (Readable | undefined)[],
  readings: readonly (Reading | undefined)[],
): (Found | undefined)[] {
  const overlay = new Overlay();
  const movers = new Map<string, number>();
  return requests.map((request, at) => {
    if (request === undefined) return undefined;
    const found = overlay.next(at, request, readings[at]);
    const { line, after = [], request: asked, proves } = drafts[at] as PlacedDraft;
    const { orders } = ruleOf(request.op);
    // A move goes beside what an earlier one put in its place.
    const anchor = orders && movers.get(anchorOf(request.input) ?? '');
    if (orders) movers.set(request.id, at);
    const makers = namedIn([asked?.input, proves]).map(({ $from }) => Number($from.slice(1)) - 1);
    const all = new Set([...after, ...makers, ...found.after, ...(anchor === undefined ? [] : [anchor])]);
    const own = line?.expect;
    return {
      ...found,
      after: [...all].sort((a, b) => a - b),
      ...(own !== undefined && { before: own, expect: own }),
    };
  });
}

/** What undo will be able to do about each request, by its index. */
async function foreseen(
  reads: Reads,
  requests: readonly (Readable | undefined)[],
  found: readonly (Found | undefined)[],
): Promise<ReadonlyMap<number, Forecast>> {
  const changes: PlannedChange[] = requests.flatMap((request, item) => {
    if (request === undefined) return [];
    const { op, input, id } = request;
    const { key } = ruleOf(op).makes ?? {};
    const makes = key && placeholder({ $from: `o${item + 1}`, path: key });
    return [{ op, input, id, item, makes, after: found[item]?.after, before: found[item]?.before }];
  });
  const told = forecasts(await surveyed(reads, changes));
  return new Map(changes.map(({ item }, at) => [item as number, told[at] as Forecast]));
}

interface Known {
  request: Readable | undefined;
  reading: Reading | undefined;
  found: Found | undefined;
  undo: Forecast | undefined;
}

function operationOf(
  draft: PlacedDraft,
  at: number,
  { request, reading, found, undo }: Known,
): PlanOperation {
  const { finding, lock } = draft;
  const absent = request !== undefined && isMissing(request, reading, draft);
  const own =
    draft.risk ?? (absent ? `${request.id} does not exist, so the platform will refuse this.` : undefined);
  const risk = [own, ...exposedBy(draft, request, found)].filter(Boolean).join(' ') || undefined;
  const named = (index: number) => `o${index + 1}`;
  const shared = { id: named(at), ...defined({ risk, finding, lock }) };
  if (request === undefined || found === undefined || draft.request === undefined) {
    const { kind = '', key = '', action = 'finding', fields = {} } = draft;
    const after = draft.after?.length ? draft.after.map(named) : undefined;
    return { ...shared, kind, key, action, fields, ...defined({ after }), undo: 'none' };
  }
  const after = found.after.length > 0 ? found.after.map(named) : undefined;
  return {
    ...shared,
    kind: draft.kind ?? kindOf(request),
    key: draft.key ?? keyOf(request),
    action: draft.action ?? actionOf(request, found),
    fields: fieldsOf(draft, draft.request, { ...found, wanted: fromsIn(found.wanted, at) }),
    request: requestOf(request, draft.request),
    ...defined({
      after,
      reads: readsOf(reading, found, { at, request, line: draft.line }),
      job: restOf(draft, named),
    }),
    undo: undo?.undo ?? 'none',
    ...defined({ why: undo?.why }),
  };
}

/** What it exposes; what the plan makes is not there yet, so that nobody sees it. */
function exposedBy(draft: PlacedDraft, request: Readable | undefined, found: Found | undefined): string[] {
  if (request === undefined || request.isMade) return [];
  const { op, input } = request;
  return exposuresOf({ op, input, name: draft.key ?? keyOf(request), before: found?.before });
}

function requestOf({ op, input: text }: Readable, { input }: PlannedRequest): PlanRequest {
  const { path } = prepare(op, { path: text.path ?? {} });
  const query = input.query && Object.keys(input.query).length > 0 ? input.query : undefined;
  return {
    operation: op.id,
    method: op.method,
    path: shownPath(path),
    parameters: input.path ?? {},
    ...defined({ query, body: op.body && (input.body ?? {}) }),
  };
}

/** What an operation rests on; undefined where it rests on nothing. */
function readsOf(
  reading: Reading | undefined,
  { expect }: Found,
  { at, request, line }: { at: number; request: Readable; line: PlanLine | undefined },
): PlanReads | undefined {
  if (expect === undefined && reading?.order === undefined) return undefined;
  const { item, order } = reading ?? {};
  const basis = line && basisOf(ruleOf(request.op), line);
  const paths = [...new Set([...(reading?.paths ?? []), ...(basis?.paths(request.input) ?? [])])];
  const state = heldState(fromsIn(expect, at) as State | undefined);
  return {
    paths,
    fields: Object.keys(state ?? {}),
    hash: sha256(canonical({ state: state ?? null, order })),
    ...defined({ item, state, order }),
  };
}

/** A state in which ids that earlier operations make are references again. */
function fromsIn<T>(state: T, at: number): T {
  return withFroms(state, (operation) => Number(operation.slice(1)) <= at) as T;
}

function restOf({ line, proves, waitMs }: PlacedDraft, named: (index: number) => string) {
  const {
    undoes,
    covers,
    sealed,
    partOf,
    restores,
    confirms,
    flags,
    takes = [],
  }: Partial<PlanLine> = line ?? {};
  const others = takes.filter(({ into }) => into[0] !== 'input');
  const rest: PlanLineRest = defined({
    undoes,
    covers,
    sealed,
    partOf: partOf === undefined ? undefined : named(partOf),
    restores,
    confirms,
    proves: proves as PlanLineRest['proves'],
    waitMs,
    flags,
    takes: others.length === 0 ? undefined : others.map((take) => ({ ...take, from: named(take.from) })),
  });
  return Object.keys(rest).length === 0 ? undefined : rest;
}

function countsOf(operations: readonly PlanOperation[]): Plan['counts'] {
  const found = new Map<string, number>();
  for (const { action } of operations) found.set(action, (found.get(action) ?? 0) + 1);
  return Object.fromEntries(
    actions.flatMap((action) => (found.has(action) ? [[action, found.get(action)]] : [])),
  );
}
