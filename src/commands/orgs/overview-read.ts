import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { certificateFacts } from '../../access/certificate.js';
import { sourceLists } from '../../api/organization-spaces.js';
import type { SamlProvider } from '../../api/resources/saml.js';
import { type Space, spaceVisibilities } from '../../api/resources/spaces.js';
import { roles } from '../../api/shapes.js';
import { Folder } from '../../backup/folder.js';
import { type Counts, manifestName, readManifest } from '../../backup/manifest.js';
import { runsOf } from '../../backup/records.js';
import type { LoggedRun } from '../../backup/shapes.js';
import { DocsError } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import { defined } from '../../base/values.js';
import { Exempt, staleAmong } from '../../change-requests/find-stale.js';
import { usualDays } from '../../change-requests/stale.js';
import { JobFolder } from '../../jobs/job-folder.js';
import { summarizeJob } from '../../jobs/job-summary.js';
import { lastRun, type RunOrganization } from '../../jobs/last-runs.js';
import { RequestLists, type SpaceRequest } from '../../snapshot/change-requests.js';
import { countsOf, type MapPart, type OrganizationParts, readMap } from '../../snapshot/parts.js';
import { Tasks } from '../../snapshot/tasks.js';
import { type Reading, type Unread, unreadWords } from '../../snapshot/unread.js';
import {
  certificateDays,
  type Missing,
  mostJobs,
  type Overview,
  type OverviewJob,
  type OverviewPart,
} from './shapes.js';

/** What the platform tells of an organization, for `docs overview`: what `docs orgs map` reads, and change requests. */

export type PlatformFacts = Pick<
  Overview,
  'organization' | 'members' | 'spaces' | 'sites' | 'changeRequests' | 'openapi' | 'saml'
>;

/** When it is, and the member whose warnings count, where that is known. */
interface AsOf {
  nowMs(): number;
  owner: string | undefined;
}

/**
 * Reads all parts. Those that cannot be read are null.
 * @throws DocsError as `readMap`; as `readFailure`
 */
export async function readPlatform(
  reading: Reading,
  asOf: AsOf,
): Promise<{ facts: PlatformFacts; missing: Missing[]; found: OrganizationParts }> {
  const tasks = new Tasks(reading.concurrency);
  const lists = new RequestLists(reading, tasks, { statuses: ['open'] });
  // Some lists leave out where a space is published.
  const published = new Set<string>();
  const onSpace = (space: Space) => {
    if ((space.urls?.published ?? space.urls?.public) !== undefined) published.add(space.id);
    lists.visit(space);
  };
  const found = await readMap(reading, { parts, pages: false, people: false, onSpace }, tasks);
  const missing = found.missing.flatMap(({ unread }) => {
    const part = partsOf[unread.kind];
    return part === undefined ? [] : [missingOf(part, unread)];
  });
  const { organization, members, sites, openapi, saml } = listFacts(found, asOf.nowMs());
  const { spaces, changeRequests, missing: more } = await spacesOf(reading, found, lists, published, asOf);
  const facts = { organization, members, spaces, sites, changeRequests, openapi, saml };
  return { facts, missing: [...missing, ...more], found };
}

const parts: ReadonlySet<MapPart> = new Set(['spaces', 'people', 'openapi', 'saml']);

/** The parts that are one list each, by what was not read of them. */
const partsOf: Readonly<Record<string, OverviewPart>> = {
  organization: 'organization',
  'members-of': 'members',
  sites: 'sites',
  'OpenAPI-specs-of': 'openapi',
  'SAML-providers-of': 'saml',
};

/** Kinds of lists in the words of this report. */
function missingOf(part: OverviewPart, unread: Unread): Missing {
  const kind = part === 'sites' ? 'sites of' : unread.kind;
  return { part, what: unreadWords({ ...unread, kind }), error: unread.error };
}

type ListFacts = Pick<PlatformFacts, 'organization' | 'members' | 'sites' | 'openapi' | 'saml'>;

