import { expect, it } from 'vitest';
import type { Client } from '../../src/api/client.js';
import type { ContentPage } from '../../src/api/resources/content.js';
import { Contents } from '../../src/backup/link-content.js';
import { findTarget } from '../../src/backup/link-target.js';
import { DocsError } from '../../src/base/errors.js';
import { namedBy } from '../../src/files/markdown-links.js';

/** Of several pages with the title of a link, the nearest: by its path, its collection, its folder. */

const page = (id: string, path: string): ContentPage =>
  ({ id, path, slug: path.split('/').at(-1), title: 'Backups', type: 'document' }) as unknown as ContentPage;

/** Spaces by id: their collection, the paths of their pages called Backups, whether they cannot be read. */
type Spaces = Record<string, { parent?: string; paths: readonly string[]; closed?: true }>;

/**
 * `team` is in `area`; what a link on `guides/start` of the space `here` leads to.
 * @param id of a page, which has the same in every space
 */
async function targetOf(address: string, spaces: Spaces, id?: string) {
  const collections = {
    async *pages() {
      yield { items: [{ id: 'area' }, { id: 'team', parent: 'area' }, { id: 'other' }] };
    },
  };
  const answering = {
    call: (_: unknown, { path }: { path: { spaceId?: string } }) => {
      if (path.spaceId === undefined) return collections;
      const { paths = [], closed } = spaces[path.spaceId] ?? {};
      if (closed) return Promise.reject(new DocsError('forbidden', 'forbidden', 'No.'));
      const start = { ...page('start', 'guides/start'), title: 'Start' };
      const pages = paths.map((one) => page(id ?? `${path.spaceId} ${one}`, one));
      const own = path.spaceId === 'here' ? [start] : [];
      return Promise.resolve({ id: 'r1', files: [], pages: [...own, ...pages] });
    },
  } as unknown as Client;
  const known = Object.entries(spaces).map(([id, { parent }]) => ({ id, ...(parent && { parent }) }));
  const { signal } = new AbortController();
  const reading = { client: answering, organizationId: 'o1', concurrency: 1, signal };
  const contents = new Contents(reading, known);
  const from = await contents.of({ id: 'here' });
  const named = namedBy(address);
  if (from === undefined || named === undefined) throw new Error('no such space');
  const link = { from, pageId: 'start', named, former: undefined, texts: ['Backups'] };
  const found = await findTarget(link, contents);
  if (id !== undefined)
    return { ...found, candidates: found.is === 'several' && found.candidates.map(({ space }) => space.id) };
  if (found.is === 'one') return [found.candidate.page?.id, found.why];
  return found.is === 'several' ? found.candidates.map((one) => one.page?.id) : found.why;
}

it('has more of the path of the link', async () => {
  const spaces = { here: { paths: ['admin/backups', 'ops/backups'] } };
  expect(await targetOf('../ops/backups.md', spaces)).toEqual([
    ...['here ops/backups', 'the only one of 2 with the path of the link'],
  ]);
  expect(await targetOf('../old/backups.md', spaces)).toEqual(['here admin/backups', 'here ops/backups']);
});

it('is in the same collection, or in one around it', async () => {
  const spaces: Spaces = {
    here: { parent: 'team', paths: [] },
    far: { parent: 'other', paths: ['backups'] },
    loose: { paths: ['backups'] },
    around: { parent: 'area', paths: ['backups'] },
  };
  expect(await targetOf('backups.md', spaces)).toEqual([
    ...['around backups', 'the only one of 3 in a collection around that of the link'],
  ]);
  const sibling = { ...spaces, sibling: { parent: 'team', paths: ['x/backups'] } };
  expect(await targetOf('backups.md', sibling)).toEqual([
    ...['sibling x/backups', 'the only one of 4 in the same collection'],
  ]);
});

it('is in a folder of the same path, in a space of the same collection alone', async () => {
  const paths = ['admin/backups', 'guides/backups'];
  const near = { here: { parent: 'team', paths: [] }, sibling: { parent: 'team', paths } };
  expect(await targetOf('backups.md', near)).toEqual([
    ...['sibling guides/backups', 'the only one of 2 in a folder of the same path'],
  ]);
  const far = { here: { parent: 'team', paths: [] }, far: { parent: 'other', paths } };
  expect(await targetOf('backups.md', far)).toEqual(['far admin/backups', 'far guides/backups']);
});

it('is open where several spaces have a page with the id that the link names, as copies do', async () => {
  const spaces: Spaces = {
    here: { paths: [] },
    copy: { paths: ['backups'] },
    original: { paths: ['backups'] },
  };
  const found = await targetOf('/pages/p1', spaces, 'p1');
  expect(found).toMatchObject({ is: 'several', by: 'id', candidates: ['copy', 'original'] });
  expect(found).toHaveProperty('why', expect.stringMatching(/^2 spaces have a page with this id: /));
  const { original: _, ...one } = spaces;
  expect(await targetOf('/pages/p1', one, 'p1')).toMatchObject({ is: 'one', by: 'id' });
});

it('is open where one space has such a page and another cannot be read', async () => {
  const one: Spaces = { here: { paths: [] }, far: { paths: ['backups'] } };
  expect(await targetOf('backups.md', one)).toEqual(['far backups', undefined]);
  const closed: Spaces = { ...one, closed: { paths: [], closed: true } };
  expect(await targetOf('backups.md', closed, 'p1')).toMatchObject({
    ...{ is: 'several', by: 'title', candidates: ['far'] },
    why: 'one has its title, and another may: not everything could be read',
  });
});
