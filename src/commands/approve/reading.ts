import { DocsError, usageError } from '../../base/errors.js';
import { sameName } from '../../base/name.js';
import type { Session } from '../../cli/declare/session.js';
import { type NamedId, namedBy, namesOf } from '../../cli/run/names.js';
import { readsOf } from '../../jobs/reads.js';
import { startProgress } from '../../output/progress.js';
import { makePlan } from '../../plans/make.js';
import { differences } from '../../plans/misdescribed.js';
import { draftsOf, itemsOf, sends } from '../../plans/operation.js';
import type { ChangeDraft, Plan, PlanOperation } from '../../plans/plan.js';
import { rememberingClient } from '../../snapshot/organization.js';

/**
 * A plan as the platform shows it to whoever approves it: names, states and undo are read with their token, and what
 * the plan says of them is believed nowhere.
 */

/** Commands whose plans call things by keys of their own: of files, of backups, of versions. */
const ownKeys: ReadonlySet<string> = new Set([
  ...['plan', 'apply', 'plan drift', 'drift', 'backup restore', 'change-requests stale', 'links fix'],
  ...['sites release cut', 'release cut', 'sites arrange'],
]);

export interface AsRead {
  /** With undo and risks as they are found now. */
  plan: Plan;
  /** Every id that its requests hold. */
  names: readonly NamedId[];
}

/**
 * Reads what a plan is about. Sends nothing but reads.
 * @param done operations that its job did already
 * @throws DocsError usage `plan_misdescribed` where the platform shows something else than the plan says; where the
 *   platform is out of reach, or nobody is signed in
 */
export async function planAsRead(session: Session, plan: Plan, done: ReadonlySet<string>): Promise<AsRead> {
  const { io } = session;
  const client = rememberingClient(await session.client({ readOnly: true, timeoutPerRequest: true }));
  const progress = startProgress(io, { text: 'Reading the items of the plan', quiet: false });
  try {
    const drafts = draftsOf(itemsOf(plan)).map(unbelieved);
    const requests = drafts.map(({ change }) => change);
    const names = await namesOf(client, requests, plan.organization);
    const fresh = await made(io.now(), client, plan, drafts);
    const sent = plan.operations.filter(sends);
    const faults = sent.flatMap((operation, at) => {
      if (done.has(operation.id)) return [];
      const own = itemFault(plan, operation, drafts[at], names);
      return [...own, ...differences(operation, fresh[at])].map((fault) => `${operation.id}: ${fault}`);
    });
    if (faults.length > 0) throw notAsSaid(faults);
    const now = new Map(sent.map(({ id }, at) => [id, fresh[at]]));
    const operations = plan.operations.map((one) => withFound(one, now.get(one.id)));
    return { plan: { ...plan, operations }, names: [...names.values()] };
  } finally {
    progress.stop();
  }
}

/** Only the requests: what they must find is read. */
function unbelieved({ change }: ChangeDraft): ChangeDraft {
  return { change: { ...change, expect: undefined } };
}

async function made(
  nowMs: number,
  client: Parameters<typeof readsOf>[0],
  { plan: _, id: __, hash: ___, madeAt: ____, counts: _____, operations: ______, ...facts }: Plan,
  drafts: readonly ChangeDraft[],
): Promise<readonly PlanOperation[]> {
  try {
    return (await makePlan(readsOf(client), { ...facts, nowMs }, drafts)).operations;
  } catch (cause) {
    if (!(cause instanceof DocsError) || cause.code !== 'not_found') throw cause;
    throw notAsSaid([`o1: ${drafts[0]?.change.id} does not exist on the platform`]);
  }
}

/** What a plan calls an item must be what people call it. */
function itemFault(
  { command }: Plan,
  { key, lock }: PlanOperation,
  draft: ChangeDraft | undefined,
  names: ReadonlyMap<string, NamedId>,
): string[] {
  if (lock !== undefined || ownKeys.has(command) || draft === undefined) return [];
  const parts = namedBy(draft).map(({ id }) => [id, ...(names.get(id)?.names ?? [])]);
  const calls = parts.reduce<string[]>(
    (all, own) => (all.length === 0 ? own : all.flatMap((one) => own.map((name) => `${one}/${name}`))),
    [],
  );
  const last = parts.at(-1) ?? [];
  if (calls.length === 0 || [...calls, ...last].some((call) => sameName(call, key))) return [];
  const [id = '', name] = last;
  return [`the plan says ${key}, and ${id} is ${name ?? 'not readable with this token'}`];
}

function withFound(operation: PlanOperation, found: PlanOperation | undefined): PlanOperation {
  if (found === undefined) return operation;
  const { why: _, risk, ...rest } = operation;
  const risks = [risk, found.risk].filter((one) => one !== undefined);
  const told = risks.filter((one, at) => !risks.some((other, place) => place < at && other.includes(one)));
  return {
    ...rest,
    undo: found.undo,
    ...(found.why !== undefined && { why: found.why }),
    ...(told.length > 0 && { risk: told.join(' ') }),
  };
}

/** Faults that the message shows; the others are counted. */
const most = 5;

function notAsSaid(faults: readonly string[]): DocsError {
  const more = faults.length > most ? `; and ${faults.length - most} more` : '';
  const message = `the platform does not show what the plan says: ${faults.slice(0, most).join('; ')}${more}.`;
  const hint = 'docs plan --help';
  const details = { reasons: [{ code: 'plan_misdescribed', message, hint }] };
  return usageError('plan_misdescribed', `${message} Nothing was signed.`, { hint, details });
}
