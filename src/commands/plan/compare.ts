import { join } from 'node:path';
import type { Client } from '../../api/client.js';
import { DocsError, usageError } from '../../base/errors.js';
import { nodeCrypto } from '../../base/hash.js';
import { endingOf, type Io } from '../../base/io.js';
import { didYouMean, nearest } from '../../base/nearest.js';
import { defined, isObject } from '../../base/values.js';
import type { Session } from '../../cli/declare/session.js';
import { contextId } from '../../cli/resolve/resolve-ids.js';
import { readOnlyClient } from '../../cli/run/organization-folder.js';
import { originOf } from '../../cli/run/origin.js';
import { Naming, takenFromOwners } from '../../organization/files/naming.js';
import type { Early } from '../../organization/live/early.js';
import { readLive } from '../../organization/live/read.js';
import { sentencesOf } from '../../organization/match.js';
import {
  type Address,
  type Desired,
  type DesiredItem,
  guardsAddress,
  type Live,
  type LiveReading,
} from '../../organization/model.js';
import type { PlanOptions } from '../../organization/planner/world.js';
import { prepareHashes } from '../../organization/value.js';
import { startProgress } from '../../output/progress.js';
import { checkLock, type Lock, lockName, readLock } from '../../plans/lock.js';
import type { Plan } from '../../plans/plan.js';
import { nextPiece } from '../../snapshot/gate.js';
import { beginEarly, readDesired } from '../shared/organization-files.js';

/** From a folder and the platform to a plan: what `docs plan`, `docs plan drift` and `docs apply` share. */

/** A folder of the organization as code, read and compared with nothing yet. */
export interface Folder {
  /** Absolute. */
  path: string;
  /** As it was typed. */
  shown: string;
  desired: Desired;
  lock: Lock | undefined;
  organizationId: string;
  /** Reads of the platform that have already begun. */
  early?: Early;
}

interface Choices extends Pick<PlanOptions, 'only' | 'prune' | 'take'> {
  /** Called with what the token may not see, a sentence each. */
  onMissed?: (sentences: readonly string[]) => void;
}

/**
 * Reads a folder and finds out to which organization it belongs.
 * @param shown the folder as it was typed
 * @param only drift: reading begins once the lock is known
 * @param early reads of the platform that have already begun
 * @throws DocsError usage `no_org_folder`; configuration `no_lock` where drift has no lock; as `readFolder`,
 *   `readLock` and `organizationOf`
 */
export async function openFolder(
  session: Session,
  path: string,
  shown: string,
  { only, early }: { only?: PlanOptions['only']; early?: Early | undefined },
): Promise<Folder> {
  try {
    const desired = await readDesired(session, shown);
    const lock = readLock(path);
    if (only === 'drift' && lock === undefined) throw noLock(shown);
    const organizationId = await organizationOf(session, path, lock);
    return { path, shown, desired, lock, organizationId, ...defined({ early }) };
  } catch (cause) {
    early?.end(cause);
    throw cause;
  }
}

/** Without a lock, a change by hand and one in the files look the same. */
function noLock(shown: string): DocsError {
  const message =
    `${join(shown, lockName)} not found; drift is compared with the last pull or apply, which it records; ` +
    'nothing was compared';
  return new DocsError('configuration', 'no_lock', message, { outcome: 'not-sent', hint: 'docs plan' });
}

/** The item of an address. @throws DocsError usage `unknown_item`, with the nearest */
export function itemIn({ items }: Desired, address: string): DesiredItem {
  const item = items.get(address as Address);
  if (item !== undefined) return item;
  const meant = nearest(address, [...items.keys()]);
  const details = meant === undefined ? undefined : { nearest: meant };
  throw usageError(
    'unknown_item',
    `${address} is not in the files${didYouMean(meant)}`,
    defined({ details }),
  );
}

/**
 * The organization of a folder: that of the flag or the settings, else that of its lock.
 * @throws DocsError unauthenticated without a platform; as `checkLock`; as `contextId`
 */
export async function organizationOf(
  session: Session,
  path: string,
  lock: Lock | undefined,
): Promise<string> {
  if (session.signedOut !== undefined) throw session.signedOut;
  const org = session.settings.org?.value ?? lock?.org ?? (await contextId(session, 'org'));
  checkLock(path, lock, { org, origin: originOf(session) });
  return org;
}

