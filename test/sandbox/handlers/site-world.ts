import type { Client } from '../client.js';
import { openPlatform, type Platform } from '../in-process.js';
import * as ops from '../operations.js';

/** A sandbox with the tiny seed, seen from its site Acme Docs: Home, and Developers with Guides and API. */
export interface SiteWorld extends Platform {
  /** The path of the seeded, published site. */
  docs: SitePath;
  /** The id of a space by its title. */
  space(title: string): string;
  /** Creates an unpublished site with these spaces at its root. */
  newSite(...titles: string[]): Promise<SitePath>;
  site(path: SitePath): ReturnType<typeof getSiteOf>;
  sections(path: SitePath, query?: object): ReturnType<typeof listSectionsOf>;
  siteSpaces(path: SitePath, query?: object): ReturnType<typeof listSiteSpacesOf>;
  addSection(path: SitePath, title: string): ReturnType<typeof addSectionTo>;
  addSpace(path: SitePath, title: string, sectionId?: string): ReturnType<typeof addSpaceTo>;
}

export type SitePath = { organizationId: string; siteId: string };

const getSiteOf = (client: Client, path: SitePath) => client.ok(ops.getSite, { path });
const listSectionsOf = (client: Client, path: SitePath, query: object) =>
  client.all(ops.listSections, { path, query });
const listSiteSpacesOf = (client: Client, path: SitePath, query: object) =>
  client.all(ops.listSiteSpaces, { path, query });
const addSectionTo = (client: Client, path: SitePath, spaceId: string) =>
  client.ok(ops.createSection, { path, body: { spaceId } });
const addSpaceTo = (client: Client, path: SitePath, spaceId: string, sectionId?: string) =>
  client.ok(ops.createSiteSpace, { path, body: { spaceId, ...(sectionId !== undefined && { sectionId }) } });

export async function openSiteWorld(): Promise<SiteWorld> {
  const sandbox = await openPlatform();
  const { admin } = sandbox;
  const { organizationId } = sandbox;
  const userId = sandbox.tokens[0]?.member ?? '';
  const seen = await admin.all(ops.listMemberSpaces, { path: { organizationId, userId } });
  const ids = new Map(seen.map(({ space }) => [space.title, space.id]));
  const space = (title: string) => {
    const id = ids.get(title);
    if (id === undefined) throw new Error(`The seed has no space ${title}.`);
    return id;
  };
  return {
    ...sandbox,
    docs: { organizationId, siteId: sandbox.defaults.site ?? '' },
    space,
    async newSite(...titles) {
      const body = { title: 'New Docs', spaces: titles.map(space) };
      const { id } = await admin.ok(ops.createSite, { path: { organizationId }, body });
      return { organizationId, siteId: id };
    },
    site: (path) => getSiteOf(admin, path),
    sections: (path, query = {}) => listSectionsOf(admin, path, query),
    siteSpaces: (path, query = {}) => listSiteSpacesOf(admin, path, query),
    addSection: (path, title) => addSectionTo(admin, path, space(title)),
    addSpace: (path, title, sectionId) => addSpaceTo(admin, path, space(title), sectionId),
  };
}

/** The titles, in their order. */
export const titles = (items: readonly { title: string }[]): string[] => items.map(({ title }) => title);
