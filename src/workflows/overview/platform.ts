import { certificateFacts } from '../../access/certificate.js';
import { sourceLists } from '../../api/organization-spaces.js';
import type { SamlProvider } from '../../api/resources/saml.js';
import { type Space, spaceVisibilities } from '../../api/resources/spaces.js';
import { roles } from '../../api/shapes.js';
import { DocsError } from '../../base/errors.js';
import { defined } from '../../base/values.js';
import { RequestLists, type SpaceRequest } from '../../snapshot/change-requests.js';
import { type OrganizationSnapshot, organization } from '../../snapshot/organization.js';
import { SpaceWalk } from '../../snapshot/spaces.js';
import { Tasks } from '../../snapshot/tasks.js';
import { type Reading, type Unread, unreadOf, unreadWords } from '../../snapshot/unread.js';
import { usualDays } from '../stale/decide.js';
import { Exempt, staleAmong } from '../stale/find.js';
import { countsOf } from './counts.js';
import { certificateDays, type Missing, type Overview, type Part } from './report.js';

/** What the platform tells of an organization, for `docs overview`: reads alone, so many at once. */

export type PlatformFacts = Pick<
  Overview,
  'organization' | 'members' | 'spaces' | 'sites' | 'changeRequests' | 'openapi' | 'saml'
>;

/**
 * Reads all parts. Those that cannot be read are null.
 * @throws DocsError the failure of the organization where nothing at all could be read; as `readFailure`
 */
export async function readPlatform(
  reading: Reading,
  asOf: AsOf,
): Promise<{ facts: PlatformFacts; missing: Missing[] }> {
  const tasks = new Tasks(reading.concurrency);
  const whole = organization(reading);
  const missing: Missing[] = [];
  const facts: PlatformFacts = {
    ...{ organization: null, members: null, spaces: null, sites: null },
    ...{ changeRequests: null, openapi: null, saml: null },
  };
  for (const [part, read] of Object.entries(lists))
    tasks.add(async () => {
      try {
        Object.assign(facts, await read(whole, asOf.nowMs));
      } catch (cause) {
        missing.push(missingOf(part as Part, cause, reading));
      }
    }, true);
  const spaces = readSpaces(reading, whole, tasks);
  await tasks.ended();
  const found = await spaces.found(asOf);
  Object.assign(facts, { spaces: found.spaces, changeRequests: found.changeRequests });
  missing.push(...found.missing);
  // A platform that answers nothing is one failure, not seven.
  const own = missing.find(({ part }) => part === 'organization');
  if (own !== undefined && Object.values(facts).every((fact) => fact === null)) throw own.error;
  return { facts, missing };
}

/** @throws as `readFailure` */
function missingOf(part: Part, cause: unknown, { signal, organizationId }: Reading): Missing {
  const unread = unreadOf(cause, signal, { kind: nouns[part] ?? part, id: organizationId });
  return { part, what: unreadWords(unread), error: unread.error };
}

const nouns: Partial<Record<Part, string>> = {
  organization: 'organization',
  members: 'members of',
  sites: 'sites of',
  openapi: 'OpenAPI specs of',
  saml: 'SAML providers of',
};

type Read = (whole: OrganizationSnapshot, nowMs: () => number) => Promise<Partial<PlatformFacts>>;

