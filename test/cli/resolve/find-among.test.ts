import { expect, test } from 'vitest';
import { DocsError, notSent } from '../../../src/base/errors.js';
import { findAmong } from '../../../src/cli/resolve/find-by-title.js';
import { type Resource, resources } from '../../../src/model/resources.js';

const kinds = [resources.space, resources.collection];
const notFound = () => notSent('not-found', 'unknown_title', 'not found');

/** @param ids that each kind has @param titles that each kind has, with the id of each */
function find(
  text: string,
  ids: Record<string, string[]>,
  titles: Record<string, Record<string, string>> = {},
) {
  const idOf = async ({ name }: Resource) => titles[name]?.[text] ?? Promise.reject(notFound());
  const hasId = async ({ name }: Resource) => ids[name]?.includes(text) ?? false;
  return findAmong(
    kinds,
    { text, place: '--before', isName: Object.keys(titles).length > 0 },
    { hasId, idOf },
  );
}

test('an id is that of the kind that has it', async () => {
  expect(await find('c1', { space: ['s1'], collection: ['c1'] })).toBe('collection:c1');
  expect(await find('s1', { space: ['s1'], collection: ['c1'] }, { collection: { s1: 'c9' } })).toBe(
    'space:s1',
  );
});

test('a title that two kinds have is refused, with both ids', async () => {
  const titles = { space: { Guides: 's1' }, collection: { Guides: 'c1' } };
  const failed = await find('Guides', {}, titles).catch((cause: unknown) => cause as DocsError);
  expect(failed).toMatchObject({
    code: 'ambiguous_title',
    message: '--before: space:s1, collection:c1 are all called "Guides". Pass one of these ids.',
  });
});

test('a failure other than that there is none ends the search', async () => {
  const forbidden = new DocsError('forbidden', 'forbidden', 'no');
  const ways = { hasId: () => Promise.reject(forbidden), idOf: () => Promise.reject(forbidden) };
  await expect(findAmong(kinds, { text: 'x', place: '--after', isName: false }, ways)).rejects.toBe(
    forbidden,
  );
});