/** A list of which a part could not be read tells no number. */
function listFacts(
  { organization, people, sites, specs, providers, missing }: OrganizationParts,
  nowMs: number,
): ListFacts {
  const isUnread = (part: OverviewPart) => missing.some(({ unread }) => partsOf[unread.kind] === part);
  const failed = [...specs.values()].flatMap(
    ({ slug, processingState: state, lastProcessErrorCode: error }) =>
      error === undefined ? [] : [{ slug, state, error }],
  );
  const roleNames = [...people.values()].map(({ role }) => role);
  return {
    organization: organization
      ? { id: organization.id, title: organization.title, plan: organization.plan ?? null }
      : null,
    members: isUnread('members')
      ? null
      : { total: people.size, roles: countsOf(roleNames, [...roles, 'guest']) },
    sites: isUnread('sites')
      ? null
      : { total: sites.size, published: [...sites.values()].filter(({ site }) => site.published).length },
    openapi: isUnread('openapi') ? null : { total: specs.size, failed },
    saml: isUnread('saml')
      ? null
      : {
          total: providers.size,
          certificates: [...providers.values()].flatMap((one) => expiring(one, nowMs)),
        },
  };
}

type Expiring = NonNullable<Overview['saml']>['certificates'][number];

/** A provider whose certificate is not valid, or not for long. */
function expiring({ id, label, certificate }: SamlProvider, nowMs: number): Expiring[] {
  const { state, expiresAt, days } = certificateFacts(certificate, nowMs);
  const isSoon = days !== undefined && days <= certificateDays;
  if (state === 'valid' && !isSoon) return [];
  const shown = state === 'valid' ? 'expires-soon' : state;
  return [{ id, label, certificate: shown, ...defined({ expiresAt, days }) }];
}

const dayMs = 86_400_000;

interface FoundSpaces extends Pick<Overview, 'spaces' | 'changeRequests'> {
  missing: Missing[];
}

/** Spaces and their open change requests: found as `docs spaces list` and `docs change-requests list` find them. */
async function spacesOf(
  reading: Reading,
  { spaces, walk = { order: [], unread: [] } }: OrganizationParts,
  lists: RequestLists,
  published: ReadonlySet<string>,
  asOf: AsOf,
): Promise<FoundSpaces> {
  const { unread } = walk;
  const { requests, unread: missed } = lists.inOrder(walk.order, []);
  const unreadParts = [
    ...unread.map((one) => missingOf('spaces', one)),
    ...missed.map((one) => missingOf('changeRequests', one)),
  ];
  // Nothing is known of spaces where none was found and a list of lists is missing.
  if (spaces.size === 0 && unread.some(({ kind }) => kind in sourceLists))
    return { spaces: null, changeRequests: null, missing: unreadParts };
  const stale = await staleOf(reading, requests, asOf);
  const isPart = unread.length + missed.length > 0;
  return {
    spaces: spaceFacts([...spaces.values()], published.size, unread.length > 0),
    changeRequests: {
      open: requests.length + countedOnly(requests, missed, spaces),
      ...{ stale: stale.count, staleDays: usualDays.olderThan, atLeast: isPart || stale.atLeast },
    },
    missing: [...unreadParts, ...stale.missing],
  };
}

/** Open ones of spaces whose list could not be read, but whose counters say how many it has. */
function countedOnly(
  requests: readonly SpaceRequest[],
  missed: readonly Unread[],
  spaces: ReadonlyMap<string, Space>,
): number {
  return missed.reduce((sum, { id }) => {
    const read = requests.filter(({ space }) => space.id === id).length;
    return sum + Math.max((spaces.get(id)?.changeRequestsOpen ?? 0) - read, 0);
  }, 0);
}

function spaceFacts(spaces: readonly Space[], published: number, atLeast: boolean): Overview['spaces'] {
  const visibility = countsOf(
    spaces.map((space) => space.visibility),
    spaceVisibilities,
  );
  return { total: spaces.length, published, visibility, atLeast };
}

interface StaleCount {
  count: number;
  /** Whether there may be more. */
  atLeast: boolean;
  missing: Missing[];
}

/** As many as `docs change-requests stale --list` lists. */
async function staleOf(
  reading: Reading,
  requests: readonly SpaceRequest[],
  { nowMs, owner }: AsOf,
): Promise<StaleCount> {
  let isOwnerKnown = true;
  const terms = { olderThanMs: usualDays.olderThan * dayMs, warnMs: usualDays.warn * dayMs, archive: false };
  const asked = { ...terms, reading, exempt: new Exempt([]), nowMs, warner };
  const { stale, unread } = await staleAmong({ requests, unread: [] }, asked);
  const undated = requests.filter(({ updatedAt }) => Number.isNaN(Date.parse(String(updatedAt))));
  const missed = [...unread.map((one) => missingOf('changeRequests', one)), ...undated.map(undatedOne)];
  return { count: stale.length, atLeast: missed.length > 0 || !isOwnerKnown, missing: missed };

  // A ping would tell whose token it is, but an overview only reads. Among several, none is taken for the owner.
  async function warner(authors: readonly string[]): Promise<string> {
    const known = owner ?? (authors.length === 1 ? authors[0] : undefined);
    isOwnerKnown = known !== undefined;
    return known ?? '';
  }
}