/** What the platform shows of what the files name; for drift, of what the lock knows, too. Only reads. */
export async function readNamed(
  session: Session,
  client: Client,
  { desired, lock, organizationId, early }: Pick<Folder, 'desired' | 'lock' | 'organizationId' | 'early'>,
  only?: PlanOptions['only'],
): Promise<Live> {
  if (only === 'drift') return reading(session, client, organizationId, wantsOfDrift(desired, lock));
  const wants = wantsOf(desired, lock);
  const found = await earlyReading(session, client, organizationId, wants, early);
  const live = found ?? (await reading(session, client, organizationId, wants));
  // Where the lock has an id that is gone, a space with the title of the entry is meant.
  const spaces = live.items.get('spaces') ?? [];
  const gone = new Naming(desired, lock, ['spaces', 'fields']).missingIn(spaces);
  const more = gone.size === 0 ? wants : wantsOf(desired, lock, gone);
  const isWhole = spaces.every((one) => wants('spaces', 'fields', one) || !more('spaces', 'fields', one));
  return isWhole ? live : reading(session, client, organizationId, more);
}

/** Reads that have already begun; undefined where they are of something else. */
async function earlyReading(
  session: Session,
  client: Client,
  organizationId: string,
  wants: Wants,
  early: Early | undefined,
): Promise<Live | undefined> {
  if (early === undefined) return undefined;
  const { fits, end } = early;
  if (fits(wants)) {
    const found = await reading(session, client, organizationId, wants, early);
    if (fits(wants)) return found;
  }
  end(new Error('The files name something else.'));
  return undefined;
}

/**
 * Reads the platform, with a spinner that counts.
 * @param early reads that have already begun, if any
 */
export async function reading(
  { io, globals, printer }: Session,
  client: Client,
  organizationId: string,
  wants: Wants,
  early?: Early,
): Promise<Live> {
  const progress = startProgress(io, { text: 'Reading the organization', quiet: globals.quiet ?? false });
  const count = (items: number) => progress.count(items);
  if (early !== undefined) early.progress = count;
  const begun = early?.live ?? readLive(client, organizationId, wants, count);
  const live = await unlessStopped(
    io,
    begun.finally(() => progress.stop()),
  );
  for (const sentence of sentencesOf(live)) printer.warn(sentence);
  return live;
}

/** Stops reads on an interrupt. @throws DocsError interrupted, terminated: nothing was changed */
async function unlessStopped<T>(io: Io, reads: Promise<T>): Promise<T> {
  const ending = endingOf(io);
  try {
    return await reads;
  } catch (cause) {
    if (ending.reason === undefined || !(cause instanceof DocsError)) throw cause;
    throw new DocsError(cause.kind, cause.kind, 'interrupted while reading; nothing was changed', {
      outcome: 'not-sent',
    });
  }
}

type Wants = LiveReading['wants'];

/** What a comparison needs: kinds with an item, or with a list whose other items matter, and their fields. */
function wantsOf(desired: Desired, lock: Lock | undefined, gone?: ReadonlySet<string>): Wants {
  const { items, scopes } = desired;
  const fields = new Map<string, Set<string>>();
  // Whether the last membership that was taken from the files is still there, only the platform can tell.
  const kinds = new Set<string>(takenFromOwners(desired, lock));
  for (const { kind, fields: own } of items.values()) {
    const named = fields.get(kind) ?? new Set();
    fields.set(kind, named);
    for (const field in own) named.add(field);
  }
  for (const { kinds: listed, manage } of scopes)
    if (manage === 'exact') for (const kind of listed) kinds.add(kind);
  const naming = new Map<string, Naming>();
  return (kind, field, of) => {
    if (field === undefined) return kinds.has(kind) || fields.has(kind);
    const isNamed = fields.get(kind)?.has(field) === true;
    if (of === undefined || !isNamed) return isNamed;
    const words = `${kind} ${field}`;
    const named = naming.get(words) ?? new Naming(desired, lock, [kind, field], gone);
    naming.set(words, named);
    return named.has(of);
  };
}

