import { getAdaptiveSchema } from '../../api/resources/adaptive-schemas.js';
import { listSectionGroups, type SectionGroup } from '../../api/resources/section-groups.js';
import { listSections, type SiteSection } from '../../api/resources/sections.js';
import { listSiteSpaces, type SiteSpace } from '../../api/resources/site-spaces.js';
import { getSite, type Site } from '../../api/resources/sites.js';
import { DocsError } from '../../errors.js';
import { isObject } from '../../is-object.js';
import { checkedClient, misfitsOf } from '../../reading/checked-client.js';
import { type Reading, readFailure, type Unread } from '../../reading/reading.js';

/** What an adaptive site consists of: its schema, and everything that can have a condition. */

/** Something of a site with a condition. Titles, paths and conditions are the platform's text. */
export interface Conditioned {
  kind: 'section' | 'site-space';
  id: string;
  title: string;
  path: string;
  condition: string;
}

export interface SiteParts {
  sections: readonly SiteSection[];
  siteSpaces: readonly SiteSpace[];
  /** Lists and items that could not be read. */
  unread: readonly Unread[];
}

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
      'The adaptive schema in the response is not an object.',
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

/** Reads the sections and site spaces; a list that fails is unread. @throws DocsError as `readFailure`, not-found */
export async function readParts(reading: Reading, siteId: string): Promise<SiteParts> {
  const [sections, siteSpaces] = await Promise.all([
    listed(reading, siteId, 'sections', listSections),
    listed(reading, siteId, 'site-spaces', listSiteSpaces),
  ]);
  return {
    sections: sections.items,
    siteSpaces: siteSpaces.items,
    unread: [...sections.unread, ...siteSpaces.unread],
  };
}

export interface WholeSite extends SiteParts {
  site: Site;
  groups: readonly SectionGroup[];
}

/** The same with the site and its groups. @throws DocsError where the site cannot be read */
export async function readSite(reading: Reading, siteId: string): Promise<WholeSite> {
  const { client, organizationId } = reading;
  const [site, parts, groups] = await Promise.all([
    client.call(getSite, { path: { organizationId, siteId } }),
    readParts(reading, siteId),
    listed(reading, siteId, 'section-groups', listSectionGroups),
  ]);
  return { site, ...parts, groups: groups.items, unread: [...parts.unread, ...groups.unread] };
}

interface Listed<T> {
  items: T[];
  unread: Unread[];
}

type PartList = typeof listSections | typeof listSiteSpaces | typeof listSectionGroups;
type Item<Op extends PartList> = Op extends typeof listSections
  ? SiteSection
  : Op extends typeof listSiteSpaces
    ? SiteSpace
    : SectionGroup;

async function listed<Op extends PartList>(
  { client, organizationId, signal }: Reading,
  siteId: string,
  kind: string,
  op: Op,
): Promise<Listed<Item<Op>>> {
  const found: Listed<Item<Op>> = { items: [], unread: [] };
  try {
    const list = checkedClient(client).call<PartList>(op, { path: { organizationId, siteId } });
    for await (const item of list as AsyncIterable<Item<Op>>) found.items.push(item);
  } catch (cause) {
    const error = readFailure(cause, signal);
    found.unread.push(...(misfitsOf(error, kind) ?? [{ kind, id: siteId, error }]));
  }
  return found;
}

/** Everything that has a condition: each section, followed by its spaces, then spaces of no section. */
export function conditionedParts({ sections, siteSpaces }: Omit<SiteParts, 'unread'>): Conditioned[] {
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
