import { prepare } from '../api/client.js';
import { pathParameters } from '../api/operation-facts.js';
import { DocsError } from '../base/errors.js';
import { sha256 } from '../base/hash.js';
import { defined, findParts, isText } from '../base/values.js';
import {
  type Change,
  changeId,
  changeIndex,
  findReferences,
  isShownReference,
  parseReferences,
  replaceReferences,
  shownPath,
  shownReference,
  showReferences,
} from '../jobs/change.js';
import { exposuresOf } from '../jobs/exposure.js';
import type { PlannedChange } from '../jobs/journal.js';
import { basisOf } from '../jobs/look.js';
import { forecasts, surveyed } from '../jobs/outlook.js';
import type { Reads } from '../jobs/reads.js';
import type { Forecast } from '../jobs/rule.js';
import { anchorOf } from '../jobs/rules/builders.js';
import { canonical, heldState, type State } from '../jobs/state.js';
import { ruleOf } from '../jobs/undo-rules.js';
import { actionOf, fieldsOf, keyOf, kindOf } from './described.js';
import { detailsOf } from './operation.js';
import { type OperationBasis, Overlay, type Readable, type Reading, readStates } from './overlay.js';
import type { ChangeDraft, PlanOperation, PlanReads, PlanRequest } from './plan.js';

/**
 * The operations of changes: reads what each rests on, and foresees its undo. Sends nothing but reads.
 * @param isAlone whether a change to something that does not exist is refused
 * @throws DocsError where the platform is out of reach
 */
export async function plannedChanges(
  reads: Reads,
  changes: readonly ChangeDraft[],
  isAlone: boolean,
): Promise<PlanOperation[]> {
  const requests = changes.map(({ change }) => readable(change));
  const readings = await readStates(reads, requests);
  if (isAlone) refuseMissing(requests, readings);
  const found = overlaid(requests, readings);
  const undo = await foreseen(reads, found);
  return changes.map((draft, at) => operationOf(draft, at, found[at] as ReadBasis, undo[at] as Forecast));
}

/**
 * A plan with one change to something that does not exist is refused, as the change itself would be. Among several
 * changes it is a risk, since the others can be applied.
 */
function refuseMissing([request]: readonly Readable[], [reading]: readonly (Reading | undefined)[]): void {
  if (request === undefined || !isMissing(request, reading)) return;
  const message = `${request.op.id}: ${request.id} not found; no plan was made`;
  const hint = 'docs auth status';
  throw new DocsError('not-found', 'not_found', message, { outcome: 'not-sent', hint });
}

/** Whether a change targets something that does not exist. A PUT may create it; an undo states what it expects. */
function isMissing({ op, undoes, partOf }: Readable, reading: Reading | undefined): boolean {
  const changes = op.method === 'PATCH' || op.method === 'DELETE';
  const isUndo = undoes !== undefined || partOf !== undefined;
  return changes && !isUndo && !ruleOf(op).creates && reading?.state === null;
}

function readable(change: Change): Readable {
  // What an undo makes anew is named by references alone.
  const sent = replaceReferences(change.input, ({ $from, path }) => ({ $from, path }));
  const input = showReferences(sent);
  const isMade = findReferences(sent.path).length > 0;
  const made = input.path?.[pathParameters(change.op.path).at(-1) ?? ''];
  return {
    ...change,
    ...detailsOf(change),
    input,
    sent,
    isMade,
    id: (isMade ? made : undefined) ?? change.id,
  };
}

/** A request, what the platform shows for it, and what it finds once those before it are done. */
interface ReadBasis extends OperationBasis {
  request: Readable;
  reading: Reading | undefined;
  /** Titles and the like that look like an id to come, and are none. */
  texts: ReadonlySet<string>;
}

