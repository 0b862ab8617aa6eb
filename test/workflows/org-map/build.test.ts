import { describe, expect, test } from 'vitest';
import type { Collection } from '../../../src/api/resources/collections.js';
import type { Space } from '../../../src/api/resources/spaces.js';
import { DocsError } from '../../../src/base/errors.js';
import { mapOf } from '../../../src/commands/orgs/map-tree.js';
import { type Found, nothingFound } from '../../../src/commands/orgs/map-read.js';
import { mapParts, rowsOf } from '../../../src/commands/orgs/map-nodes.js';

/** The tree that is made of what was read. */

const spaceOf = (id: string, more: Partial<Space> = {}): Space =>
  ({
    ...{ id, title: id.toUpperCase(), visibility: 'private', changeRequestsOpen: 0 },
    ...{ updatedAt: '2026-01-01T00:00:00Z', ...more },
  }) as Space;
const collectionOf = (id: string, parent?: string): Collection =>
  ({ id, title: `Collection ${id}`, ...(parent !== undefined && { parent }) }) as Collection;

function foundOf(collections: Collection[], spaces: Space[], lists: Record<string, string[]> = {}): Found {
  const byId = <T extends { id: string }>(items: T[]) => new Map(items.map((item) => [item.id, item]));
  const found = nothingFound('o1');
  return Object.assign(found, {
    collections: byId(collections),
    spaces: byId(spaces),
    inCollections: new Map(Object.entries(lists)),
  });
}

/** `id` of each node, two spaces per level. */
function outline(found: Found): string[] {
  const rows = [...rowsOf(mapOf(found, new Set(['spaces'])))];
  return rows.map(({ depth, id }) => '  '.repeat(depth) + id);
}

describe('spaces', () => {
  test('stand in their collections in the order of the platform, others by title', () => {
    const inside = [
      spaceOf('b', { parent: 'c3' }),
      spaceOf('a', { parent: 'c3' }),
      spaceOf('k', { parent: 'c2' }),
    ];
    const found = foundOf(
      [collectionOf('c2'), collectionOf('c1'), collectionOf('c3', 'c2')],
      [spaceOf('z'), ...inside, spaceOf('m')],
      { c3: ['b', 'a'], c2: ['k'] },
    );
    expect(outline(found)).toEqual([
      ...['o1', '  spaces', '    c2', '      c3', '        b', '        a', '      k'],
      ...['    c1', '    m', '    z'],
    ]);
  });

  test('are counted and dated in every collection around them', () => {
    const found = foundOf(
      [collectionOf('c1'), collectionOf('c2', 'c1')],
      [
        spaceOf('a', { parent: 'c2', updatedAt: '2026-03-01T00:00:00Z' }),
        spaceOf('b', { parent: 'c1', updatedAt: 'soon' }),
      ],
    );
    const rows = [...rowsOf(mapOf(found, new Set(['spaces'])))];
    expect(rows.filter(({ kind }) => kind === 'collection')).toMatchObject([
      { id: 'c1', spaces: 2, updatedAt: '2026-03-01T00:00:00Z' },
      { id: 'c2', spaces: 1, updatedAt: '2026-03-01T00:00:00Z', parent: 'c1' },
    ]);
  });

  test('of a collection that no list has stand below its id', () => {
    const found = foundOf([], [spaceOf('a', { parent: 'secret' })]);
    expect(outline(found)).toEqual(['o1', '  spaces', '    secret', '      a']);
  });

  test('and collections that stand in each other are all there, once', () => {
    const found = foundOf(
      [collectionOf('c1', 'c2'), collectionOf('c2', 'c1'), collectionOf('c3', 'c3')],
      [spaceOf('a', { parent: 'c2' })],
    );
    expect(outline(found)).toEqual(['o1', '  spaces', '    c1', '      c2', '        a', '    c3']);
  });

  test('may be nested deeper than the call stack', () => {
    const deep = Array.from({ length: 20_000 }, (_, index) =>
      collectionOf(`c${index}`, index === 0 ? undefined : `c${index - 1}`),
    );
    const rows = [...rowsOf(mapOf(foundOf(deep, [spaceOf('a', { parent: 'c19999' })]), new Set(['spaces'])))];
    expect(rows).toHaveLength(20_003);
    expect(rows[2]).toMatchObject({ id: 'c0', spaces: 1 });
  });
});

test('what could not be read is marked, and of nothing found no total is claimed', () => {
  const found = foundOf([collectionOf('c1')], [spaceOf('a', { parent: 'c1' })]);
  const unread = { kind: 'collection', id: 'c1', error: new DocsError('forbidden', 'forbidden', 'No.') };
  found.missing.push({ parts: ['spaces'], node: 'c1', unread }, { parts: ['teams'], unread });
  const rows = [...rowsOf(mapOf(found, new Set(mapParts)), 2)];
  expect(rows.find(({ id }) => id === 'sites')).toMatchObject({ total: 0 });
  expect(rows.filter((row) => row.unread).map(({ id, total }) => [id, total])).toEqual([
    ['o1', undefined],
    ['spaces', 1],
    ['c1', undefined],
    ['teams', undefined],
  ]);
});
