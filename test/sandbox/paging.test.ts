import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createPager } from '../../src/sandbox/paging.js';
import { type Database, openDatabase } from '../../src/sandbox/store/database.js';

let db: Database;

beforeEach(async () => {
  db = await openDatabase(':memory:');
  db.exec('CREATE TABLE things (id TEXT PRIMARY KEY, age INTEGER NOT NULL)');
});
afterEach(() => db.close());

const insert = (id: string, age: number) =>
  db.write(() => db.run('INSERT INTO things VALUES (?, ?)', id, age));

function list(query: { page?: string; limit?: number }, { name = 'things', order = 'asc', least = 0 } = {}) {
  return createPager(
    db,
    name,
    query,
  )({
    select: 't.id',
    from: 'things t',
    where: [['t.age >= ?', least], undefined],
    by: ['t.age', 't.id'],
    order,
    item: ({ id }: { id: string }) => id,
  });
}

describe('a list', () => {
  test('has 50 items per page by default', () => {
    for (let age = 0; age < 120; age += 1) insert(`t${String(age).padStart(3, '0')}`, age);
    const first = list({});
    expect([first.items.length, first.items[49], first.count]).toEqual([50, 't049', 120]);
    const page = first.next?.page ?? '';
    expect(list({ page, limit: 1000 }).items).toHaveLength(70);
    expect(list({ page, limit: 70 })).not.toHaveProperty('next');
  });

  test('without items is one empty page', () => {
    expect(list({})).toEqual({ items: [], count: 0 });
  });

  test('recounts after each change', () => {
    insert('a', 1);
    expect(list({}).count).toBe(1);
    insert('b', 2);
    expect(list({}).count).toBe(2);
    expect(list({}, { least: 2 }).count).toBe(1);
  });
});

describe('a cursor', () => {
  test.each([
    ['of another list', (page: string) => () => list({ page }, { name: 'others' })],
    ['that is no base64', () => () => list({ page: 'ä ö' })],
    ['that is no JSON', () => () => list({ page: 'YWJj' })],
    ['that is no list', () => () => list({ page: Buffer.from('{"a":1}').toString('base64url') })],
    ['cut short', (page: string) => () => list({ page: page.slice(0, -4) })],
    [
      'with keys of its maker',
      (page: string) => () => {
        const [seal] = JSON.parse(Buffer.from(page, 'base64url').toString());
        return list({ page: Buffer.from(JSON.stringify([seal, 1, 'zzz'])).toString('base64url') });
      },
    ],
  ])('%s is refused', (_, attempt) => {
    insert('a', 1);
    insert('b', 2);
    const page = list({ limit: 1 }).next?.page ?? '';
    expect(attempt(page)).toThrow(expect.objectContaining({ failure: { status: 400 } }));
  });

  test('is made of letters, digits, _ and -', () => {
    insert('ÿ?>', 1);
    insert('~~~', 2);
    expect(list({ limit: 1 }).next?.page).toMatch(/^[\w-]+$/);
  });
});

describe('a list in memory', () => {
  const entries = ['a', 'c', 'e', 'g'];
  const read = (query: { page?: string; limit?: number }, all = entries) =>
    createPager(db, 'letters', query).of({
      entries: all,
      key: (entry) => entry,
      item: (entry) => entry.toUpperCase(),
    });

  test('is paged the same way', () => {
    const first = read({ limit: 2 });
    expect([first.items, first.count]).toEqual([['A', 'C'], 4]);
    const page = first.next?.page ?? '';
    expect(read({ limit: 2, page })).toEqual({ items: ['E', 'G'], count: 4 });
    expect(read({ limit: 9, page }, ['b', 'd', 'e']).items).toEqual(['D', 'E']);
  });
});
