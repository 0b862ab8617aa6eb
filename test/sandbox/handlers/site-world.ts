import { openPlatform } from '../in-process.js';
import * as ops from '../operations.js';

export type SitePath = { organizationId: string; siteId: string };

/** A sandbox with the tiny seed, seen from its site Acme Docs: Home, and Developers with Guides and API. */
export async function openSiteWorld() {
  const sandbox = await openPlatform();
  const { admin } = sandbox;
  const { organizationId } = sandbox;
  const userId = sandbox.tokens[0]?.member ?? '';
  const seen = await admin.all(ops.listMemberSpaces, { path: { organizationId, userId } });
  const ids = new Map(seen.map(({ space }) => [space.title, space.id]));
  /** The id of a space by its title. */
  const space = (title: string) => {
    const id = ids.get(title);
    if (id === undefined) throw new Error(`The seed has no space ${title}.`);
    return id;
  };
  return {
    ...sandbox,
    /** The path of the seeded, published site. */
    docs: { organizationId, siteId: sandbox.defaults.site ?? '' },
    space,
    /** Creates an unpublished site with these spaces at its root. */
    async newSite(...titles: string[]): Promise<SitePath> {
      const body = { title: 'New Docs', spaces: titles.map(space) };
      const { id } = await admin.ok(ops.createSite, { path: { organizationId }, body });
      return { organizationId, siteId: id };
    },
    site: (path: SitePath) => admin.ok(ops.getSite, { path }),
    sections: (path: SitePath, query = {}) => admin.all(ops.listSections, { path, query }),
    siteSpaces: (path: SitePath, query = {}) => admin.all(ops.listSiteSpaces, { path, query }),
    addSection: (path: SitePath, title: string) =>
      admin.ok(ops.createSection, { path, body: { spaceId: space(title) } }),
    addSpace: (path: SitePath, title: string, sectionId?: string) =>
      admin.ok(ops.createSiteSpace, { path, body: { spaceId: space(title), sectionId } }),
  };
}

/** The titles, in their order. */
export const titles = (items: readonly { title: string }[]): string[] => items.map(({ title }) => title);
