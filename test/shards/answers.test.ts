import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createClient } from '../../src/api/client.js';
import { RawNumber, type Transport } from '../../src/api/transport.js';
import { Folder, jsonLines, textOf } from '../../src/backup/folder.js';
import { foundLater, joinedAccess } from '../../src/backup/merge.js';
import type { BackupPart } from '../../src/backup/parts.js';
import { DocsError } from '../../src/base/errors.js';
import { stringify } from '../../src/output/json.js';
import { PartWriter } from '../../src/shards/answer-part.js';
import { AnswerPart, recorded, replayed } from '../../src/shards/read-part.js';
import { isFirst, isIn, mostShards, parseShard, partFolders, shardOf } from '../../src/shards/shard.js';

/** Parts on disk: what is answered is kept as it was, and what is not ours is refused. */

let folder: string;

const opened: AnswerPart[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docs-parts-'));
});

afterEach(async () => {
  for (const part of opened.splice(0)) await part.close();
  rmSync(folder, { recursive: true });
});

const head = { command: 'links check', platform: 'sandbox', organization: 'o1', flags: {} };

const at = (index: number, of = 2) => join(folder, `${index}-of-${of}`, 'answers.ndjson');

/** A platform of some answers: a value, or a failure. */
function platform(answers: Readonly<Record<string, unknown>>): Transport {
  return {
    async send({ path }) {
      const body = answers[path];
      if (body instanceof DocsError) throw body;
      return { status: 200, headers: {}, body, attempts: 1, dateMs: 1000 };
    },
    download: () => Promise.reject(new Error('no download')),
    platformNowMs: 1000,
    close: async () => {},
  };
}

const get = (path: string) => ({ method: 'GET', path, read: 'json' }) as const;

async function write(
  index: number,
  answers: Readonly<Record<string, unknown>>,
  more: object = {},
): Promise<void> {
  const shard = { index, of: 2 };
  const startedAt = `2026-01-0${index}T00:00:00.000Z`;
  const writer = await PartWriter.begin(folder, { ...head, shard, startedAt, ...more });
  const transport = recorded(platform(answers), writer);
  for (const path of Object.keys(answers)) await transport.send(get(path)).catch(() => {});
  await writer.finish(startedAt);
}

async function open(index: number): Promise<AnswerPart | string> {
  const part = await AnswerPart.open({ index, of: 2, path: join(folder, `${index}-of-2`) });
  if (typeof part !== 'string') opened.push(part);
  return part;
}

async function joined(order: readonly number[] = [1, 2]): Promise<Transport> {
  const parts = await Promise.all(order.map(open));
  return replayed(parts.filter((part) => typeof part !== 'string'));
}

describe('what is kept', () => {
  test('any JSON comes back as it was', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), async (answers) => {
        await write(1, answers);
        const transport = await joined([1]);
        for (const [path, body] of Object.entries(answers))
          expect(stringify((await transport.send(get(path))).body)).toBe(stringify(body));
      }),
      { numRuns: 30 },
    );
  });

  test('numbers keep their digits, long texts are compressed, and nobody else may read it', async () => {
    await write(1, {
      '/n': { n: new RawNumber('12345678901234567890') },
      '/t': { text: 'a'.repeat(100_000) },
    });
    const transport = await joined([1]);
    expect((await transport.send(get('/n'))).body).toEqual({ n: new RawNumber('12345678901234567890') });
    expect((await transport.send(get('/t'))).body).toEqual({ text: 'a'.repeat(100_000) });
    expect(statSync(at(1)).size).toBeLessThan(3000);
    expect(statSync(at(1)).mode & 0o777).toBe(0o600);
  });

  test('the order of the parts does not matter, and the part that started last says what several read', async () => {
    const failed = new DocsError('server-error', 'server_error', 'It failed.', { status: 500 });
    await write(1, { '/list': ['old'], '/a': 1, '/late': 'answered' });
    await write(2, { '/list': ['new'], '/b': 2, '/late': failed, '/never': failed });
    for (const order of [
      [1, 2],
      [2, 1],
    ]) {
      const transport = await joined(order);
      const read = async (path: string) => (await transport.send(get(path))).body;
      expect(await Promise.all(['/list', '/a', '/b', '/late'].map(read))).toEqual([
        ['new'],
        1,
        2,
        'answered',
      ]);
      await expect(read('/never')).rejects.toMatchObject({ kind: 'server-error', failure: { status: 500 } });
      await expect(read('/other')).rejects.toMatchObject({ kind: 'partial', code: 'not_in_parts' });
    }
  });

  test('its end counts the answers, a second read of one not', async () => {
    const shard = { index: 1, of: 2 };
    const writer = await PartWriter.begin(folder, { ...head, shard, startedAt: '2026-01-01T00:00:00Z' });
    const transport = recorded(platform({ '/a': 1, '/b': 2 }), writer);
    for (const path of ['/a', '/b', '/a']) await transport.send(get(path));
    await writer.finish('2026-01-02T00:00:00Z');
    const { end } = JSON.parse(readFileSync(at(1), 'utf8').trimEnd().split('\n').at(-1) ?? '');
    expect(end).toMatchObject({ answers: 2, finishedAt: '2026-01-02T00:00:00Z' });
  });

  test('a merge never sends anything', async () => {
    await write(1, {});
    const client = createClient(await joined([1]));
    await expect(client.send({ method: 'DELETE', path: '/v1/x', read: 'nothing' })).rejects.toMatchObject({
      code: 'read_only',
    });
    await expect(client.download('https://example.com', {})).rejects.toMatchObject({ code: 'read_only' });
  });

  test('a part that is begun and not finished is none; that of an earlier run is gone', async () => {
    await write(1, { '/a': 1 });
    const writer = await PartWriter.begin(folder, {
      ...head,
      shard: { index: 1, of: 2 },
      startedAt: '2026-01-01T00:00:00Z',
    });
    expect(await open(1)).toBe('unfinished');
    await writer.abandon();
    expect(readdirSync(join(folder, '1-of-2'))).toEqual([]);
  });
});

