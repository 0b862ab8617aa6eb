import { randomBytes } from 'node:crypto';
import { prepare } from '../api/client.js';
import { pathParameters } from '../api/operation.js';
import { DocsError } from '../base/errors.js';
import { defined } from '../base/values.js';
import type { Change } from '../jobs/change.js';
import { exposuresOf } from '../jobs/exposure.js';
import { basisOf } from '../jobs/look.js';
import { forecasts, type PlannedChange, surveyed } from '../jobs/outlook.js';
import type { Reads } from '../jobs/reads.js';
import {
  changeId,
  changeIndex,
  findReferences,
  parseReferences,
  replaceReferences,
  shownPath,
  shownReference,
  showReferences,
} from '../jobs/references.js';
import type { Forecast } from '../jobs/rule.js';
import { anchorOf } from '../jobs/rules/builders.js';
import { canonical, heldState, type State, sha256 } from '../jobs/state.js';
import { ruleOf } from '../jobs/undo-rules.js';
import { actionOf, fieldsOf, keyOf, kindOf } from './described.js';
import { hashOfPlan } from './file.js';
import { type OperationBasis, Overlay, type Readable, type Reading, readStates } from './overlay.js';
import type { Draft, Plan, PlanHead, PlanOperation, PlanReads, PlanRequest } from './plan.js';
import { actions, planVersion } from './schema.js';

export type PlanFacts = Omit<PlanHead, 'plan' | 'id' | 'hash' | 'madeAt' | 'counts'> & { nowMs: number };

/**
 * Reads what each change rests on, foresees its undo, and makes the plan. Sends nothing but reads.
 * @param reads may remember what they read
 * @throws DocsError where the platform is out of reach
 */
export async function makePlan(reads: Reads, facts: PlanFacts, drafts: readonly Draft[]): Promise<Plan> {
  const { nowMs, ...head } = facts;
  const all = drafts.map(withoutFormerIds);
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

/** A draft whose request names what an undo makes anew by references alone. */
function withoutFormerIds(draft: Draft): Draft {
  const { request } = draft;
  if (request === undefined) return draft;
  const input = replaceReferences(request.input, ({ $from, path }) => ({ $from, path }));
  return { ...draft, request: { ...request, input } };
}

/**
 * A plan with one change to something that does not exist is refused, as the change itself would be. Among several
 * changes it is a risk, since the others can be applied.
 */
function refuseMissing(
  requests: readonly (Readable | undefined)[],
  readings: readonly (Reading | undefined)[],
  drafts: readonly Draft[],
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
function isMissing({ op }: Readable, reading: Reading | undefined, { job }: Draft): boolean {
  const changes = op.method === 'PATCH' || op.method === 'DELETE';
  const isUndo = job?.undoes !== undefined || job?.partOf !== undefined;
  return changes && !isUndo && !ruleOf(op).creates && reading?.state === null;
}

function readable({ op, input, id }: Change): Readable {
  const isMade = findReferences(input.path).length > 0;
  const text = showReferences(input);
  return {
    op,
    input: text,
    id: isMade ? (text.path?.[pathParameters(op.path).at(-1) ?? ''] ?? id) : id,
    isMade,
  };
}

/** What each operation finds once those before it are done. */
function overlaid(
  drafts: readonly Draft[],
  requests: readonly (Readable | undefined)[],
  readings: readonly (Reading | undefined)[],
): (OperationBasis | undefined)[] {
  const overlay = new Overlay();
  const movers = new Map<string, number>();
  return requests.map((request, at) => {
    if (request === undefined) return undefined;
    const found = overlay.next(at, request, readings[at]);
    const { after = [], request: asked, job, expect: own } = drafts[at] as Draft;
    const { orders } = ruleOf(request.op);
    // A move goes beside what an earlier one put in its place.
    const anchor = orders && movers.get(anchorOf(request.input) ?? '');
    if (orders) movers.set(request.id, at);
    const makers = findReferences([asked?.input, job?.proves]).map(({ $from }) => $from);
    const earlier = [...after, ...makers].map(changeIndex);
    const all = new Set([...earlier, ...found.after, ...(anchor === undefined ? [] : [anchor])]);
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
  found: readonly (OperationBasis | undefined)[],
): Promise<ReadonlyMap<number, Forecast>> {
  const changes: PlannedChange[] = requests.flatMap((request, item) => {
    if (request === undefined) return [];
    const { op, input, id } = request;
    const { key } = ruleOf(op).makes ?? {};
    const makes = key && shownReference({ $from: changeId(item), path: key });
    return [{ op, input, id, item, makes, after: found[item]?.after, before: found[item]?.before }];
  });
  const told = forecasts(await surveyed(reads, changes));
  return new Map(changes.map(({ item }, at) => [item as number, told[at] as Forecast]));
}

interface Known {
  request: Readable | undefined;
  reading: Reading | undefined;
  found: OperationBasis | undefined;
  undo: Forecast | undefined;
}

function operationOf(draft: Draft, at: number, { request, reading, found, undo }: Known): PlanOperation {
  const { finding, lock, job } = draft;
  const absent = request !== undefined && isMissing(request, reading, draft);
  const own =
    draft.risk ?? (absent ? `${request.id} does not exist, so the platform will refuse this.` : undefined);
  const risk = [own, ...exposedBy(draft, request, found)].filter(Boolean).join(' ') || undefined;
  const shared = { id: changeId(at), ...defined({ risk, finding, lock }) };
  if (request === undefined || found === undefined || draft.request === undefined) {
    const { kind = '', key = '', action = 'finding', fields = {} } = draft;
    const after = draft.after?.length ? draft.after : undefined;
    return { ...shared, kind, key, action, fields, ...defined({ after }), undo: 'none' };
  }
  const after = found.after.length > 0 ? found.after.map(changeId) : undefined;
  return {
    ...shared,
    kind: draft.kind ?? kindOf(request),
    key: draft.key ?? keyOf(request),
    action: draft.action ?? actionOf(request, found),
    fields: fieldsOf(draft, draft.request, { ...found, wanted: fromsIn(found.wanted, at) }),
    request: requestOf(request, draft.request),
    ...defined({
      after,
      reads: readsOf(reading, found, { at, request, expect: draft.expect }),
      job,
    }),
    undo: undo?.undo ?? 'none',
    ...defined({ why: undo?.why }),
  };
}

/** What it exposes; what the plan makes is not there yet, so that nobody sees it. */
function exposedBy(draft: Draft, request: Readable | undefined, found: OperationBasis | undefined): string[] {
  if (request === undefined || request.isMade) return [];
  const { op, input } = request;
  return exposuresOf({ op, input, name: draft.key ?? keyOf(request), before: found?.before });
}

function requestOf({ op, input: text }: Readable, { input }: Change): PlanRequest {
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
  { expect }: OperationBasis,
  { at, request, expect: own }: { at: number; request: Readable; expect: State | undefined },
): PlanReads | undefined {
  if (expect === undefined && reading?.order === undefined) return undefined;
  const { item, order } = reading ?? {};
  const basis = basisOf(ruleOf(request.op), defined({ expect: own }));
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
  return parseReferences(state, (change) => changeIndex(change) < at);
}

function countsOf(operations: readonly PlanOperation[]): Plan['counts'] {
  const found = new Map<string, number>();
  for (const { action } of operations) found.set(action, (found.get(action) ?? 0) + 1);
  return Object.fromEntries(
    actions.flatMap((action) => (found.has(action) ? [[action, found.get(action)]] : [])),
  );
}
