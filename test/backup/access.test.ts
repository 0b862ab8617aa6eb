import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createClient } from '../../src/api/client.js';
import type { TransportRequest } from '../../src/api/transport.js';
import { keepAccess, writeAccess } from '../../src/backup/access.js';
import { diffAccess, diffOrders } from '../../src/backup/diff-backups.js';
import { Folder } from '../../src/backup/folder.js';
import { folderSink, Gathering } from '../../src/backup/gathering.js';
import type { FileEntry } from '../../src/backup/manifest.js';
import { StoredFiles } from '../../src/backup/reader.js';
import { DocsError } from '../../src/base/errors.js';

/** Permissions of many people, some of whom cannot be read, and what differs between two lists of them. */

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'docs-access-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

interface World {
  /** Members, in the order of the list. */
  members: readonly string[];
  permission: string;
  refuses(member: string): boolean;
}

const usual: World = { members: ['u1', 'u2', 'u3'], permission: 'edit', refuses: () => false };

/** Reads into the folder. @param old files of the last run */
async function read(world: Partial<World>, old: readonly FileEntry[] = []) {
  const { members, permission, refuses } = { ...usual, ...world };
  const asked: string[] = [];
  const client = createClient({
    async send({ path }: TransportRequest) {
      const [, member] = /\/members\/(\w+)\/spaces/.exec(path) ?? [];
      if (member !== undefined) asked.push(member);
      if (member !== undefined && refuses(member)) throw new DocsError('forbidden', 'forbidden', 'No.');
      const items =
        member === undefined
          ? members.map((id) => ({ object: 'member', id, user: { id, displayName: `Person ${id}` } }))
          : ['s2', 's1'].map((id) => ({ permission, space: { object: 'space', id, title: id } }));
      return { status: 200, headers: {}, body: { items, next: {} }, attempts: 1 };
    },
    download: () => Promise.reject(new Error()),
    close: async () => {},
    platformNowMs: undefined,
  });
  const folder = new Folder(root);
  const signal = new AbortController().signal;
  const reading = { client, organizationId: 'o1', concurrency: 2, signal, folder };
  const gathering = new Gathering(reading, { at: '', old, sink: folderSink(folder) });
  const told: number[] = [];
  const permissions = await writeAccess(gathering, (done) => told.push(done));
  return { gathering, permissions, asked, told };
}

const lines = () =>
  JSON.parse(readFileSync(join(root, 'access.json'), 'utf8')) as Record<string, string | string[]>[];

test('each member is one request and one line, with sorted spaces by permission', async () => {
  const { permissions, asked, told, gathering } = await read({});
  expect(asked).toEqual(['u1', 'u2', 'u3']);
  expect(told).toEqual([0, 3]);
  expect(readFileSync(join(root, 'access.json'), 'utf8')).toBe(
    textOf(['u1', 'u2', 'u3'].map((member) => ({ member, edit: ['s1', 's2'] }))),
  );
  expect(permissions).toBe(6);
  expect([...gathering.older]).toEqual([]);
});

