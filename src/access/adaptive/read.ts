import { getAdaptiveSchema } from '../../api/resources/adaptive-schemas.js';
import type { SiteSection } from '../../api/resources/sections.js';
import type { SiteSpace } from '../../api/resources/site-spaces.js';
import { getSite } from '../../api/resources/sites.js';
import { DocsError } from '../../base/errors.js';
import { isObject } from '../../base/values.js';
import { isRefusal } from '../../jobs/reads.js';
import { checkedClient, misfitsOf } from '../../snapshot/checked-client.js';
import {
  type GroupedSite,
  organization,
  type SiteContent,
  type SiteSnapshot,
} from '../../snapshot/organization.js';
import { type Reading, readPartly, type Unread, unlessNotFound } from '../../snapshot/unread.js';
import {
  type BrokenCondition,
  brokenBefore,
  brokenConditions,
  type ChangedClaim,
  ClaimSet,
  type Conditioned,
  claimsDiff,
  mayBreak,
} from './claims.js';

/**
 * The JSON Schema of a site as it is now. It is not held against the declaration: a newer platform may know claims of
 * other types.
 * @returns undefined for a site without one
 * @throws DocsError where it cannot be read
 */
export async function readSchema({ client, organizationId }: Reading, siteId: string): Promise<unknown> {
  try {
    const answer: unknown = await client.call(getAdaptiveSchema, { path: { organizationId, siteId } });
    const schema = isObject(answer) ? answer.jsonSchema : undefined;
    if (isObject(schema)) return schema;
    throw new DocsError(
      'bad-response',
      'wrong_shape',
      'the adaptive schema in the response is not an object',
      {
        hint: 'docs doctor',
      },
    );
  } catch (cause) {
    if (!(cause instanceof DocsError) || cause.kind !== 'not-found') throw cause;
    // The site itself may be missing.
    await client.call(getSite, { path: { organizationId, siteId } });
    return undefined;
  }
}

/** What has conditions, and what of it could not be read: lists and items. */
interface ConditionedSite extends Pick<SiteContent, 'sections' | 'siteSpaces'> {
  unread: readonly Unread[];
}

/** Reads the sections and site spaces; a list that fails is unread. @throws DocsError as `readFailure`, not-found */
export async function readParts(reading: Reading, siteId: string): Promise<ConditionedSite> {
  const site = checkedSite(reading, siteId);
  const [sections, siteSpaces] = await Promise.all([
    listed(reading, siteId, 'sections', site.sections()),
    listed(reading, siteId, 'site-spaces', site.siteSpaces()),
  ]);
  return {
    sections: sections.items,
    siteSpaces: siteSpaces.items,
    unread: [...sections.unread, ...siteSpaces.unread],
  };
}

export type WholeSite = GroupedSite & ConditionedSite;

/** The same with the site and its groups. @throws DocsError where the site cannot be read */
export async function readWholeSite(reading: Reading, siteId: string): Promise<WholeSite> {
  const [site, parts, groups] = await Promise.all([
    organization(reading).site(siteId).settings(),
    readParts(reading, siteId),
    listed(reading, siteId, 'section-groups', checkedSite(reading, siteId).groups()),
  ]);
  return { site, ...parts, groups: groups.items, unread: [...parts.unread, ...groups.unread] };
}

function checkedSite(reading: Reading, siteId: string): SiteSnapshot {
  return organization({ ...reading, client: checkedClient(reading.client) }).site(siteId);
}

/** Items that do not fit are unread one by one. */
async function listed<T>(
  reading: Reading,
  id: string,
  kind: string,
  list: AsyncIterable<T>,
): Promise<{ items: T[]; unread: Unread[] }> {
  const { items, unread } = await readPartly(list, reading, { kind, id });
  return { items, unread: unread.flatMap((one) => misfitsOf(one.error, kind) ?? [one]) };
}

/** Everything that has a condition: each section, followed by its spaces, then spaces of no section. */
export function conditionedParts({
  sections,
  siteSpaces,
}: Pick<SiteContent, 'sections' | 'siteSpaces'>): Conditioned[] {
  const known = new Set(sections.map(({ id }) => id));
  const under = (section: string) => siteSpaces.filter((one) => one.section === section);
  return [
    ...sections.flatMap((section) => [
      conditioned('section', section),
      ...under(section.id).map((one) => conditioned('site-space', one)),
    ]),
    ...siteSpaces
      .filter(({ section }) => section === undefined || !known.has(section))
      .map((one) => conditioned('site-space', one)),
  ].flat();
}

function conditioned(kind: Conditioned['kind'], part: SiteSection | SiteSpace): Conditioned[] {
  const { id, title, path, condition } = part;
  return condition === undefined ? [] : [{ kind, id, title, path, condition }];
}

export interface SiteDiff {
  claims: readonly ChangedClaim[];
  /** In the order of the site; conditions that keep what they rest on are left out. */
  conditions: readonly BrokenCondition[];
  /** Those that are broken whether or not the new schema is set, where they were asked for. */
  brokenBefore: readonly BrokenCondition[];
  unread: readonly Unread[];
  /** Whether the site has a schema now. */
  hasSchema: boolean;
}

/**
 * Compares the schema that a site has now with a new one, and finds the conditions that the new one breaks. Reads them
 * only where one can break, or all of them are asked for.
 * @throws DocsError where the schema cannot be read
 */
export async function siteDiff(
  reading: Reading,
  siteId: string,
  schema: unknown,
  { all = false }: { all?: boolean } = {},
): Promise<SiteDiff> {
  const live = await readSchema(reading, siteId);
  // A site without a schema has no claims yet, so no condition loses one.
  const diff = claimsDiff(live === undefined ? noClaims : new ClaimSet(live), new ClaimSet(schema));
  const found = { claims: diff.claims, hasSchema: live !== undefined };
  if (!all && !mayBreak(diff)) return { ...found, conditions: [], brokenBefore: [], unread: [] };
  const parts = await readParts(reading, siteId);
  const conditioned = conditionedParts(parts);
  const conditions = brokenConditions(diff, conditioned);
  const told = new Set(conditions.map(({ id }) => id));
  const others = conditioned.filter(({ id }) => !told.has(id));
  return { ...found, conditions, brokenBefore: brokenBefore(diff, others), unread: parts.unread };
}

const noClaims = new ClaimSet({ additionalProperties: false });

/** @returns undefined where there is no such site: the answer to the change will say so */
export async function knownDiff(
  reading: Reading,
  siteId: string,
  schema: unknown,
): Promise<SiteDiff | undefined> {
  try {
    return await siteDiff(reading, siteId, schema);
  } catch (cause) {
    if (!(cause instanceof DocsError) || !isRefusal(cause)) return unlessNotFound(cause);
    const unread = await inTheWay(reading, siteId, { kind: 'adaptive-schema', id: siteId, error: cause });
    return { claims: [], conditions: [], brokenBefore: [], unread, hasSchema: true };
  }
}

/** What was not read, where the schema was not; nothing where the site has no condition that could break. */
async function inTheWay(reading: Reading, siteId: string, schema: Unread): Promise<Unread[]> {
  const parts = await readParts(reading, siteId);
  const isFree = parts.unread.length === 0 && conditionedParts(parts).length === 0;
  return isFree ? [] : [schema, ...parts.unread];
}