/** What drift compares: kinds that the files name or that the lock knows, with all their fields. */
function wantsOfDrift(desired: Desired, lock: Lock | undefined): Wants {
  const [named, known] = [wantsOf(desired, lock), kindsIn(lock)];
  return (kind) => named(kind) || known.has(kind);
}

/** The kinds of the items that were pulled or applied. */
export function kindsIn(lock: Lock | undefined): ReadonlySet<string> {
  const items = Object.keys(lock?.items ?? {}).filter((item) => item !== guardsAddress);
  return new Set(items.map((item) => item.slice(0, item.indexOf('/'))));
}

/** What the lists of a folder hold, with all fields: items that are new on the platform are written into them. */
export function wantsOfLists({ items, scopes }: Desired): Wants {
  const listed = scopes.filter(({ manage }) => manage !== 'none').flatMap(({ kinds }) => kinds);
  const kinds = new Set<string>([...listed, ...[...items.values()].map(({ kind }) => kind)]);
  return (kind) => kinds.has(kind);
}

/** The title of the organization for the head of the plan, unless it comes from the environment. */
function titleOf({ desired }: Folder, live: Live): string | undefined {
  const named = desired.items.get('organization/organization')?.fields.title;
  return isObject(named) ? undefined : live.items.get('organization')?.[0]?.title;
}

/**
 * Compares a folder with the platform and makes the plan that brings the platform in line with the files.
 * @param command its words: `plan`
 * @throws DocsError usage `env_unset`; as the reads
 */
export async function compare(
  session: Session,
  command: string,
  folder: Folder,
  { onMissed, ...choices }: Choices,
): Promise<Plan> {
  const { io, globals } = session;
  for (const address of choices.take.keys()) itemIn(folder.desired, address);
  const client = await readOnlyClient(session);
  const read = readNamed(session, client, folder, choices.only);
  const [live, planner] = await Promise.all([read, loadPlanner(session, command, folder)]);
  const { planOrganization, snapshotReads, planDrafts } = planner;
  onMissed?.(sentencesOf(live));
  const title = titleOf(folder, live);
  const facts = { ...planner.facts, nowMs: io.now(), ...(title && { title }) };
  const { by } = facts;
  const self = by === 'unknown' ? undefined : by;
  const options = { ...choices, ...defined({ self }), env: io.env, watches: true };
  const { drafts, settled, risks, notes } = planOrganization(folder.desired, live, folder.lock, options);
  // With --yes, nobody reads it before the plan is applied.
  const isRead = command !== 'apply' || globals.dryRun === true || globals.yes !== true;
  const planned = { drafts, risks, notes, isRead, lock: settled };
  return unlessStopped(io, planDrafts(session, snapshotReads(live, client), facts, planned));
}

/** The planner, loaded piece by piece while the platform answers, and what a plan needs of all else. */
async function loadPlanner(session: Session, command: string, { desired, lock, ...folder }: Folder) {
  const planner = await import('../../organization/planner/plan.js');
  await nextPiece();
  const snapshot = await import('../../organization/live/snapshot.js');
  await nextPiece();
  const make = await import('../../cli/run/make-plan.js');
  await nextPiece();
  const own = { organization: folder.organizationId, folder: folder.shown };
  const facts = await make.planFacts(session, command, own);
  nodeCrypto(); // To load it takes as long as all hashes.
  await nextPiece();
  if (lock !== undefined) prepareHashes(desired.items.values());
  return { ...planner, ...snapshot, ...make, facts };
}

/**
 * The plan of a folder, and whether the lock is complete once it is applied. Nothing else that was read outlives this
 * function: of a large organization it is much, and the job needs the plan alone.
 */
export async function planToApply(
  session: Session,
  path: string,
  shown: string,
  choices: Choices,
): Promise<{ plan: Plan; isComplete: boolean }> {
  const folder = await openFolder(session, path, shown, { early: await beginEarly(session, path) });
  const plan = await compare(session, 'apply', folder, choices);
  const { staysWhole } = await import('../../organization/planner/baseline.js');
  const changes = [...(plan.lock ?? []), ...plan.operations.flatMap(({ lock }) => lock ?? [])];
  return { plan, isComplete: staysWhole(folder.desired, folder.lock, changes) };
}