/** Whether it is stale cannot be told. */
function undatedOne({ id, space }: SpaceRequest): Missing {
  const message = 'the platform does not say when it was last updated';
  const error = new DocsError('bad-response', 'wrong_shape', message, { outcome: 'done' });
  const what = unreadWords({ kind: 'change-request', id, space: space.title, error });
  return { part: 'changeRequests', what, error };
}

/** What this machine knows of an organization: its last link check and backup, and its jobs. */

type LocalFacts = Pick<Overview, 'links' | 'backup' | 'jobs'>;

export function localFacts(io: Io, place: RunOrganization): { facts: LocalFacts; missing: Missing[] } {
  const missing: Missing[] = [];
  const told = <T>(part: OverviewPart, read: () => T): T | null => {
    try {
      return read();
    } catch (cause) {
      if (!(cause instanceof DocsError)) throw cause;
      missing.push({ part, what: cause.message, error: cause });
      return null;
    }
  };
  const facts = {
    links: told('links', () => linksOf(io, place)),
    backup: told('backup', () => backupOf(io, place)),
    jobs: told('jobs', () =>
      jobsOf(io, place, (error) => missing.push({ part: 'jobs', what: error.message, error })),
    ),
  };
  return { facts, missing };
}

function linksOf(io: Io, place: RunOrganization): Overview['links'] {
  const run = lastRun(io, place, 'links');
  if (run === undefined) return null;
  const { at, broken, spaces, of, unread } = run;
  return { checkedAt: at, ageSeconds: ageOf(at, io.now()), broken, spaces, of, unread };
}

function backupOf(io: Io, place: RunOrganization): Overview['backup'] {
  const run = lastRun(io, place, 'backup');
  if (run === undefined) return null;
  const { at, folder, state, failed } = run;
  const folderExists = existsSync(join(folder, manifestName));
  return { finishedAt: at, ageSeconds: ageOf(at, io.now()), folder, folderExists, state, failed };
}

/** A clock that was set back makes no age negative. */
function ageOf(at: string, nowMs: number): number {
  return Math.max(0, Math.floor((nowMs - Date.parse(at)) / 1000));
}

/** The jobs of the platform that name this organization, or none. */
function jobsOf(
  io: Io,
  { origin, organization }: RunOrganization,
  onIssue: (issue: DocsError) => void,
): Overview['jobs'] {
  const folder = new JobFolder(io);
  // Before the journals, so that a job which ends meanwhile is running, not unfinished.
  const workers = folder.workers();
  const all = folder.readAll(onIssue);
  const own = all.filter(
    ({ header }) => header.origin === origin && (header.org ?? organization) === organization,
  );
  const undoing = all.filter(({ header }) => header.undoes !== undefined);
  const jobs = own.map((job): OverviewJob => {
    const { id, command, state, at, unknown, left } = summarizeJob(job, workers, undoing);
    return { id, command, state, at, left: unknown + left };
  });
  const unfinished = jobs.filter(isUnfinished);
  const last = [...unfinished, ...jobs.filter((job) => !isUnfinished(job))].slice(0, mostJobs);
  return { total: jobs.length, unfinished: unfinished.length, last };
}

function isUnfinished({ state }: OverviewJob): boolean {
  return state === 'unfinished' || state === 'running';
}

/** What the last backup of this machine counted, and its runs. */
export interface Earlier {
  at: string;
  counts: Counts;
  runs: readonly LoggedRun[];
}

/** @returns undefined where there is no backup, or it cannot be read: that it lacks is said in its tile */
export async function earlierOf(
  { signal }: Pick<Io, 'signal'>,
  folder: string | undefined,
): Promise<Earlier | undefined> {
  if (folder === undefined) return undefined;
  try {
    const opened = new Folder(folder);
    const present = await readManifest(opened);
    if (present === undefined) return undefined;
    const { finishedAt, startedAt, counts } = present.manifest;
    return { at: finishedAt ?? startedAt, counts, runs: await runsOf(opened, present) };
  } catch (cause) {
    if (signal.aborted || !(cause instanceof DocsError)) throw cause;
    return undefined;
  }
}