function overlaid(requests: readonly Readable[], readings: readonly (Reading | undefined)[]): ReadBasis[] {
  const movers = new Map<string, number>();
  const known = [requests.map(({ sent, expect }) => [sent.body, expect]), readings.map((one) => one?.state)];
  const texts = new Set(findParts(known, isText).filter(isShownReference));
  const overlay = new Overlay(texts);
  return requests.map((request, at) => {
    const reading = readings[at];
    const basis = overlay.next(at, request, reading);
    const { after = [], sent, proves, expect: own } = request;
    const { orders } = ruleOf(request.op);
    // A move goes beside what an earlier one put in its place.
    const anchor = orders && movers.get(anchorOf(request.input) ?? '');
    if (orders) movers.set(request.id, at);
    const makers = findReferences([sent, proves]).map(({ $from }) => changeIndex($from));
    const all = new Set([...after, ...makers, ...basis.after, ...(anchor === undefined ? [] : [anchor])]);
    return {
      ...{ ...basis, request, reading, texts },
      after: [...all].sort((a, b) => a - b),
      ...(own !== undefined && { before: own, expect: own }),
    };
  });
}

/** What undo will be able to do about each request. */
async function foreseen(reads: Reads, found: readonly ReadBasis[]): Promise<Forecast[]> {
  const changes = found.map(({ request, after, before }, item): PlannedChange => {
    const { key } = ruleOf(request.op).makes ?? {};
    const makes = key && shownReference({ $from: changeId(item), path: key });
    return { ...request, item, makes, after, before };
  });
  return forecasts(await surveyed(reads, changes));
}

function operationOf(draft: ChangeDraft, at: number, found: ReadBasis, undo: Forecast): PlanOperation {
  const { request, reading } = found;
  const absent = isMissing(request, reading);
  const own =
    draft.risk ?? (absent ? `${request.id} does not exist, so the platform will refuse this.` : undefined);
  const risk = [own, ...exposedBy(draft, found)].filter(Boolean).join(' ') || undefined;
  const after = found.after.length > 0 ? found.after.map(changeId) : undefined;
  return {
    id: changeId(at),
    ...defined({ risk, lock: request.lock }),
    kind: draft.kind ?? kindOf(request),
    key: draft.key ?? keyOf(request),
    action: draft.action ?? actionOf(request, found),
    fields: fieldsOf(
      draft,
      { ...request, input: request.sent },
      { ...found, wanted: fromsIn(found.wanted, at, found) },
    ),
    request: requestOf(request),
    ...defined({ after, reads: readsOf(found, at), job: request.job }),
    undo: undo.undo,
    ...defined({ why: undo.why }),
  };
}

/** What it exposes; what the plan makes is not there yet, so that nobody sees it. */
function exposedBy(draft: ChangeDraft, { request, before }: ReadBasis): string[] {
  if (request.isMade) return [];
  const { op, input } = request;
  return exposuresOf({ op, input, name: draft.key ?? keyOf(request), before });
}

function requestOf({ op, input, sent }: Readable): PlanRequest {
  const { path } = prepare(op, { path: input.path ?? {} });
  const query = sent.query && Object.keys(sent.query).length > 0 ? sent.query : undefined;
  return {
    operation: op.id,
    method: op.method,
    path: shownPath(path),
    parameters: sent.path ?? {},
    ...defined({ query, body: op.body && (sent.body ?? {}) }),
  };
}

/** What an operation rests on; undefined where it rests on nothing. */
function readsOf({ request, reading, expect, texts }: ReadBasis, at: number): PlanReads | undefined {
  if (expect === undefined && reading?.order === undefined) return undefined;
  const { item, order } = reading ?? {};
  const basis = basisOf(ruleOf(request.op), request);
  const paths = [...new Set([...(reading?.paths ?? []), ...(basis?.paths(request.input) ?? [])])];
  const state = heldState(fromsIn(expect, at, { texts }) as State | undefined);
  return {
    paths,
    fields: Object.keys(state ?? {}),
    hash: sha256(canonical({ state: state ?? null, order })),
    ...defined({ item, state, order }),
  };
}

/** A state in which ids that earlier operations make are references again. */
function fromsIn<T>(state: T, at: number, { texts }: Pick<ReadBasis, 'texts'>): T {
  return parseReferences(state, (change, text) => changeIndex(change) < at && !texts.has(text));
}