describe('people whose spaces cannot be read', () => {
  test('are named, and keep the line of the last run where there is one', async () => {
    const { gathering: last } = await read({});
    const members = ['u0', 'u2', 'u1', 'u3'];
    const refuses = (member: string) => ['u0', 'u1', 'u2'].includes(member);
    const { gathering, permissions } = await read({ members, permission: 'read', refuses }, last.files);
    expect(lines()).toEqual([
      { member: 'u2', edit: ['s1', 's2'] },
      { member: 'u1', edit: ['s1', 's2'] },
      { member: 'u3', read: ['s1', 's2'] },
    ]);
    expect(permissions).toBe(6);
    expect(gathering.failed).toMatchObject([
      { kind: 'access', id: 'u0', title: 'Person u0' },
      { kind: 'access', id: 'u2' },
      { kind: 'access', id: 'u1' },
    ]);
    expect([...gathering.older]).toEqual(['access']);
  });

  test('a list that someone changed lends no lines', async () => {
    const { gathering: last } = await read({});
    const path = join(root, 'access.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace('edit', 'read'));
    const { gathering } = await read({ refuses: () => true }, last.files);
    expect(lines()).toEqual([]);
    expect([...gathering.older]).toEqual([]);
  });

  test('in windows far apart, each is found again', async () => {
    const members = Array.from({ length: 80 }, (_, index) => `u${index}`);
    const { gathering: last } = await read({ members });
    const refuses = (member: string) => ['u2', 'u40', 'u79'].includes(member);
    await read({ members: [...members].reverse(), permission: 'read', refuses }, last.files);
    const kept = lines().filter((line) => 'edit' in line);
    expect(kept.map(({ member }) => member)).toEqual(['u79', 'u40', 'u2']);
    expect(lines()).toHaveLength(80);
  });

  test('if they are a hundred in a row, the rest is not asked, and the file stays', async () => {
    const members = Array.from({ length: 500 }, (_, index) => `u${index}`);
    const { gathering: last } = await read({ members });
    const { gathering, asked, permissions } = await read({ members, refuses: () => true }, last.files);
    expect(asked.length).toBeLessThan(130);
    expect(permissions).toBeUndefined();
    expect(gathering.failed).toMatchObject([{ kind: 'access', id: 'o1' }]);
    expect(gathering.files).toEqual(last.files);
    expect(lines()).toHaveLength(500);
    expect([...gathering.older]).toEqual(['access']);
  });
});

test('a list that is kept is counted', async () => {
  const { gathering: last } = await read({});
  const { reading } = last;
  const sink = folderSink(reading.folder);
  const gathering = new Gathering(reading, { at: '', old: last.files, sink });
  expect(await keepAccess(gathering)).toBe(6);
  expect(gathering.files).toEqual(last.files);
});

const spaces = [
  { id: 's1', title: 'Guide' },
  { id: 's2', title: 'Notes' },
];

/** A side with these lists, by kind. */
function side(lists: Record<string, unknown[]>, known = spaces) {
  const texts = new Map(Object.entries(lists).map(([kind, items]) => [`${kind}.json`, textOf(items)]));
  const files = [...texts].map(([path, text]) => {
    const kind = path.replace('.json', '');
    return { path, kind, bytes: text.length, sha256: text };
  });
  const folder = {
    root: 'x',
    read: async (path: string) => {
      const text = texts.get(path);
      return text === undefined ? undefined : each([Buffer.from(text)]);
    },
    text: async (path: string) => texts.get(path),
  };
  return { top: new StoredFiles(folder, '', files), spaces: known };
}

const textOf = (items: readonly unknown[]) =>
  `[\n${items.map((item) => JSON.stringify(item)).join(',\n')}\n]\n`;

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe('differences of permissions', () => {
  const members = [{ id: 'u1', user: { displayName: 'Ada' } }];

  test('name the person, the space, and the permission before and after', async () => {
    const a = side({ members, access: [{ member: 'u1', read: ['s1'], edit: ['s2'] }] });
    const b = side({ members, access: [{ member: 'u1', edit: ['s1'] }] });
    const person = { kind: 'access', id: 'u1', title: 'Ada' };
    const [guide, notes] = [
      { ...person, space: 'Guide', spaceId: 's1' },
      { ...person, space: 'Notes', spaceId: 's2' },
    ];
    const [changed, removed] = [
      { field: 'permission', before: 'read', after: 'edit' },
      { field: 'permission', before: 'edit' },
    ];
    expect(await all(diffAccess(a, b))).toEqual([
      { change: 'changed', ...guide, detail: 'permission: read → edit', fields: [changed] },
      { change: 'removed', ...notes, detail: 'permission: edit → (none)', fields: [removed] },
    ]);
    const [added] = (await all(diffAccess(b, a))).filter(({ change }) => change === 'added');
    expect(added).toMatchObject({ space: 'Notes', detail: 'permission: (none) → edit' });
  });

  test('in another order there are none', async () => {
    const people = ['u1', 'u2', 'u3', 'u4'].map((member) => ({ member, read: ['s1'] }));
    const moved = [people[3], people[1], people[0], people[2]];
    expect(await all(diffAccess(side({ access: people }), side({ access: moved })))).toEqual([]);
  });

  test('of people and spaces that only one side has are not repeated', async () => {
    const reads = (member: string, ...read: string[]) => ({ member, read });
    const a = side({ access: [reads('u1', 's1', 's2'), reads('u2', 's1')] });
    const b = side({ access: [reads('u3', 's1'), reads('u1', 's1')] }, spaces.slice(0, 1));
    expect(await all(diffAccess(a, b))).toEqual([]);
  });

  test('are not made up where a backup has no permissions', async () => {
    const a = side({ members });
    const b = side({ members, access: [{ member: 'u1', edit: ['s1'] }] });
    expect(await all(diffAccess(a, b))).toEqual([]);
    expect(await all(diffAccess(b, a))).toEqual([]);
  });
});

describe('differences of orders', () => {
  const top = { id: 'o1', title: 'Acme' };
  const collection = (id: string, parent?: string) => ({
    id,
    title: id.toUpperCase(),
    ...(parent && { parent }),
  });

  test('name the collection, or the organization', async () => {
    const a = side({
      orders: [{ collection: 'c1', items: ['s1', 's2'] }],
      collections: [collection('c1'), collection('c3', 'c1'), collection('c4', 'c1'), collection('c2')],
    });
    const b = side({
      orders: [{ collection: 'c1', items: ['s2', 's1', 's9'] }],
      collections: [collection('c2'), collection('c1'), collection('c4', 'c1'), collection('c3', 'c1')],
    });
    const found = await all(diffOrders(a, b, top));
    const told = found.map(({ kind, title, detail }) => `${kind} ${title} ${detail}`);
    expect(told.sort()).toEqual([
      'order Acme order: ["C1","C2"] → ["C2","C1"]',
      'order C1 order: ["C3","C4"] → ["C4","C3"]',
      'order C1 order: ["Guide","Notes"] → ["Notes","Guide"]',
    ]);
  });

  test('what was added or removed is not another order', async () => {
    const a = side({ orders: [{ collection: 'c1', items: ['s1', 's2'] }] });
    const orders = [
      { collection: 'c1', items: ['s0', 's2'] },
      { collection: 'c2', items: ['s1'] },
    ];
    const b = side({ orders });
    expect(await all(diffOrders(a, b, top))).toEqual([]);
  });
});
