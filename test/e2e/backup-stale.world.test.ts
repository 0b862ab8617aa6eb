import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { clean, failureOf, filesIn, homeOfFile } from './backup-home.js';

/** No change goes unseen: `docs backup verify` and `--dry-run` tell it, and the next run backs it up. */

// One sandbox and one backup, which each case of the first group goes on with.
const home = homeOfFile({ goesOn: true });
let space: string;
beforeAll(async () => {
  space = await home.space('Welcome');
});

const planned = async () => {
  const plan = JSON.parse((await home.backUp('--dry-run')).stdout) as { title: string; state: string }[];
  return plan.filter(({ state }) => state !== 'unchanged').map(({ title, state }) => `${state} ${title}`);
};
/** The text of all files of a kind: `comments.json`. */
const everywhere = (ending: string) =>
  [...filesIn(home.at('b')).keys()]
    .filter((path) => path.endsWith(ending) && !path.startsWith('deleted/'))
    .map((path) => readFileSync(home.at('b', path), 'utf8'))
    .join('\n');

const comment = async (body: string, place: string[]) =>
  (await home.json<{ id: string }>(['comments', 'create', '--body', body, ...place])).id;
const reply = (id: string, body: string, place: string[]) =>
  home.ok(['comments', 'replies', 'create', id, '--body', body, ...place]);

const spec = JSON.stringify({
  openapi: '3.0.3',
  info: { title: 'Public API', version: '9' },
  paths: { '/brand-new': { get: { summary: 'Brand new', responses: { 200: { description: 'ok' } } } } },
});

/** Discussions as they are at the first backup, and what then happens to them. */
const discussions: [
  name: string,
  onRequest: boolean,
  resolved: boolean,
  then: 'reply' | 'edit' | 'delete',
][] = [
  ['a reply to a comment on an open change request', true, false, 'reply'],
  ['an edited comment on a change request', true, false, 'edit'],
  ['a reply to a resolved comment on a change request', true, true, 'reply'],
  ['a deleted resolved comment on a change request', true, true, 'delete'],
  ['a reply to a resolved comment', false, true, 'reply'],
  ['a deleted resolved comment', false, true, 'delete'],
];

describe('a change that no revision and no count shows', () => {
  const placeOf = (onRequest: boolean) => [
    ...['--space', space],
    ...(onRequest ? ['--change-request', '3'] : []),
  ];
  const ids = new Map<string, string>();
  beforeAll(async () => {
    for (const [name, onRequest, resolved] of discussions) {
      const place = placeOf(onRequest);
      const id = await comment(`Before ${name}.`, place);
      if (resolved) await home.ok(['comments', 'update', id, '--resolve', ...place]);
      ids.set(name, id);
    }
    await home.backedUp();
    expect(await home.verified()).toMatchObject(clean);
  });

  /** Only these spaces are to be read. @returns the pages which the next run read */
  async function expectSeen(spaces: readonly string[]): Promise<string[]> {
    home.gateway.reset();
    expect((await home.backedUp()).unchanged).toBe(5 - spaces.length);
    return home.gateway.requests.filter((line) => line.includes('/content/page/'));
  }
  /** The same, and verify and a dry run tell it before. */
  async function expectTold(kind: string, spaces: readonly string[]): Promise<string[]> {
    const { code, found } = await home.verified();
    expect(code).toBe(17);
    expect(found.map((finding) => finding.kind)).toContain(kind);
    expect(await planned()).toEqual(spaces.map((title) => `changed ${title}`));
    return expectSeen(spaces);
  }

  test.each(discussions)('%s', async (name, onRequest, _, then) => {
    const [id = '', place] = [ids.get(name), placeOf(onRequest)];
    const [before, after] = [`Before ${name}.`, `After ${name}.`];
    const told = () => [before, after].map((body) => everywhere('comments.json').includes(body));
    expect(told()).toEqual([true, false]);
    if (then === 'reply') await reply(id, after, place);
    else if (then === 'edit') await home.ok(['comments', 'update', id, '--body', after, ...place]);
    else await home.ok(['comments', 'delete', id, '--yes', ...place]);
    if (then === 'edit') await expectTold('change-request', ['Welcome']);
    else if (then === 'delete' && !onRequest) await expectTold('comment', ['Welcome']);
    else await expectSeen(['Welcome']);
    expect(told()).toEqual([then === 'reply', then !== 'delete']);
  });

  test('a computed page after a new version of its spec: that page alone is read again', async () => {
    expect(everywhere('operations.md')).not.toContain('brand-new');
    writeFileSync(home.at('spec.json'), spec);
    const published = home.ok(['openapi', 'publish', 'public-api', 'spec.json']);
    await expect.poll(() => home.changes(), { interval: 20 }).toHaveLength(1);
    // So much time is over that it is processed.
    await home.control.clock.shift(60_000);
    await published;
    expect(await expectTold('page', ['API Reference'])).toHaveLength(2);
    expect(everywhere('operations.md')).toContain('brand-new');
  });

  test("a custom field's title, in each space", async () => {
    expect(everywhere('/fields.json')).not.toContain('Owned by');
    await home.ok(['custom-fields', 'update', 'owner-team', '--title', 'Owned by']);
    const all = ['API Reference', 'Engineering Handbook', 'Welcome', 'Board Notes', 'Product Guide'];
    await expectTold('fields', all);
    expect(everywhere('/fields.json')).toContain('Owned by');
    expect((await home.backedUp()).unchanged).toBe(5);
    expect(await home.verified()).toMatchObject(clean);
  });
});

