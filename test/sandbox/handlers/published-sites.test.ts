import { describe, expect, test } from 'vitest';
import { eachTest } from '../each-test.js';
import * as ops from '../operations.js';
import { openSiteWorld, titles } from './site-world.js';

const world = eachTest(openSiteWorld);

const published = (query: { shareKey?: string } = {}) =>
  world.admin.ok(ops.getPublishedSite, { path: world.docs, query });

describe('a published site', () => {
  test('shows the site, its sections and its appearance', async () => {
    const site = await published();
    expect(site.object).toBe('published-content-site');
    expect(site.site).toEqual(await world.site(world.docs));
    expect(site.structure).toEqual({ type: 'sections', structure: await world.sections(world.docs) });
    expect(site.customizations.site).toMatchObject({
      title: 'Acme Docs',
      internationalization: { locale: 'en' },
      styling: { theme: 'clean', primaryColor: { light: '#346DDB', dark: '#346DDB' } },
    });
  });

  test('leaves out a section whose spaces are deleted', async () => {
    await world.admin.ok(ops.deleteSpace, { path: { spaceId: world.space('Product Guide') } });
    const { structure } = await published();
    expect(titles(structure.structure as { title: string }[])).toEqual(['Home', 'API']);
  });

  test('is 404 unless it is published, and for an unknown site', async () => {
    const path = await world.newSite('Welcome');
    expect(await world.admin.refused(ops.getPublishedSite, { path })).toEqual({
      status: 404,
      message: `Site ${path.siteId} is not published.`,
    });
    const unknown = { ...path, siteId: 'nothing' };
    await world.admin.refuses(404, ops.getPublishedSite, { path: unknown });
  });
});

describe('a site published by share link', () => {
  async function shareKey(): Promise<string> {
    const site = await world.admin.ok(ops.updateSite, {
      path: world.docs,
      body: { visibility: 'share-link' },
    });
    return site.urls?.published?.split('/').at(-2) ?? '';
  }

  test('resolves published URLs only with its key', async () => {
    const key = await shareKey();
    const base = `https://docs.acme.example/${key}/`;
    const opened = await published({ shareKey: key });
    expect(opened.site.urls?.published).toBe(base);
    const query = { shareKey: key };
    const sections = await world.admin.ok(ops.listSections, { path: world.docs, query });
    expect(sections.items[0]?.urls).toEqual({ published: `${base}home/` });
    const siteSpaces = await world.admin.ok(ops.listSiteSpaces, { path: world.docs, query });
    expect(siteSpaces.items[0]?.urls).toEqual({ published: `${base}home/welcome/` });
    const space = await world.admin.ok(ops.getSpace, { path: { spaceId: world.space('Welcome') }, query });
    expect(space.urls?.published).toBe(`${base}home/welcome/`);
  });

  test.each([{}, { shareKey: 'wrong' }, { shareKey: '' }])(
    'tells no published URL with %j',
    async (query) => {
      await shareKey();
      const { site, structure } = await published(query);
      expect(site.urls).not.toHaveProperty('published');
      for (const row of structure.structure) expect(row).not.toHaveProperty('urls');
      const { items } = await world.admin.ok(ops.listSiteSpaces, { path: world.docs, query });
      for (const row of items) expect(row).not.toHaveProperty('urls');
      const space = await world.admin.ok(ops.getSpace, { path: { spaceId: world.space('Welcome') }, query });
      expect(space.urls).not.toHaveProperty('published');
    },
  );

  test('keeps its key when it is closed and opened again', async () => {
    const key = await shareKey();
    await world.admin.ok(ops.updateSite, { path: world.docs, body: { visibility: 'public' } });
    expect((await published({ shareKey: key })).site.urls?.published).toBe('https://docs.acme.example/');
    expect(await shareKey()).toBe(key);
  });
});

test('a space on a published site has its published URL', async () => {
  const urlOf = async (title: string) =>
    (await world.admin.ok(ops.getSpace, { path: { spaceId: world.space(title) } })).urls?.published;
  expect(await urlOf('Welcome')).toBe('https://docs.acme.example/home/welcome/');
  expect(await urlOf('Board Notes')).toBeUndefined();
  await world.newSite('Board Notes');
  expect(await urlOf('Board Notes')).toBeUndefined();
});
