import { describe, expect, test } from 'vitest';
import { moveSection } from '../../../src/api/resources/sections.js';
import { moveSiteSpace } from '../../../src/api/resources/site-spaces.js';
import { eachTest } from '../each-test.js';
import { openSiteWorld, type SitePath, titles } from './site-world.js';

/** Moves within a site, of sections and of site spaces alike; groups are in section-groups.test.ts. */

const world = eachTest(openSiteWorld);
const spaces = ['Welcome', 'Product Guide', 'API Reference', 'Board Notes'];

const section = {
  name: 'a section',
  async site(): Promise<SitePath> {
    const site = await world.newSite();
    for (const title of spaces) await world.addSection(site, title);
    return site;
  },
  list: (site: SitePath, query = {}) => world.sections(site, query),
  at: (id: string) => ({ type: 'site-section', siteSection: id }),
  input: (site: SitePath, siteSectionId: string, position: object) =>
    [moveSection, { path: { ...site, siteSectionId }, body: { position } }] as const,
  /** A neighbour of the other kind, which is no neighbour. */
  wrong: (id: string) => ({ type: 'site-space', siteSection: id }),
};
const siteSpace = {
  name: 'a site space',
  site: () => world.newSite(...spaces),
  list: (site: SitePath, query = {}) => world.siteSpaces(site, query),
  at: (id: string) => ({ type: 'site-space', siteSpace: id }),
  input: (site: SitePath, siteSpaceId: string, position: object) =>
    [moveSiteSpace, { path: { ...site, siteSpaceId }, body: { position } }] as const,
  wrong: (id: string) => ({ type: 'site-section', siteSection: id }),
};

describe.each([section, siteSpace])('a move of $name', ({ site: make, list, at, input, wrong }) => {
  async function opened() {
    const site = await make();
    const [welcome = '', guide = '', api = '', board = ''] = (await list(site)).map(({ id }) => id);
    const move = async (position: object) => {
      const [op, given] = input(site, board, position);
      const response = await world.admin.send('POST', pathOf(op.path, given.path), { body: given.body });
      return { status: response.status, title: ((await response.json()) as { title?: string }).title };
    };
    const order = async () => titles(await list(site));
    return { site, welcome, guide, api, board, move, order };
  }

  test('goes before one, after one, or between two', async () => {
    const { site, welcome, guide, api, move, order } = await opened();
    expect(await move({ before: at(welcome) })).toEqual({ status: 200, title: 'Board Notes' });
    expect(await order()).toEqual(['Board Notes', 'Welcome', 'Product Guide', 'API Reference']);
    await move({ after: at(api) });
    expect(await order()).toEqual(spaces);
    await move({ after: at(welcome), before: at(guide) });
    const between = ['Welcome', 'Board Notes', 'Product Guide', 'API Reference'];
    expect(await order()).toEqual(between);
    await move({});
    expect(await order()).toEqual(between);
    expect(titles((await list(site)).filter((row) => row.default))).toEqual(['Welcome']);
  });

  test('is refused next to itself, between two that are apart, and next to an unknown one', async () => {
    const { welcome, guide, api, board, move } = await opened();
    const [elsewhere] = await list(world.docs);
    for (const [position, status] of [
      [{ before: at(board) }, 400],
      [{ after: at(welcome), before: at(api) }, 400],
      [{ after: at(guide), before: at(welcome) }, 400],
      [{ after: at('nothing') }, 404],
      [{ after: at(elsewhere?.id ?? '') }, 404],
      [{ after: wrong(api) }, 400],
    ] as const)
      expect([position, (await move(position)).status]).toEqual([position, status]);
  });
});

const pathOf = (path: string, values: Record<string, string>) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');

test('a section stays within its group, and a site space within its section', async () => {
  const [home, guides, api] = await world.sections(world.docs);
  const { path, body } = section.input(world.docs, guides?.id ?? '', { after: section.at(api?.id ?? '') })[1];
  await world.admin.ok(moveSection, { path, body: body as { position: object } });
  expect(titles(await world.sections(world.docs))).toEqual(['Home', 'API', 'Guides']);
  const out = { position: { after: section.at(home?.id ?? '') } };
  await world.admin.refuses(409, moveSection, { path, body: out });
  const [first, second] = await world.siteSpaces(world.docs);
  const [op, away] = siteSpace.input(world.docs, first?.id ?? '', { after: siteSpace.at(second?.id ?? '') });
  await world.admin.refuses(409, op, away);
});
