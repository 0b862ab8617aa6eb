import { certificateFacts } from '../../access/sso/certificate.js';
import type { SamlProvider } from '../../api/resources/saml.js';
import { roles } from '../../api/shapes.js';
import { defined } from '../../base/values.js';
import { type Reading, unreadOf, unreadWords } from '../../reading/reading.js';
import { Tasks } from '../../reading/tasks.js';
import { type OrganizationSnapshot, organization } from '../../snapshot/organization.js';
import { countsOf } from './counts.js';
import { certificateDays, type Missing, type Overview, type Part } from './report.js';
import { type AsOf, readSpaces } from './spaces.js';

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
