import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type BackupHome, backupHome, failureOf, filesIn } from './backup-home.js';

/** No change goes unseen: `docs backup verify` and `--dry-run` tell it, and the next run backs it up. */

interface Found {
  state: string;
  kind: string;
  title?: string;
  detail?: string;
  fields?: { field: string; before?: unknown; after?: unknown }[];
}

let home: BackupHome;
let space: string;
const begin = async () => {
  home = await backupHome();
  space = await home.space('Welcome');
};

const verified = async () => {
  const { code, stdout, stderr } = await home.run(['backup', 'verify', 'b', '--json']);
  return { code, stderr, found: JSON.parse(stdout) as Found[] };
};
const planned = async () => {
  const plan = await home.json<{ title: string; state: string }[]>([
    ...['backup', 'run', '--out', 'b', '--dry-run'],
  ]);
  return plan.filter(({ state }) => state !== 'unchanged').map(({ title, state }) => `${state} ${title}`);
};
/** The text of all files of a kind: `comments.json`. */
const everywhere = (ending: string) =>
  [...filesIn(home.at('b')).keys()]
    .filter((path) => path.endsWith(ending) && !path.startsWith('deleted/'))
    .map((path) => readFileSync(home.at('b', path), 'utf8'))
    .join('\n');

const onRequest = () => ['--space', space, '--change-request', '3'];
const comment = async (body: string, ...place: string[]) =>
  (await home.json<{ id: string }>(['comments', 'create', '--body', body, ...place])).id;
const resolve = (id: string, ...place: string[]) =>
  home.ok(['comments', 'update', id, '--resolve', ...place]);
const reply = (id: string, body: string, ...place: string[]) =>
  home.ok(['comments', 'replies', 'create', id, '--body', body, ...place]);

const spec = JSON.stringify({
  openapi: '3.0.3',
  info: { title: 'Public API', version: '9' },
  paths: { '/brand-new': { get: { summary: 'Brand new', responses: { 200: { description: 'ok' } } } } },
});

interface Case {
  name: string;
  /** Before the first backup. @returns the id of what is changed */
  prepare(): Promise<string>;
  change(id: string): Promise<unknown>;
  /** Text that is in files of this ending afterwards, or not any more. */
  text: string;
  ending: string;
  gone?: true;
  kind: string;
  /** Spaces that are planned to be read. */
  spaces: string[];
}

const welcome = ['changed Welcome'];
const nothing = async () => '';

const cases: Case[] = [
  {
    name: 'a reply to a comment on an open change request',
    prepare: () => comment('Fine?', ...onRequest()),
    change: (id) => reply(id, 'Quite fine.', ...onRequest()),
    ...{ text: 'Quite fine.', ending: 'comments.json', kind: 'change-request', spaces: welcome },
  },
  {
    name: 'an edited comment on a change request',
    prepare: () => comment('Fine?', ...onRequest()),
    change: (id) => home.ok(['comments', 'update', id, '--body', 'Fine now?', ...onRequest()]),
    ...{ text: 'Fine now?', ending: 'comments.json', kind: 'change-request', spaces: welcome },
  },
  {
    name: 'a reply to a resolved comment on a change request',
    async prepare() {
      const id = await comment('Done?', ...onRequest());
      await resolve(id, ...onRequest());
      return id;
    },
    change: (id) => reply(id, 'Long done.', ...onRequest()),
    ...{ text: 'Long done.', ending: 'comments.json', kind: 'change-request', spaces: welcome },
  },
  {
    name: 'a deleted resolved comment on a change request',
    async prepare() {
      const id = await comment('Gone?', ...onRequest());
      await resolve(id, ...onRequest());
      return id;
    },
    change: (id) => home.ok(['comments', 'delete', id, '--yes', ...onRequest()]),
    ...{ text: 'Gone?', ending: 'comments.json', gone: true, kind: 'change-request', spaces: welcome },
  },
  {
    name: 'a reply to a resolved comment',
    async prepare() {
      const id = await comment('Done?', '--space', space);
      await resolve(id, '--space', space);
      return id;
    },
    change: (id) => reply(id, 'Done long ago.', '--space', space),
    ...{ text: 'Done long ago.', ending: 'comments.json', kind: 'comment', spaces: welcome },
  },
  {
    name: 'a deleted resolved comment',
    async prepare() {
      const id = await comment('Gone?', '--space', space);
      await resolve(id, '--space', space);
      return id;
    },
    change: (id) => home.ok(['comments', 'delete', id, '--yes', '--space', space]),
    ...{ text: 'Gone?', ending: 'comments.json', gone: true, kind: 'comment', spaces: welcome },
  },
  {
    name: 'a computed page after a new version of its spec',
    prepare: nothing,
    async change() {
      writeFileSync(home.at('spec.json'), spec);
      await home.ok(['openapi', 'publish', 'public-api', 'spec.json']);
    },
    ...{ text: 'brand-new', ending: 'operations.md', kind: 'page', spaces: ['changed API Reference'] },
  },
  {
    name: "a custom field's title, in each space",
    prepare: nothing,
    change: () => home.ok(['custom-fields', 'update', 'owner-team', '--title', 'Owned by']),
    ...{ text: 'Owned by', ending: '/fields.json', kind: 'fields' },
    spaces: ['API Reference', 'Engineering Handbook', 'Welcome', 'Board Notes', 'Product Guide'].map(
      (title) => `changed ${title}`,
    ),
  },
];

