import { describe, expect, test } from 'vitest';
import { moveSection } from '../../../src/api/resources/sections.js';
import { eachTest } from '../each-test.js';
import { openSiteWorld, type SitePath, titles } from './site-world.js';

const world = eachTest(openSiteWorld);

/** The path of a section by its title. */
async function section(title: string, site: SitePath = world.docs) {
  const row = (await world.sections(site)).find((each) => each.title === title);
  if (row === undefined) throw new Error(`There is no section ${title}.`);
  return { ...site, siteSectionId: row.id };
}
const byDefault = async (site: SitePath = world.docs) =>
  titles((await world.sections(site)).filter((row) => row.default));

describe('a move of a section', () => {
  const at = (siteSection: string) => ({ type: 'site-section' as const, siteSection });
  async function plainSite(): Promise<{ site: SitePath; ids: Record<string, string> }> {
    const site = await world.newSite();
    const ids: Record<string, string> = {};
    for (const title of ['Welcome', 'Product Guide', 'API Reference', 'Board Notes']) {
      ids[title] = (await world.addSection(site, title)).id;
    }
    return { site, ids };
  }
  const move = (site: SitePath, siteSectionId: string, position: { before?: object; after?: object }) => ({
    path: { ...site, siteSectionId },
    body: { position } as { position: { before?: ReturnType<typeof at>; after?: ReturnType<typeof at> } },
  });

  test('goes before one, after one, or between two', async () => {
    const { site, ids } = await plainSite();
    const {
      Welcome = '',
      'Product Guide': guide = '',
      'API Reference': api = '',
      'Board Notes': board = '',
    } = ids;
    const order = async () => titles(await world.sections(site));
    const moved = await world.admin.ok(moveSection, move(site, board, { before: at(Welcome) }));
    expect(moved).toMatchObject({ id: board, title: 'Board Notes' });
    expect(await order()).toEqual(['Board Notes', 'Welcome', 'Product Guide', 'API Reference']);
    await world.admin.ok(moveSection, move(site, board, { after: at(api) }));
    expect(await order()).toEqual(['Welcome', 'Product Guide', 'API Reference', 'Board Notes']);
    await world.admin.ok(moveSection, move(site, board, { after: at(Welcome), before: at(guide) }));
    expect(await order()).toEqual(['Welcome', 'Board Notes', 'Product Guide', 'API Reference']);
    await world.admin.ok(moveSection, move(site, board, {}));
    expect(await order()).toEqual(['Welcome', 'Board Notes', 'Product Guide', 'API Reference']);
    expect(await byDefault(site)).toEqual(['Welcome']);
  });

  test('is refused next to itself, between two that are apart, and next to an unknown one', async () => {
    const { site, ids } = await plainSite();
    const { Welcome = '', 'API Reference': api = '', 'Board Notes': board = '' } = ids;
    const refused = async (position: object) =>
      (await world.admin.refused(moveSection, move(site, board, position))).status;
    expect(await refused({ before: at(board) })).toBe(400);
    expect(await refused({ after: at(Welcome), before: at(api) })).toBe(400);
    expect(await refused({ after: at('nothing') })).toBe(404);
    expect(await refused({ after: { type: 'site-space', siteSection: api } })).toBe(400);
    expect(await refused({ after: at((await section('Home')).siteSectionId) })).toBe(404);
  });

  test('stays within its group', async () => {
    const [home, guides, api] = await world.sections(world.docs);
    const id = guides?.id ?? '';
    await world.admin.ok(moveSection, move(world.docs, id, { after: at(api?.id ?? '') }));
    expect(titles(await world.sections(world.docs))).toEqual(['Home', 'API', 'Guides']);
    await world.admin.refuses(409, moveSection, move(world.docs, id, { after: at(home?.id ?? '') }));
  });
});