describe('what is not ours', () => {
  const text = () => readFileSync(at(1), 'utf8');

  test.each<[string, (whole: string) => string]>([
    ['cut short', (whole) => whole.slice(0, -20)],
    ['cut at a line', (whole) => `${whole.split('\n').slice(0, -2).join('\n')}\n`],
    ['one byte changed', (whole) => whole.replace('first', 'fIrst')],
    [
      'a line more',
      (whole) => whole.replace('{"end"', '{"get":"/x","ok":true,"status":200,"body":"1"}\n{"end"'),
    ],
    [
      'a line twice',
      (whole) =>
        whole
          .split('\n')
          .flatMap((line, at) => (at === 1 ? [line, line] : [line]))
          .join('\n'),
    ],
    ['another format', (whole) => whole.replace('docs-part/1', 'docs-part/9')],
    ['flags that are no flags', (whole) => whole.replace('"flags":{}', '"flags":{"space":[[1]]}')],
    ['not JSON', () => 'hello\nthere\n'],
    ['empty', () => ''],
    ['no line at all', () => '\0'.repeat(200_000)],
  ])('%s: damaged', async (_, change) => {
    await write(1, { '/a': 'first', '/b': 'second' });
    writeFileSync(at(1), change(text()));
    expect(await open(1)).toMatch(/^damaged: /);
  });

  test('a control character in a path is damage', async () => {
    await write(1, { '/a': 'first', '/b': 'second' });
    writeFileSync(at(1), text().replace('"/a"', '"\u0007a"'));
    expect(await open(1)).toMatch(/^damaged: /);
  });

  test('any damage is found, and nothing is thrown', async () => {
    await write(1, { '/a': 'first', '/b': { long: 'x'.repeat(2000) } });
    const whole = readFileSync(at(1));
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 2), fc.integer({ min: 1, max: 255 }), async (place, by) => {
        const changed = Buffer.from(whole);
        changed[place] = ((changed[place] ?? 0) + by) % 256;
        writeFileSync(at(1), changed);
        const part = await open(1);
        // The end is not part of the hash: its times may be changed, and nothing that was answered.
        if (typeof part !== 'string') expect((await part.answer('/a'))?.ok).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  test('a file of another part, a link, a folder and a pipe are refused', async () => {
    await write(1, { '/a': 1 });
    mkdirSync(join(folder, '2-of-2'));
    writeFileSync(at(2), text());
    expect(await open(2)).toBe('damaged: answers.ndjson is that of part 1 of 2');
    rmSync(at(2));
    symlinkSync(at(1), at(2));
    expect(await open(2)).toBe('damaged: answers.ndjson is a link');
    rmSync(at(2));
    mkdirSync(at(2));
    expect(await open(2)).toBe('damaged: answers.ndjson is not a file');
  });

  test('a folder of a part that is a link is no part, and is not written through', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'docs-elsewhere-'));
    symlinkSync(elsewhere, join(folder, '1-of-1'));
    await expect(partFolders(folder, 'docs x')).rejects.toMatchObject({ code: 'no_parts' });
    const begun = PartWriter.begin(folder, {
      ...head,
      shard: { index: 1, of: 1 },
      startedAt: '2026-01-01T00:00:00Z',
    });
    await expect(begun).rejects.toMatchObject({ kind: 'local-io', code: 'unsafe_link' });
    expect(readdirSync(elsewhere)).toEqual([]);
    rmSync(elsewhere, { recursive: true });
  });
});