describe('a change that no revision and no count shows', () => {
  // One sandbox and one backup, which each case goes on with.
  beforeAll(begin);
  afterAll(() => home.end());

  test.each(cases)('$name', async ({ prepare, change, text, ending, gone, kind, spaces }) => {
    const id = await prepare();
    await home.backedUp();
    expect(everywhere(ending).includes(text)).toBe(gone === true);
    expect(await verified()).toMatchObject({ code: 0, found: [] });
    await change(id);
    const { code, found } = await verified();
    expect(code).toBe(17);
    expect(found.map((finding) => finding.kind)).toContain(kind);
    expect(await planned()).toEqual(spaces);
    expect((await home.backedUp()).unchanged).toBe(5 - spaces.length);
    expect(everywhere(ending).includes(text)).toBe(gone !== true);
    expect(await verified()).toMatchObject({ code: 0, found: [] });
    expect((await home.backedUp()).unchanged).toBe(5);
  });
});

describe('in a sandbox of its own', () => {
  beforeEach(begin);
  afterEach(() => home.end());

  test('of a computed page that changed, only that page is read again', async () => {
    await home.backedUp();
    writeFileSync(home.at('spec.json'), spec);
    await home.ok(['openapi', 'publish', 'public-api', 'spec.json']);
    home.gateway.requests.length = 0;
    await home.backedUp();
    const pages = home.gateway.requests.filter((line) => line.includes('/content/page/'));
    expect(pages).toHaveLength(2);
  });

  describe('an edited reply', () => {
    const edit = async () => {
      const id = await comment('Fine?', '--space', space);
      await reply(id, 'First.', '--space', space);
      const [own] = await home.json<{ id: string }[]>(['comments', 'replies', 'list', id, '--space', space]);
      await home.backedUp();
      await home.ok([
        ...['comments', 'replies', 'update', id, own?.id ?? '', '--body', 'Second.', '--space', space],
      ]);
    };
    const manifest = () =>
      JSON.parse(readFileSync(home.at('b', 'manifest.json'), 'utf8')) as {
        startedAt: string;
        spaces: { id: string; repliesReadAt: string }[];
      };

    test('is found by verify, which names --full, and by a run with it', async () => {
      await edit();
      const readAt = manifest().spaces.map(({ repliesReadAt }) => repliesReadAt);
      expect(new Set(readAt)).toEqual(new Set([manifest().startedAt]));
      // Read less than a day ago: the manifest says when.
      await home.backedUp();
      const entry = manifest().spaces.find(({ id }) => id === space);
      expect(entry?.repliesReadAt).toBe(readAt[0]);
      expect(entry?.repliesReadAt).not.toBe(manifest().startedAt);
      const { code, found, stderr } = await verified();
      expect(code).toBe(17);
      expect(found).toMatchObject([
        {
          state: 'outdated',
          kind: 'comment',
          title: 'Fine?',
          detail: expect.stringContaining('First. → Second.'),
        },
      ]);
      expect(failureOf(stderr).hint).toBe('docs backup run --out b --full');
      await home.backedUp('--full');
      expect(await verified()).toMatchObject({ code: 0, found: [] });
    });

    test('is found by any run once the replies were read 20 hours ago', async () => {
      await edit();
      const path = home.at('b', 'manifest.json');
      const text = readFileSync(path, 'utf8');
      const earlier = new Date(Date.parse(manifest().startedAt) - 20 * 3_600_000).toISOString();
      writeFileSync(path, text.replaceAll(/"repliesReadAt":"[^"]*"/g, `"repliesReadAt":"${earlier}"`));
      expect((await home.backedUp()).unchanged).toBe(4);
      expect(everywhere('comments.json')).toContain('Second.');
      expect(await verified()).toMatchObject({ code: 0, found: [] });
    });
  });

  test('a reply that was changed in the backup is not kept', async () => {
    const id = await comment('Fine?', '--space', space);
    await reply(id, 'First.', '--space', space);
    await home.backedUp();
    const path = home.at('b', 'spaces', 'Welcome', 'comments.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace('First.', 'Forge.'));
    await home.backedUp();
    expect(readFileSync(path, 'utf8')).toContain('First.');
    expect(await verified()).toMatchObject({ code: 0, found: [] });
  });
});
