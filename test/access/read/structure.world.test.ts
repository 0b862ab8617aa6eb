import { expect, test } from 'vitest';
import { defaultLevelOf } from '../../../src/access/levels.js';
import { addSpace, readStructure } from '../../../src/access/structure.js';
import { seedId } from '../../sandbox/client.js';
import { openReadWorld, scripted } from './read-world.js';

/** Collections and spaces with their levels. */

const space = (id: string, parent?: string) => ({
  ...{ object: 'space', id, title: `Space ${id}`, visibility: 'in-collection', defaultLevel: 'inherit' },
  ...(parent !== undefined && { parent }),
});
const collection = (id: string, defaultLevel: string | null, parent?: string) => ({
  ...{ object: 'collection', id, title: `Collection ${id}`, defaultLevel },
  ...(parent !== undefined && { parent }),
});
const lists: Record<string, unknown[]> = {
  '/v1/orgs/o1/collections': [collection('c1', 'inherit', 'c2')],
  '/v1/collections/c1/spaces': [space('s1', 'c1')],
  '/v1/orgs/o1/sites': [{ id: 'site1', title: 'Docs' }],
  '/v1/orgs/o1/sites/site1/site-spaces': [
    { id: 'ss1', title: 'Hidden' },
    { id: 'ss2', title: 'S2', space: space('s2') },
  ],
  '/v1/orgs/o1/members': [{ id: 'u1', role: 'admin', user: { displayName: 'Ada' } }],
  '/v1/orgs/o1/members/u1/spaces': [{ permission: 'admin', space: space('s3', 'c9') }],
};
const others: Record<string, unknown> = { '/v1/collections/c2': collection('c2', 'comment') };

test('collections around a space are read although no list has them, and what is hidden is said', async () => {
  const asked: string[] = [];
  const reading = scripted((path) => {
    asked.push(path);
    const items = lists[path];
    return items === undefined ? others[path] : { items };
  });
  const structure = await readStructure(reading);
  expect([...structure.spaces.keys()]).toEqual(['s1', 's2', 's3']);
  expect([...structure.collections.keys()]).toEqual(['c1', 'c2']);
  expect(structure.unread).toMatchObject([
    {
      ...{ kind: 'site-space', id: 'ss1', title: 'Hidden' },
      error: {
        kind: 'forbidden',
        message: 'site Docs (site1) lists a space that this token cannot see',
      },
    },
    { kind: 'parent-collection', id: 'c9', error: { kind: 'not-found' } },
  ]);
  const levelOf = (id: string) => {
    const found = structure.spaces.get(id);
    return found && defaultLevelOf({ ...found, object: 'space' }, structure.collections);
  };
  expect(levelOf('s1')).toMatchObject({ known: true, reaches: 'comment', from: { id: 'c2' } });
  expect(levelOf('s3')).toEqual({ known: false, missing: 'c9' });

  asked.length = 0;
  const found = { ...space('s4', 'c9'), visibility: 'private' as const };
  await addSpace(reading, structure, found);
  await addSpace(reading, structure, { ...found, id: 's5', parent: 'c3' });
  await addSpace(reading, structure, { ...found, title: 'Other' });
  expect(structure.spaces.get('s4')).toMatchObject({ title: 'Space s4', visibility: 'private' });
  expect(asked).toEqual(['/v1/collections/c3']);
});

test('a list that may not be read is reported; the others are read', async () => {
  const world = await openReadWorld();
  try {
    world.control.faults.add({ match: 'GET /v1/orgs/*/collections*', status: 403 });
    const structure = await readStructure(world.reading);
    expect(structure.unread).toMatchObject([{ kind: 'collections', error: { kind: 'forbidden' } }]);
    expect(structure.spaces.has(seedId('space handbook'))).toBe(true);
    expect(structure.collections.get(seedId('collection internal'))?.title).toBeDefined();
  } finally {
    await world.close();
  }
});
