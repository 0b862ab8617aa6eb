import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LooseInput } from '../../src/api/client.js';
import type { AnyOperation } from '../../src/api/operation.js';
import { setAdaptiveSchema } from '../../src/api/resources/adaptive-schemas.js';
import {
  listSectionGroups,
  moveSectionGroup,
  updateSectionGroup,
} from '../../src/api/resources/section-groups.js';
import { listSections, moveSection, updateSection } from '../../src/api/resources/sections.js';
import { listSiteSpaces, moveSiteSpace, updateSiteSpace } from '../../src/api/resources/site-spaces.js';
import { createSite, updateSite } from '../../src/api/resources/sites.js';
import { seedId } from '../sandbox/client.js';
import { expectUndone, idsOf, type JobWorld, openJobWorld } from './job-world.js';

/** Changes of sites and their undo, against the sandbox. */

let world: JobWorld;
beforeAll(async () => {
  world = await openJobWorld();
});
afterAll(() => world.close());

const inOrg = { organizationId: seedId('org acme') };
const docs = { ...inOrg, siteId: seedId('site docs') };

const ids = (op: AnyOperation, path: Record<string, string>) => idsOf(world, op, path);

const cases: [string, AnyOperation, () => LooseInput[] | Promise<LooseInput[]>][] = [
  [
    'a site: title, visibility, basename',
    updateSite,
    () => [
      {
        path: docs,
        body: {
          title: 'Other',
          visibility: 'unlisted',
          basename: 'other',
          adaptiveContent: { enabled: true },
        },
      },
    ],
  ],
  ['a new site', createSite, () => [{ path: inOrg, body: { title: 'New' } }]],
  [
    'what a site knows of visitors',
    setAdaptiveSchema,
    () => [
      { path: docs, body: { jsonSchema: { type: 'object', properties: {}, additionalProperties: false } } },
    ],
  ],
  [
    'a section',
    updateSection,
    async () =>
      (await ids(listSections, docs)).slice(1, 2).map((siteSectionId) => ({
        path: { ...docs, siteSectionId },
        body: { title: 'Other', path: 'other', description: 'Other' },
      })),
  ],
  [
    'the order of sections in a group',
    moveSection,
    async () => {
      const [, guides = '', api = ''] = await ids(listSections, docs);
      return [
        {
          path: { ...docs, siteSectionId: api },
          body: { position: { before: { type: 'site-section', siteSection: guides } } },
        },
      ];
    },
  ],
  [
    'a section group',
    updateSectionGroup,
    async () =>
      (await ids(listSectionGroups, docs)).map((siteSectionGroupId) => ({
        path: { ...docs, siteSectionGroupId },
        body: { title: 'Other', icon: null },
      })),
  ],
  [
    'the order of a group',
    moveSectionGroup,
    async () => {
      const [home = ''] = await ids(listSections, docs);
      const [group = ''] = await ids(listSectionGroups, docs);
      return [
        {
          path: { ...docs, siteSectionGroupId: group },
          body: { position: { before: { type: 'site-section', id: home } } },
        },
      ];
    },
  ],
  [
    'a space of a site',
    updateSiteSpace,
    async () =>
      (await ids(listSiteSpaces, docs)).slice(0, 1).map((siteSpaceId) => ({
        path: { ...docs, siteSpaceId },
        body: { path: 'other', condition: 'visitor.claims.beta' },
      })),
  ],
];

describe('undo restores exactly', () => {
  it.each(cases)('%s', async (_, op, inputs) => {
    await expectUndone(world, op, await inputs());
  });

  it('many moves of one list, from the last to the first', async () => {
    const spaces = ['welcome', 'guide', 'api', 'handbook'].map((name) => seedId(`space ${name}`));
    const { id: siteId } = await world.client.call(createSite, { path: inOrg, body: { spaces } });
    const help = { ...inOrg, siteId };
    const order = await ids(listSiteSpaces, help);
    expect(order).toHaveLength(4);
    const [first = '', second = '', third = '', last = ''] = order;
    const move = (siteSpaceId: string, position: object) => ({
      path: { ...help, siteSpaceId },
      body: { position },
    });
    const beside = (siteSpace: string) => ({ type: 'site-space', siteSpace });
    const { job } = await world.run(moveSiteSpace, [
      move(last, { before: beside(first) }),
      move(first, { after: beside(third) }),
      move(second, { after: beside(first) }),
      move(last, { after: beside(second) }),
    ]);
    expect(await ids(listSiteSpaces, help)).not.toEqual(order);
    const { results } = await world.undo(job);
    expect(results.map(({ status, failure }) => failure?.message ?? status)).toEqual([
      'ok',
      'ok',
      'ok',
      'ok',
    ]);
    expect(await ids(listSiteSpaces, help)).toEqual(order);
  });
});
