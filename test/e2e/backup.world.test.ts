import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { clean, failureOf, filesIn, homeOfFile, perSpace, type Result } from './backup-home.js';

/** `docs backup run` over the sandbox: what is written, what is read again, and what is refused. */

const home = homeOfFile({ backup: true });

const text = (...names: string[]) => readFileSync(home.at('b', ...names), 'utf8');
const pageReads = () => home.gateway.requests.filter((line) => line.includes('/content/page/'));

test('writes everything, readable, for the owner alone, without secrets', async () => {
  rmSync(home.at('b'), { recursive: true });
  const { id, status, spaces, pages, failed } = await home.backedUp();
  expect({ id, status, spaces, pages, failed }).toEqual({
    id: home.org,
    status: 'whole',
    spaces: 5,
    pages: 19,
    failed: [],
  });
  expect(home.parsed('b', 'org.json')).toMatchObject({ object: 'organization', title: 'Acme Docs' });
  expect(home.parsed('b', 'members.json')).toHaveLength(7);
  expect(home.parsed('b', 'teams', 'Writers', 'members.json')).toEqual(
    expect.arrayContaining([expect.objectContaining({ team: { role: 'owner' } })]),
  );
  expect(readdirSync(home.at('b', 'sites', 'Acme Docs')).sort()).toEqual(
    ['adaptive-schema', 'section-groups', 'sections', 'site-spaces', 'site'].map((name) => `${name}.json`),
  );
  expect(text('openapi', 'public-api', 'content.json')).toContain('"openapi"');
  const reviews = ['spaces', 'Welcome', 'pages', 'guides'];
  expect(text(...reviews, 'reviews.md')).toMatch(/^# Reviews\n/);
  expect(home.parsed('b', ...reviews, 'reviews.json')).toMatchObject({ title: 'Reviews' });
  expect(readdirSync(home.at('b', 'spaces', 'Welcome', 'files'))).toEqual(['checklist.txt', 'logo.png']);
  const comments = home.parsed<{ replies: unknown[] }[]>('b', 'spaces', 'Welcome', 'comments.json');
  expect(comments.some(({ replies }) => replies.length > 0)).toBe(true);
  // Found in no collection and no site: an administrator sees it.
  expect(existsSync(home.at('b', 'spaces', 'Board Notes'))).toBe(true);
  for (const path of filesIn(home.at('b')).keys()) {
    expect(`${path} ${lstatSync(home.at('b', path)).mode.toString(8).slice(-3)}`).toBe(`${path} 600`);
    expect(text(path)).not.toMatch(/downloadURL|sbx_|\/files\/[\w-]+\.[\w-]+\./);
  }
  expect(lstatSync(home.at('b', 'spaces')).mode & 0o777).toBe(0o700);
  expect(await home.verified()).toMatchObject(clean);
});

test('an open change request has its comments, and the pages that differ', () => {
  const requests = home.at('b', 'spaces', 'Welcome', 'change-requests');
  const [first = ''] = readdirSync(requests);
  expect(first).toMatch(/^\d+ /);
  expect(readdirSync(`${requests}/${first}`).sort()).toEqual([
    ...['change-request.json', 'comments.json', 'content.json', 'pages'],
  ]);
  const all = filesIn(home.at('b', 'spaces', 'Welcome', 'pages'));
  for (const [path, hash] of filesIn(`${requests}/${first}/pages`)) expect(all.get(path)).not.toBe(hash);
});

describe('a further run', () => {
  test('reads only what changed, and moves what no longer exists', async () => {
    const [welcome, guide] = [await home.space('Welcome'), await home.space('Product Guide')];
    await home.merge();
    await home.ok(['spaces', 'delete', guide, '--yes']);
    home.gateway.requests.length = 0;
    const { spaces, unchanged, moved } = await home.backedUp();
    expect({ spaces, unchanged }).toEqual({ spaces: 4, unchanged: 3 });
    expect(moved).toBeGreaterThan(1);
    const asked = perSpace(home.gateway.requests);
    const others = [...asked].filter(([id]) => id !== welcome).map(([, lines]) => lines.length);
    // Comments and values of fields; of the space with a computed page, its page tree; the deleted one itself.
    expect(others.sort()).toEqual([1, 2, 2, 3]);
    const [day = ''] = readdirSync(home.at('b', 'deleted'));
    expect(day).toMatch(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/);
    expect(readdirSync(home.at('b', 'deleted', day, 'spaces')).sort()).toEqual(['Product Guide', 'Welcome']);
    expect(existsSync(home.at('b', 'spaces', 'Product Guide'))).toBe(false);
    expect(await home.verified('--offline')).toMatchObject(clean);
  });

  // What else no revision shows: backup-stale.world.test.ts.
  test('sees a resolved comment, an edit in a change request and a value, and reads no page again', async () => {
    const place = ['--space', await home.space('Welcome')];
    const comment = await home.firstId('comments', 'list', ...place, '--status', 'open');
    for (const words of [
      ['comments', 'update', comment, '--resolve', ...place],
      ['change-requests', 'update', '3', '--subject', 'New', ...place],
      ['spaces', 'fields', 'set', ...place.slice(1), 'owner-team=Zoë'],
    ]) {
      await home.ok(words);
      home.gateway.requests.length = 0;
      expect((await home.backedUp()).unchanged).toBe(4);
      expect(pageReads().filter((line) => /spaces\/[\w-]+\/content/.test(line))).toEqual([]);
    }
    expect((await home.backedUp()).unchanged).toBe(5);
    expect(await home.verified()).toMatchObject(clean);
  });

  test('renames the folder of a renamed space, and restores a missing file', async () => {
    await home.ok(['spaces', 'update', await home.space('Welcome'), '--title', 'Hello']);
    rmSync(home.at('b', 'spaces', 'Product Guide', 'space.json'));
    expect((await home.backedUp()).unchanged).toBe(3);
    // Its folder was renamed, so its pages were there.
    expect(pageReads()).toEqual([]);
    expect(existsSync(home.at('b', 'spaces', 'Welcome'))).toBe(false);
    expect(await home.verified('--offline')).toMatchObject(clean);
  });

  test('--full reads all again, repairs changed files, and writes nothing else', async () => {
    const page = home.at('b', 'spaces', 'Welcome', 'pages', 'faq.md');
    const before = filesIn(home.at('b'));
    writeFileSync(page, readFileSync(page, 'utf8').replace('e', '3'));
    expect((await home.backedUp()).unchanged).toBe(5);
    expect((await home.verified()).found).toMatchObject([
      { state: 'changed', path: 'spaces/Welcome/pages/faq.md' },
    ]);
    expect((await home.backedUp('--full')).unchanged).toBe(0);
    const after = filesIn(home.at('b'));
    for (const files of [before, after]) files.delete('manifest.json');
    expect(after).toEqual(before);
  });
});

describe('what could not be read', () => {
  test('a space is listed, exit 3, and the rest is there', async () => {
    const guide = await home.space('Product Guide');
    rmSync(home.at('b'), { recursive: true });
    home.refuse(`/spaces/${guide}/`, 403);
    const ran = await home.backUp('--no-retry');
    expect(ran.code).toBe(3);
    const { status: state, failed, pages } = JSON.parse(ran.stdout) as Result;
    expect({ state, pages }).toEqual({ state: 'partial', pages: 15 });
    const error = { status: 403 };
    expect(failed[0]).toMatchObject({ kind: 'space', id: guide, title: 'Product Guide', error });
    expect(failureOf(ran.stderr)).toMatchObject({
      code: 'not_all_read',
      exitCode: 3,
      hint: 'docs backup run --out b',
      details: { failed },
    });
    home.gateway.reset();
    const { code, found } = await home.verified('--offline');
    expect(code).toBe(17);
    expect(new Set(found.map((finding) => finding.state))).toEqual(new Set(['not-read']));
    expect((await home.backedUp()).unchanged).toBe(4);
    expect(await home.verified('--offline')).toMatchObject(clean);
  });

  test('its files of the last run stay', async () => {
    const before = filesIn(home.at('b', 'spaces'));
    home.refuse(`/spaces/${await home.space('Product Guide')}/`, 500);
    expect((await home.backUp('--no-retry', '--full')).code).toBe(3);
    const after = filesIn(home.at('b', 'spaces'));
    for (const files of [before, after]) files.delete('Product Guide/manifest.json');
    expect(after).toEqual(before);
  });

  test('a page, the members, a collection: each is reported on its own', async () => {
    home.refuse(/members\?|collections\/[\w-]+\/spaces/, 403);
    const ran = await home.run(['backup', 'run', '--out', 'c', '--no-retry']);
    expect(ran.code).toBe(3);
    expect(ran.stderr).toMatch(/^Not read: members /m);
    expect(ran.stderr).toMatch(/^Not read: collection /m);
    expect(ran.stdout).toMatch(/\tpartial\t/);
  });

  test('a space that neither a list nor it itself can be read of stays as it was', async () => {
    const before = filesIn(home.at('b', 'spaces', 'Welcome'));
    const welcome = await home.space('Welcome');
    home.refuse(new RegExp(`/(collections|sites|members)\\b|/spaces/${welcome}\\b`), 500);
    expect((await home.backUp('--no-retry')).code).toBe(3);
    expect(filesIn(home.at('b', 'spaces', 'Welcome'))).toEqual(before);
    expect(readdirSync(home.at('b', 'spaces'))).toHaveLength(5);
    expect(existsSync(home.at('b', 'deleted'))).toBe(false);
  });

  test('an invalid token ends the run; the backup stays', async () => {
    const before = filesIn(home.at('b'));
    const ran = await home.run(['backup', 'run', '--out', 'b'], { env: { DOCS_TOKEN: 'sbx_wrong' } });
    expect(ran.code).toBe(4);
    expect(filesIn(home.at('b'))).toEqual(before);
  });
});

/** Every list through which spaces are found, and as what it is reported where it fails. */
describe('while a list cannot be read, no space is gone', () => {
  const lists: [match: RegExp, kind: string][] = [
    [/\/members\?/, 'administrators'],
    [/\/members\/[\w-]+\/spaces/, 'member'],
    [/\/collections\?/, 'collections'],
    [/\/collections\/[\w-]+\/spaces/, 'collection'],
    [/\/sites\?/, 'sites'],
    [/\/site-spaces/, 'site'],
  ];
  test.each(lists)('%s', async (match, kind) => {
    home.refuse(match, 500);
    const planned = await home.backUp('--no-retry', '--dry-run');
    expect(planned.code).toBe(3);
    expect(planned.stdout).not.toContain('"removed"');
    expect(failureOf(planned.stderr).details?.failed).toContainEqual(expect.objectContaining({ kind }));
  });

  test('nor for verify and for a run, after which the next is whole', async () => {
    home.refuse(/\/members\b|\/collections\b|\/sites?\b/, 500);
    const verified = await home.verified('--no-retry');
    expect(verified.code).toBe(3);
    expect(verified.found.map(({ state }) => state)).not.toContain('gone');
    const unread = ['administrators', 'collections', 'sites'].map((kind) =>
      expect.objectContaining({ kind }),
    );
    expect(failureOf(verified.stderr).details?.unread).toEqual(expect.arrayContaining(unread));

    const ran = await home.backUp('--no-retry');
    expect(ran.code).toBe(3);
    const { status, failed, spaces } = JSON.parse(ran.stdout) as Result;
    expect({ status, spaces }).toEqual({ status: 'partial', spaces: 5 });
    expect(failed).toEqual(expect.arrayContaining(unread));
    expect(failureOf(ran.stderr)).toMatchObject({ code: 'not_all_read', exitCode: 3 });
    expect(readdirSync(home.at('b', 'spaces'))).toHaveLength(5);
    home.gateway.reset();
    expect((await home.backedUp()).status).toBe('whole');
    expect(existsSync(home.at('b', 'deleted'))).toBe(false);
  });
});

test('a download that breaks off is repeated; one that always does is listed', async () => {
  rmSync(home.at('b'), { recursive: true });
  let cuts = 1;
  home.gateway.cuts = (line) => line.includes('/files/') && line.endsWith('logo.png') && cuts-- > 0;
  expect((await home.backedUp()).files).toBe(2);
  expect(await home.verified('--offline')).toMatchObject(clean);
  cuts = 99;
  const ran = await home.run(['backup', 'run', '--out', 'c', '--json', '--no-retry']);
  expect(ran.code).toBe(3);
  const { failed } = JSON.parse(ran.stdout) as Result;
  expect(failed.map(({ kind, title }) => [kind, title])).toEqual([['file', 'logo.png']]);
  expect([...filesIn(home.at('c')).keys()].filter((path) => path.endsWith('.png'))).toEqual([]);
});

test('content that changes while it is read is read again, so that it is of one revision', async () => {
  rmSync(home.at('b'), { recursive: true });
  const welcome = await home.space('Welcome');
  let merged: Promise<unknown> | undefined;
  home.gateway.rule = (line) => {
    if (!line.includes(`/spaces/${welcome}/content/page/`)) return undefined;
    merged ??= home.merge();
    return merged.then(() => undefined);
  };
  await home.backedUp();
  expect(merged).toBeDefined();
  expect(await home.verified('--offline')).toMatchObject(clean);
  await home.ok(['backup', 'run', '--out', 'c']);
  const diff = await home.run(['backup', 'diff', 'b', 'c', '--exit-code']);
  expect(diff).toMatchObject({ code: 0, stdout: '' });
});
