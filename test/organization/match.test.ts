import { describe, expect, it } from 'vitest';
import type { LiveItem } from '../../src/organization/model.js';
import { files, lines, plan, platform, there, wanted } from './planner/build.js';

describe('without the lock', () => {
  const outer = there('collections', 'c1', { title: 'Guides' });
  const full = there('collections', 'c2', { title: 'Guides' }, { parent: outer, index: 0 });
  const bare = there('collections', 'c3', { title: 'Guides' }, { parent: outer, index: 1 });
  const inside = there('spaces', 's1', { title: 'Guide' }, { parent: full });
  const atTop = there('spaces', 's2', { title: 'Guide' });
  const live = platform([outer, full, bare, inside, atTop]);
  const collection = (key: string, parent?: 'collections/guides') =>
    wanted(`collections/${key}`, { title: 'Guides' }, parent && { parent });
  const space = (key: string, parent?: 'collections/guides-2') =>
    wanted(`spaces/${key}`, { title: 'Guide' }, parent && { parent });

  it('what could be any of several, and what stands in it, is a finding; what stands where the files say is found', () => {
    const all = [
      collection('guides'),
      collection('guides-2', 'collections/guides'),
      space('guide', 'collections/guides-2'),
      collection('guides-3', 'collections/guides'),
      space('guide-2'),
    ];
    const planned = plan(files(all), live);
    expect(lines(planned)).toEqual([
      'finding collections/guides-2 ambiguous',
      'finding collections/guides-3 ambiguous',
      'finding spaces/guide ambiguous',
    ]);
    expect(planned.settled.map(({ item, to }) => [item, to?.id])).toContainEqual(['spaces/guide-2', 's2']);
  });

  it('an item that stands elsewhere is still found by its title, and moved', () => {
    const shelf = there('collections', 'c4', { title: 'Shelf' });
    const planned = plan(
      files([
        wanted('collections/shelf', { title: 'Shelf' }),
        wanted('spaces/guide', { title: 'Guide' }, { parent: 'collections/shelf' }),
      ]),
      platform([shelf, atTop]),
    );
    expect(lines(planned)).toEqual(['move spaces/guide POST /v1/spaces/s2/move {"parent":"c4"}']);
  });

  it('a space of a site is found by its path in its own section, where its space is not seen', () => {
    const site = there('sites', 'd1', { title: 'Docs' });
    const section = (key: string) => there('sections', key, { title: key, path: key }, { parent: site });
    const [api, guides] = [section('api'), section('guides')];
    const space = (id: string, parent: LiveItem) =>
      there('site-spaces', id, { path: 'start' }, { parent, natural: `space of ${id}`, title: 'Start' });
    const live = platform([site, api, guides, space('x1', api), space('x2', guides)]);
    const docs = 'sites/docs';
    const planned = plan(
      files([
        wanted(docs, { title: 'Docs' }),
        wanted('sections/docs/api', { title: 'api', path: 'api' }, { parent: docs }),
        wanted('sections/docs/guides', { title: 'guides', path: 'guides' }, { parent: docs }),
        wanted('site-spaces/docs/start', { path: 'start' }, { parent: 'sections/docs/guides' }),
      ]),
      live,
    );
    expect(planned.settled.map(({ item, to }) => [item, to?.id])).toContainEqual([
      'site-spaces/docs/start',
      'x2',
    ]);
  });
});