describe('a reply', () => {
  // Each case goes on with what the one before left.
  let id: string;
  beforeAll(async () => {
    await home.reset();
    id = await comment('Fine?', ['--space', space]);
    await reply(id, 'First.', ['--space', space]);
    await home.backedUp();
  });
  interface Manifest {
    startedAt: string;
    spaces: { id: string; repliesReadAt: string }[];
  }
  const manifest = () => home.parsed<Manifest>('b', 'manifest.json');
  const repliesReadAt = () => manifest().spaces.find((one) => one.id === space)?.repliesReadAt;
  const edit = async (body: string) => {
    const own = await home.firstId('comments', 'replies', 'list', id, '--space', space);
    const words = ['comments', 'replies', 'update', id, own, '--body', body, '--space', space];
    await home.ok(words);
  };

  test('that was edited is found by verify, which names --full, and by a run with it', async () => {
    await edit('Second.');
    const readAt = repliesReadAt();
    expect(readAt).toBe(manifest().startedAt);
    // Read less than a day ago: the manifest says when.
    await home.backedUp();
    expect(repliesReadAt()).toBe(readAt);
    expect(readAt).not.toBe(manifest().startedAt);
    const { code, found, stderr } = await home.verified();
    expect(code).toBe(17);
    const detail = expect.stringContaining('First. → Second.');
    expect(found).toMatchObject([{ state: 'outdated', kind: 'comment', title: 'Fine?', detail }]);
    expect(failureOf(stderr).hint).toBe('docs backup run --out b --again');
    await home.backedUp('--full');
    expect(await home.verified()).toMatchObject(clean);
  });

  test('that was edited is found by any run once the replies were read 20 hours ago', async () => {
    await edit('Third.');
    const path = home.at('b', 'manifest.json');
    const earlier = new Date(Date.parse(manifest().startedAt) - 20 * 3_600_000).toISOString();
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replaceAll(/"repliesReadAt":"[^"]*"/g, `"repliesReadAt":"${earlier}"`));
    expect((await home.backedUp()).unchanged).toBe(4);
    expect(everywhere('comments.json')).toContain('Third.');
    expect(await home.verified('--offline')).toMatchObject(clean);
  });

  test('that was changed in the backup is not kept', async () => {
    const path = home.at('b', 'spaces', 'Welcome', 'comments.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace('Third.', 'Forge.'));
    await home.backedUp();
    expect(readFileSync(path, 'utf8')).toContain('Third.');
    expect(await home.verified('--offline')).toMatchObject(clean);
  });
});
