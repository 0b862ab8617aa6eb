import { describe, expect, test } from 'vitest';
import { getSite, updateSite } from '../../../src/api/resources/sites.js';
import { eachTest } from '../each-test.js';
import { openSiteWorld, titles } from './site-world.js';

const world = eachTest(openSiteWorld);

describe('a change of a site', () => {
  const update = (body: object, site = world.docs) => world.admin.ok(updateSite, { path: site, body });

  test('sets title, visibility, basename and adaptive content, and leaves the rest', async () => {
    const before = await world.site(world.docs);
    const body = {
      title: 'Docs',
      visibility: 'unlisted',
      basename: 'all',
      adaptiveContent: { enabled: false },
    };
    expect(await update(body)).toEqual({ ...before, ...body });
    expect(await world.site(world.docs)).toEqual({ ...before, ...body });
    expect(await update({})).toEqual({ ...before, ...body });
  });

  test('sets and removes the proxy, and the published URL follows', async () => {
    const { id, urls } = await world.site(world.docs);
    const proxied = await update({ proxy: 'www.acme.example/docs' });
    expect(proxied.proxy).toEqual({
      origin: 'www.acme.example/docs',
      target: `https://proxy.sandbox.example/sites/${id}`,
    });
    expect(proxied.urls?.published).toBe('https://www.acme.example/docs/');
    const plain = await update({ proxy: null });
    expect(plain).not.toHaveProperty('proxy');
    expect(plain.urls).toEqual(urls);
  });

  test('refuses a basename or proxy that another site has', async () => {
    const other = await world.newSite('Welcome');
    expect(await world.admin.refused(updateSite, { path: other, body: { basename: 'docs' } })).toEqual({
      status: 409,
      message: 'Another site has the basename "docs".',
    });
    await update({ proxy: 'www.acme.example/docs' });
    await world.admin.refuses(409, updateSite, { path: other, body: { proxy: 'www.acme.example/docs' } });
    expect((await update({ basename: 'docs', proxy: 'www.acme.example/docs' })).basename).toBe('docs');
  });

  test('chooses the default section, and a default site space within it', async () => {
    const [, guides] = await world.sections(world.docs);
    await world.addSpace(world.docs, 'Board Notes', guides?.id);
    const board = (await world.siteSpaces(world.docs)).find(({ title }) => title === 'Board Notes');
    await world.admin.refuses(409, updateSite, { path: world.docs, body: { defaultSiteSpace: board?.id } });
    await update({ defaultSiteSection: guides?.id, defaultSiteSpace: board?.id });
    const sections = await world.sections(world.docs);
    expect(sections.filter((row) => row.default).map(({ title }) => title)).toEqual(['Guides']);
    expect(titles(await world.siteSpaces(world.docs, { default: true }))).toEqual(['Board Notes']);
  });

  test('chooses the default site space at the root of a site without sections', async () => {
    const site = await world.newSite('Welcome', 'Board Notes');
    const [, board] = await world.siteSpaces(site);
    await update({ defaultSiteSpace: board?.id ?? '' }, site);
    expect(titles(await world.siteSpaces(site, { default: true }))).toEqual(['Board Notes']);
    expect(titles(await world.siteSpaces(site))).toEqual(['Welcome', 'Board Notes']);
  });
});

test('a share link is visible only to users who manage sites', async () => {
  const site = await world.admin.ok(updateSite, { path: world.docs, body: { visibility: 'share-link' } });
  expect(site.urls?.published).toMatch(/^https:\/\/docs\.acme\.example\/\w{20}\/$/);
  const seenAs = async (name: string) =>
    (await world.as(name).ok(getSite, { path: world.docs })).urls?.published;
  expect(await seenAs('create')).toBe(site.urls?.published);
  expect(await seenAs('review')).toBeUndefined();
  expect(await seenAs('guest')).toBeUndefined();
});