describe('the folder of the parts', () => {
  const make = (...names: string[]) => {
    for (const name of names) mkdirSync(join(folder, name));
  };

  test('names what is missing', async () => {
    make('1-of-4', '3-of-4', 'notes', '0-of-4', '5-of-4', '01-of-4');
    await expect(partFolders(folder, 'docs links check --parts p')).rejects.toMatchObject({
      exitCode: 3,
      code: 'part_missing',
      message: 'part 2 of 4 is missing; part 4 of 4 is missing; nothing was joined',
      failure: { hint: 'docs links check --parts p --shard 2/4' },
    });
  });

  test('refuses parts of several n, and a folder without any', async () => {
    await expect(partFolders(join(folder, 'none'), 'docs')).rejects.toMatchObject({ exitCode: 2 });
    await expect(partFolders(folder, 'docs')).rejects.toMatchObject({ exitCode: 2, code: 'no_parts' });
    make('1-of-1', '1-of-2', '2-of-2');
    await expect(partFolders(folder, 'docs')).rejects.toMatchObject({ exitCode: 2, code: 'other_parts' });
  });
});

/** Which part an id belongs to: a promise, which parts of different versions and machines rely on. */

const ids = fc.string({ minLength: 1, unit: 'grapheme' });

const counts = fc.integer({ min: 1, max: mostShards });

describe('parts', () => {
  test('each id is in exactly one part, and the parts together are all', () => {
    fc.assert(
      fc.property(fc.uniqueArray(ids), fc.integer({ min: 1, max: 12 }), (all, of) => {
        const parts = Array.from({ length: of }, (_, at) =>
          all.filter((id) => isIn({ index: at + 1, of }, id)),
        );
        expect(parts.flat().sort()).toEqual([...all].sort());
      }),
    );
  });

  test('one part of one is all', () => {
    fc.assert(fc.property(ids, (id) => isIn({ index: 1, of: 1 }, id) && isIn(undefined, id)));
    expect([isFirst(undefined), isFirst({ index: 1, of: 3 }), isFirst({ index: 2, of: 3 })]).toEqual([
      true,
      true,
      false,
    ]);
  });

  test('the hash is the documented one: the first 32 bits of SHA-256, modulo n, plus 1', () => {
    fc.assert(
      fc.property(ids, counts, (id, of) => {
        const hex = createHash('sha256').update(id).digest('hex').slice(0, 8);
        expect(shardOf(id, of)).toBe((Number.parseInt(hex, 16) % of) + 1);
      }),
    );
    // Written down, so that no later version moves an id.
    expect(['a', 'FVBgvClY2GOXVTOA3nXE', 'müller'].map((id) => shardOf(id, 7))).toEqual([3, 2, 5]);
  });
});

describe('--shard', () => {
  test('what parses is what is written', () => {
    fc.assert(
      fc.property(counts, counts, (a, b) => {
        const [index, of] = [Math.min(a, b), Math.max(a, b)];
        expect(parseShard(`${index}/${of}`)).toEqual({ index, of });
      }),
    );
    expect(parseShard(undefined)).toBeUndefined();
  });

  test.each([
    '0/3',
    '4/3',
    '3',
    '1/',
    '/3',
    'a/b',
    '01/3',
    '1/03',
    '-1/3',
    '1/3/5',
    '1.5/3',
    '1/1001',
    '1e0/3',
    ' 1/3',
    '',
  ])('%j is refused', (typed) => {
    expect(() => parseShard(typed)).toThrow(DocsError);
    try {
      parseShard(typed);
    } catch (cause) {
      expect(cause).toMatchObject({ kind: 'usage', code: 'invalid_shard' });
    }
  });
});

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

function part(index: number, { startedAt, found = [], spaces = [], files = [] }: Made): BackupPart {
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
