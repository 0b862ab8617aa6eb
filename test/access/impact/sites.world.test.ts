import { describe, expect, it } from 'vitest';
import type { Affected, Impact, ImpactQuestion } from '../../../src/access/impact/shapes.js';
import type { AnyOperation } from '../../../src/api/operation.js';
import { updateOrg } from '../../../src/api/resources/orgs.js';
import { deleteSection, listSections, updateSection } from '../../../src/api/resources/sections.js';
import { deleteSiteSpace, listSiteSpaces, updateSiteSpace } from '../../../src/api/resources/site-spaces.js';
import { deleteSite, listSites, updateSite } from '../../../src/api/resources/sites.js';
import { listed, missing, publishedUrls } from './published-urls.js';
import { impactWorldOfFile } from './world.js';

/** The addresses that an impact lists are those that the platform stops to publish, and what they become. */

const world = await impactWorldOfFile('acme');
/** No change here changes pages. */
const pages = new Map<string, string[]>();

const aspects = ['urls', 'dependents'] as const;

async function siteId(title: string): Promise<string> {
  const path = { organizationId: world.sandbox.organizationId };
  const all = await world.sandbox.admin.all(listSites, { path });
  return all.find((site) => site.title === title)?.id ?? '';
}

const inSite = (site: string) => ({ path: { organizationId: world.sandbox.organizationId, siteId: site } });

async function sectionOf(site: string, title: string): Promise<Affected> {
  const section = (await world.sandbox.admin.all(listSections, inSite(site))).find(
    (one) => one.title === title,
  );
  return { object: 'site-section', id: section?.id ?? '', within: { siteId: site } };
}

async function siteSpaceOf(site: string, title: string): Promise<Affected> {
  const found = (await world.sandbox.admin.all(listSiteSpaces, inSite(site))).find(
    (one) => one.title === title,
  );
  return { object: 'site-space', id: found?.id ?? '', within: { siteId: site } };
}

/** Makes the change, and holds the addresses that went against those of the impact. */
async function holds(question: ImpactQuestion, op: AnyOperation, body?: object): Promise<Impact> {
  const { admin, organizationId } = world.sandbox;
  const before = await publishedUrls(admin, organizationId, [], pages);
  const impact = await world.impact(question, aspects);
  expect(impact.unknown).toEqual([]);
  for (const { id, object, within } of question.things) {
    const own: Record<string, string> =
      object === 'site-section' ? { siteSectionId: id } : object === 'site-space' ? { siteSpaceId: id } : {};
    const path = { organizationId, siteId: id, ...within, ...own };
    await admin.ok(op, { path, body } as Parameters<typeof admin.ok>[1]);
  }
  const after = await publishedUrls(admin, organizationId, [], pages);
  expect(listed(impact.urls)).toEqual(missing(before, after));
  expect(impact.urls.length).toBeGreaterThan(0);
  for (const { becomes } of impact.urls)
    if (becomes !== undefined) expect(after).toContain(becomes.replace(/\/$/, ''));
  expect(impact.redirects.map(({ from }) => from)).toEqual(impact.urls.map(({ url }) => url));
  for (const { to } of impact.redirects) if (to !== null) expect(after).toContain(to.replace(/\/$/, ''));
  return impact;
}

/** The changes stay, so deletions come last, each on other things. */