/** The parts that are one list each. */
const lists: Readonly<Record<string, Read>> = {
  async organization(whole) {
    const { id, title, plan } = await whole.settings();
    return { organization: { id, title, plan: plan ?? null } };
  },
  async members(whole) {
    const found = new Map<string, string>();
    for await (const { id, role } of whole.members()) found.set(id, role ?? 'guest');
    return { members: { total: found.size, roles: countsOf([...found.values()], [...roles, 'guest']) } };
  },
  async sites(whole) {
    const published = new Map<string, boolean>();
    for await (const site of whole.sites()) published.set(site.id, site.published);
    return { sites: { total: published.size, published: [...published.values()].filter(Boolean).length } };
  },
  async openapi(whole) {
    const specs = new Map<string, NonNullable<Overview['openapi']>['failed'][number]>();
    for await (const spec of whole.openApiSpecs()) {
      const { id, slug, processingState, lastProcessErrorCode: error } = spec;
      specs.set(id, { slug, state: processingState, ...defined({ error }) });
    }
    const failed = [...specs.values()].filter(({ error }) => error !== undefined);
    return { openapi: { total: specs.size, failed } };
  },
  async saml(whole, nowMs) {
    const providers = new Map<string, SamlProvider>();
    for await (const one of whole.samlProviders()) providers.set(one.id, one);
    const certificates = [...providers.values()].flatMap((one) => expiring(one, nowMs()));
    return { saml: { total: providers.size, certificates } };
  },
};

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

/** Spaces and their open change requests: found as `docs spaces list` and `docs change-requests list` find them. */

interface FoundSpaces extends Pick<Overview, 'spaces' | 'changeRequests'> {
  missing: Missing[];
}

/** When it is, and the member whose warnings count, where that is known. */
interface AsOf {
  nowMs(): number;
  owner: string | undefined;
}

/**
 * Adds the reads of all lists that hold spaces, and of the open change requests of spaces that have any.
 * @returns what was found, once the tasks have ended
 */
function readSpaces(
  reading: Reading,
  whole: OrganizationSnapshot,
  tasks: Tasks,
): { found(asOf: AsOf): Promise<FoundSpaces> } {
  const spaces = new Map<string, Space>();
  const lists = new RequestLists(reading, tasks, { statuses: ['open'] });
  // Some lists leave out where a space is published.
  const published = new Set<string>();
  const walk = new SpaceWalk(
    reading,
    tasks,
    (space) => {
      spaces.set(space.id, space);
      if ((space.urls?.published ?? space.urls?.public) !== undefined) published.add(space.id);
      lists.visit(space);
    },
    whole,
  ).begin();
  return {
    async found(asOf) {
      const { unread, order } = walk;
      const { requests, unread: missed } = lists.inOrder(order, []);
      const missingSpaces = unread.map((one) => missing('spaces', one));
      const missingRequests = missed.map((one) => missing('changeRequests', one));
      // Nothing is known of spaces where none was found and a list of lists is missing.
      if (spaces.size === 0 && unread.some(({ kind }) => kind in sourceLists))
        return { spaces: null, changeRequests: null, missing: [...missingSpaces, ...missingRequests] };
      const stale = await staleOf(reading, requests, asOf);
      const isPart = unread.length + missed.length > 0;
      return {
        spaces: spaceFacts([...spaces.values()], published.size, unread.length > 0),
        changeRequests: {
          open: requests.length + countedOnly(requests, missed, spaces),
          ...{ stale: stale.count, staleDays: usualDays.olderThan, atLeast: isPart || stale.atLeast },
        },
        missing: [...missingSpaces, ...missingRequests, ...stale.missing],
      };
    },
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
  const missed = [...unread.map((one) => missing('changeRequests', one)), ...undated.map(undatedOne)];
  return { count: stale.length, atLeast: missed.length > 0 || !isOwnerKnown, missing: missed };

  // A ping would tell whose token it is, but an overview only reads. Among several, none is taken for the owner.
  async function warner(authors: readonly string[]): Promise<string> {
    const known = owner ?? (authors.length === 1 ? authors[0] : undefined);
    isOwnerKnown = known !== undefined;
    return known ?? '';
  }
}

function missing(part: Missing['part'], one: Unread): Missing {
  return { part, what: unreadWords(one), error: one.error };
}

/** Whether it is stale cannot be told. */
function undatedOne({ id, space }: SpaceRequest): Missing {
  const message = 'The platform does not say when it was last updated.';
  const error = new DocsError('bad-response', 'wrong_shape', message, { outcome: 'done' });
  const what = unreadWords({ kind: 'change-request', id, space: space.title, error });
  return { part: 'changeRequests', what, error };
}
