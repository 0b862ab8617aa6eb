import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Folder, jsonLines } from '../../src/backup/folder.js';
import { foundLater, joinedAccess } from '../../src/backup/merge.js';
import type { Part } from '../../src/backup/parts.js';
import { textOf } from '../../src/backup/reader.js';
import { shardOf } from '../../src/shards/shard.js';

/** What the parts of a backup say together that none of them says alone. */

const of = 2;
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'docs-parts-'));
});
afterEach(() => rmSync(root, { recursive: true }));

interface Made {
  startedAt: string;
  found?: string[];
  spaces?: string[];
  files?: { path: string; kind: string }[];
}

function part(index: number, { startedAt, found = [], spaces = [], files = [] }: Made): Part {
  const folder = new Folder(root);
  const flags = { access: true };
  const shard = { index, of };
  const head = { platform: 'sandbox', organization: { id: 'o1', title: 'Acme' } };
  return {
    shard,
    folder,
    record: {
      ...{ format: '', command: 'backup run', shard, platform: 'sandbox', organization: 'o1', flags },
      ...{ startedAt, finishedAt: startedAt, whole: true, found, manifest: '', sha256: '' },
    },
    manifest: {
      ...head,
      ...{ state: 'whole', runs: 0, startedAt, counts: {}, failed: [] },
      files: files.map((file) => ({ ...file, bytes: 0, sha256: '' })),
      spaces: spaces.map((id) => ({ id, title: id, folder: id, state: 'whole' })),
    },
  };
}

/** Ids of each part. */
const idsOf = (index: number, count: number) =>
  Array.from({ length: 100 }, (_, at) => `id${at}`)
    .filter((id) => shardOf(id, of) === index)
    .slice(0, count);
const [early, late] = ['2026-01-01T00:00:00.000Z', '2026-01-01T01:00:00.000Z'];

describe('a space that only another part has found', () => {
  const [space = ''] = idsOf(1, 1);

  test('is new, if that part started later: not read', () => {
    const parts = [part(1, { startedAt: early }), part(2, { startedAt: late, found: [space] })];
    expect(foundLater(parts)).toMatchObject([
      {
        kind: 'space',
        id: space,
        error: { code: 'not_in_part', message: expect.stringContaining('part 1 of 2') },
      },
    ]);
  });

  test('is gone, if its own part started later', () => {
    const parts = [part(1, { startedAt: late }), part(2, { startedAt: early, found: [space] })];
    expect(foundLater(parts)).toEqual([]);
  });

  test('is nothing to tell where its own part has it', () => {
    const parts = [
      part(1, { startedAt: early, spaces: [space] }),
      part(2, { startedAt: late, found: [space] }),
    ];
    expect(foundLater(parts)).toEqual([]);
  });
});

test('permissions are in the order of the members; those who joined meanwhile come last', async () => {
  const [[a = '', b = '', joined = ''], [c = '', d = '']] = [idsOf(1, 3), idsOf(2, 2)];
  const folder = new Folder(root);
  const write = async (path: string, items: unknown[]) =>
    void (await folder.write(
      path,
      jsonLines(
        (async function* () {
          yield* items;
        })(),
      ),
    ));
  await write(
    'members.json',
    [c, a, d, b].map((id) => ({ id })),
  );
  await write(
    'access1.json',
    [b, joined, a].map((member) => ({ member, read: ['s1'] })),
  );
  await write(
    'access2.json',
    [c, d].map((member) => ({ member, edit: ['s2'] })),
  );
  const files = (index: number) => [{ path: `access${index}.json`, kind: 'access' }];
  const parts = [
    part(1, { startedAt: early, files: [...files(1), { path: 'members.json', kind: 'members' }] }),
    part(2, { startedAt: early, files: files(2) }),
  ];
  const bytes = joinedAccess(parts);
  const lines = JSON.parse(bytes === undefined ? '[]' : await textOf(bytes)) as { member: string }[];
  expect(lines.map(({ member }) => member)).toEqual([c, a, d, b, joined]);
  expect(joinedAccess([part(1, { startedAt: early })])).toBeUndefined();
});