describe('what gets another address', () => {
  const siteSpace = async () => siteSpaceOf(await siteId('Acme Help Center'), 'Customers FAQ');
  const site = async (title: string): Promise<Affected> => ({ object: 'site', id: await siteId(title) });
  const organization = (): Affected => ({ object: 'organization', id: world.sandbox.organizationId });

  it.each<[string, () => Promise<Affected>, ImpactQuestion['to'] & object, AnyOperation]>([
    [
      'a section',
      async () => sectionOf(await siteId('Acme Docs'), 'Guides'),
      { path: 'manual' },
      updateSection,
    ],
    ['a site space', () => siteSpace(), { path: 'questions' }, updateSiteSpace],
    ['a site by its basename', () => site('Engineering Hub'), { basename: 'nest' }, updateSite],
    ['a site by its proxy', () => site('Acme Docs'), { proxy: 'acme.example/docs' }, updateSite],
    ['an organization by its hostname', async () => organization(), { hostname: 'acme-new' }, updateOrg],
  ])('%s', async (_, thingOf, to, op) => {
    const impact = await holds({ action: 'rename', things: [await thingOf()], to }, op, to);
    expect(impact.urls.every(({ becomes }) => becomes !== undefined)).toBe(true);
    expect(new Set(impact.redirects.map(({ why }) => why))).toEqual(new Set(['moved']));
  });

  it('says so where the platform does not show the new address', async () => {
    const things = [await site('Acme Help Center')];
    const impact = await world.impact({ action: 'rename', things, to: { proxy: null } }, aspects);
    expect(impact.unknown.map(({ error }) => error.code)).toEqual(['address_unknown']);
    expect(impact.redirects.every(({ to, why }) => to === null && why === 'not-told')).toBe(true);
  });

  it('finds what has the name already', async () => {
    const things = [await site('Engineering Hub')];
    const { dependents } = await world.impact(
      { action: 'rename', things, to: { basename: 'docs' } },
      aspects,
    );
    expect(dependents).toMatchObject([{ kind: 'clash', title: 'Acme Docs' }]);
    const freed = new Set([`basename ${await siteId('Acme Docs')}`]);
    const later = await world.impact({ action: 'rename', things, to: { basename: 'docs' }, freed }, aspects);
    expect(later.dependents).toEqual([]);
  });

  it('and a section whose path an earlier request frees has none in its way', async () => {
    const site = await siteId('Engineering Hub');
    const [first, second] = await Promise.all([sectionOf(site, 'Handbook'), sectionOf(site, 'Incidents')]);
    const all = await world.sandbox.admin.all(listSections, inSite(site));
    const to = { path: all.find(({ id }) => id === second.id)?.path ?? '' };
    const { dependents } = await world.impact({ action: 'rename', things: [first], to }, aspects);
    expect(dependents).toMatchObject([{ kind: 'clash', title: 'Incidents' }]);
    const freed = new Set([`path ${second.id}`]);
    const later = await world.impact({ action: 'rename', things: [first], to, freed }, aspects);
    expect(later.dependents).toEqual([]);
  });
});

describe('what is taken off a site', () => {
  it('a whole site: nothing of it is left to send readers to, unless another site shows the same page', async () => {
    const id = await siteId('Acme Help Center');
    const impact = await holds({ action: 'delete', things: [{ object: 'site', id }] }, deleteSite);
    expect(new Set(impact.redirects.map(({ why }) => why))).toEqual(new Set(['nothing-left']));
    expect(impact.dependents.filter(({ kind }) => kind === 'site-space')).toHaveLength(4);
    expect(impact.irreversible).toEqual([
      'It cannot be undone: its address, sections and settings cannot be restored; its spaces stay.',
    ]);
  });

  it('a section: its readers go to the site', async () => {
    const section = await sectionOf(await siteId('Acme Docs'), 'API');
    const impact = await holds({ action: 'delete', things: [section] }, deleteSection);
    expect(new Set(impact.redirects.map(({ to }) => to))).toEqual(new Set(['https://acme.example/docs/']));
    expect(impact.dependents.map(({ kind, what }) => [kind, what])).toContainEqual([
      'condition',
      'Its condition goes with it: visitor.claims.beta',
    ]);
  });

  it('a space of a section: its readers go to the section', async () => {
    const space = await siteSpaceOf(await siteId('Engineering Hub'), 'Platform Runbook');
    const impact = await holds({ action: 'delete', things: [space] }, deleteSiteSpace);
    expect(new Set(impact.redirects.map(({ to, why }) => `${why} ${to?.replace(/.*nest/, '')}`))).toEqual(
      new Set(['parent /platform/']),
    );
  });

  it('all spaces of a section: the section has no content left, and is told as a section', async () => {
    const site = await siteId('Engineering Hub');
    const section = await sectionOf(site, 'Platform');
    const all = await world.sandbox.admin.all(listSiteSpaces, inSite(site));
    const own = all.filter((one) => one.section === section.id);
    const things = own.map(({ id }) => ({ object: 'site-space' as const, id, within: { siteId: site } }));
    const { dependents } = await world.impact({ action: 'delete', things }, ['dependents']);
    const what = 'The section of site Engineering Hub has no content left.';
    expect(dependents.filter(({ id }) => id === section.id)).toEqual([
      { kind: 'section', id: section.id, title: 'Platform', what },
    ]);
  });

  it('two sections at once', async () => {
    const site = await siteId('Engineering Hub');
    const things = [await sectionOf(site, 'Platform'), await sectionOf(site, 'Mobile')];
    await holds({ action: 'delete', things }, deleteSection);
  });
});
